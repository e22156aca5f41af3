"""Exit statuses of the command line; 0 is success."""

EXIT_FAILED = 1  # a patch or deck is not certified, or a scenario failed
EXIT_BAD_INPUT = 2  # wrong usage or input, as in click and most command lines
EXIT_INTERRUPTED = 130  # as in shells: 128 + 2, the number of SIGINT
