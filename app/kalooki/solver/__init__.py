"""An exact search for the best lay-down of a hand."""
