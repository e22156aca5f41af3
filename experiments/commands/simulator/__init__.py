"""`evenhand simulator`: games that are played by programs of other authors."""
