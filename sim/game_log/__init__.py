"""Games as text: recorded games, interactive games, and logs of what each action changed."""
