"""Workers that carry out jobs: threads, processes, and the interface for other kinds of workers."""
