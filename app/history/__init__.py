"""What happened in a game and what follows from it, in words and plain values that pages, paper and files share."""
