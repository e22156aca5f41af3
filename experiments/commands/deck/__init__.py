"""`evenhand deck`: convert decks from and to deck codes and lists."""
