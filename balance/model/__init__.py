"""The model search: small patches from few games, by a model of what numbers do to win rates."""
