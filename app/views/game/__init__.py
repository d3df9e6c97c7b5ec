"""The pages of one game."""
