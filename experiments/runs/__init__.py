"""Run folders: written whole at every moment, continued, and read again."""
