"""Positions and cards as inputs of networks: what a seat may see, and the texts of the cards."""
