"""How many random examples are tried: in the normal run a tenth, always the same; all and other ones in `long`.

`LONGER` says how many times the full number: `python3 -m tests long` sets 1, ``python3 -m tests.bench fuzz`` more.
"""

import os

TIMES = float(os.environ.get("LONGER", "0.1"))
IS_SHORT = TIMES < 1


def times(full):
    """The number of examples where the long run tries `full`; the first of several is always the smallest there is."""
    return max(2, round(full * TIMES))
