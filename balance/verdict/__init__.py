"""Verdicts on patches by games: evaluation, margins, guards, certificates, effects of edits."""
