"""Settings of a balancing run: the tables of an experiment file."""
