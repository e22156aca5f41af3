"""User interface: command line, experiment files, run folders, tables and plots."""
