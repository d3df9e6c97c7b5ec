"""Games: the events recorded at the table, and the state that follows from them."""
