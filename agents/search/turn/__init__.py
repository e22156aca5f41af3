"""Search of the whole own turn, for the agents `turn:NODES` and `light`."""
