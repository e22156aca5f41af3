"""Workers that play games, chosen by `--workers`: threads, processes or a Ray cluster."""
