"""Finished balance runs as rows."""
