"""What could have been played: the best lay-down of a hand, found exactly."""
