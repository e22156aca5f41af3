"""Who plays: one registry of names, from fixed rules to learned agents."""
