"""Files that users write and commands read or write, and errors in them."""
