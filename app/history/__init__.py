"""What happened in a game and what follows from it, in words and plain values: every surface lays out the same."""
