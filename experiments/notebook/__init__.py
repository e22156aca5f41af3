"""Face of the project for notebooks: runs without a command line, and their results as tables."""
