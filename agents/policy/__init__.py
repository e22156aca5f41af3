"""A policy network: one network that scores the actions of every deck by reading the cards."""
