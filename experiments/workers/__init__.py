"""Workers that play games, as `--workers` chooses them: threads, processes or a Ray cluster."""
