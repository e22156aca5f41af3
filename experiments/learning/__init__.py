"""Training of agents with files in a run folder, and evaluation of the trained agents."""
