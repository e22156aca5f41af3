"""Training of agents with files in run folders, evaluation of agents, and their playing styles."""
