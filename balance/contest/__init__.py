"""What a game offers to the balancing methods, and the demands that a balanced game satisfies."""
