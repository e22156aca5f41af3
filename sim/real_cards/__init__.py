"""Real cards from an optional package, with their scenarios and deck codes."""
