"""The games: rules, cards and decks as data, the compiled engine, and batch play."""

__version__ = "0.1.0"
