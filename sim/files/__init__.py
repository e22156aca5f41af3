"""Files and settings: written whole, read with errors that name the place."""
