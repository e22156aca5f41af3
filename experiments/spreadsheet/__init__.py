"""Import, checking and export of pools and decks as spreadsheet files."""
