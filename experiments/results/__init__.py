"""Rows of commands that compare or repeat results of `balance`; verdicts read from summaries."""
