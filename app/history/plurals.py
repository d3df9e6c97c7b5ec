"""Singular and plural forms of a sentence."""


def plural(one: str, many: str, count: int) -> str:
    """Return the singular or the plural, as `count` asks.

    >>> plural("one card", "several cards", 2)
    'several cards'
    """
    return one if count == 1 else many
