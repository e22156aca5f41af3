"""Results of games that people or other programs played: win rates, ratings, mixes and changes."""
