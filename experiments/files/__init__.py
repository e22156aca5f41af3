"""Files that users and commands write: reading, writing, and errors in them."""
