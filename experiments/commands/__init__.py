"""Commands of the command line: each fills a run folder and returns the findings to show."""
