"""Training of agents for a contest, and the drift of a balance as trained agents learn on."""
