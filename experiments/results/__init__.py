"""Results of whole runs as typed rows, from which tables, figures and pages are made."""
