"""Pools and decks as spreadsheet files that designers keep: reading, checking and writing them."""
