"""Views, which define the observations that learned agents receive and the actions they choose."""
