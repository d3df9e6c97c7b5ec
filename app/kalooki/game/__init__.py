"""What was played: events recorded at the table, and the game they add up to."""
