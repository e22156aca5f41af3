"""Views: the observations that learned agents receive, and the actions that they may choose."""
