"""Training and trained agents: runs that learn, pilots at work, how they play."""
