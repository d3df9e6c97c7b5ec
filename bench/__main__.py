"""`python3 -m bench [name …]`: ratios measured in one run; the absolute times are the machine's."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

NAMES = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        print(f"No benchmark {', '.join(unknown)}; there are: {', '.join(NAMES)}")
        return 2
    for name in names or NAMES:
        print(f"== {name}")
        import_module(f"bench.{name}").main()
    return 0


sys.exit(main(sys.argv[1:]))
