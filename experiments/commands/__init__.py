"""The commands: each asks the science, fills a run folder and says what came out."""
