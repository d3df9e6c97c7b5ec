"""What players may do: melds, openings, builds, joker exchanges and whole turns, judged by a variant's values."""
