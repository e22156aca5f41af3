"""Games as text: recorded, compared, and told move by move."""
