"""`evenhand cards`: convert cards from and to spreadsheets, and show them."""
