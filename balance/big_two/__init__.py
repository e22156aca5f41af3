"""The contest of Big Two, a climbing game for four players."""
