"""The commands: each does its work, fills a run folder, and returns the findings to show."""
