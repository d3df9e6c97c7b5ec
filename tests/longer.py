"""How long chance is tried: shortly and always the same in the tests, longer and by luck where `LONGER` says so."""

import os

TIMES = int(os.environ.get("LONGER", "1"))
IS_SHORT = TIMES == 1


def times(few):
    """So many examples, or as many times as many."""
    return few * TIMES
