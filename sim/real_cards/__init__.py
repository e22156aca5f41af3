"""Real Hearthstone cards from an optional package, with rule scenarios and deck codes."""
