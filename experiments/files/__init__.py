"""Files that people write and name, and what is wrong with them."""
