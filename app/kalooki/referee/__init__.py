"""Rulings on melds, openings, builds, joker exchanges and whole turns, by the values of a variant."""
