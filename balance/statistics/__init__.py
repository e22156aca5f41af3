"""Statistics: intervals of rates and differences, and arithmetic equal on all processors."""
