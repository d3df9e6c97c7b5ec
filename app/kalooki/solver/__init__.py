"""The best lay-down of a hand, found exactly."""
