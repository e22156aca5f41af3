"""Views: what learned agents see of games, and the actions that they name."""
