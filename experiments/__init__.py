"""The face: the command line, experiment files, run folders, tables and plots."""
