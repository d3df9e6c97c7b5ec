"""Singular and plural forms of a sentence."""


def plural(one: str, many: str, count: int) -> str:
    """Return the singular if `count` is 1, otherwise the plural.

    >>> plural("one card", "several cards", 2)
    'several cards'
    """
    return one if count == 1 else many


def times(count: int) -> str:
    """Return how often something happened.

    >>> times(1), times(2), times(3)
    ('once', 'twice', '3 times')
    """
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def number_of(count: int, word: str) -> str:
    """Return a count with its noun.

    >>> number_of(1, "hand"), number_of(3, "buy-in")
    ('1 hand', '3 buy-ins')
    """
    return f"{count} {plural(word, f'{word}s', count)}"
