"""Numbers that decide: intervals, bounds and arithmetic, equal on every processor."""
