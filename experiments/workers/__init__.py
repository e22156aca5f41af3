"""Who plays, as the command line says it."""
