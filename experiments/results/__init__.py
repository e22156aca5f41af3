"""Results of whole runs as typed rows: what tables, figures and pages read."""
