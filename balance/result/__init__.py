"""Base of the results of `balance`: tables, data frames, and data for summaries."""
