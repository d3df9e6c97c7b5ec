"""How many random examples are tried: few, and always the same, in the tests; more, and new ones, with `LONGER` set."""

import os

TIMES = int(os.environ.get("LONGER", "1"))
IS_SHORT = TIMES == 1


def times(few):
    """The number of examples: `few`, or that times `LONGER`."""
    return few * TIMES
