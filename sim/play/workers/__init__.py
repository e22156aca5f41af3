"""Workers that carry out jobs: threads, processes, and the interface that other kinds implement."""
