"""Training of agents for a contest, and drift: the change of win rates when training continues."""
