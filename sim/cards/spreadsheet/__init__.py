"""Pools and decks in a spreadsheet, where designers keep their numbers."""
