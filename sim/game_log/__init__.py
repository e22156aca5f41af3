"""Card games as text: replays of single games, interactive sessions, and logs of each action."""
