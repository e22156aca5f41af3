"""Training of agents on disk, evaluation of trained agents, and descriptions of how they play."""
