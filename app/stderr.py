"""What the server says on standard error: what was asked and where it broke, never whose game it was.

A game's code is a key to it, and a player's name or a phone's address is nobody's business. So a request is called by
its endpoint, and of an error there is where and what kind, but its words only if they are about the program.
"""

from __future__ import annotations

import logging
import sys
from traceback import format_tb

REQUESTS = logging.getLogger("requests")
"""Has a line for each request."""
_ABOUT_THE_PROGRAM = (AttributeError, ImportError, NameError, TypeError)
"""Errors whose words name parts of the program; others may repeat what somebody typed, or what is stored."""


def traced(trouble: BaseException) -> str:
    """Return where in the program an error was raised, and of what kind it and those behind it are."""
    behind = trouble.__cause__ or (None if trouble.__suppress_context__ else trouble.__context__)
    words = f": {trouble}" if isinstance(trouble, _ABOUT_THE_PROGRAM) else ""
    kind = type(trouble)
    own = f"{''.join(format_tb(trouble.__traceback__))}{kind.__module__}.{kind.__qualname__}{words}"
    return f"{traced(behind)}\nand then\n{own}" if behind else own


class _Discreet(logging.Formatter):
    def formatException(self, ei: object) -> str:  # noqa: N802 - as the library has it
        return traced(ei[1]) if isinstance(ei, tuple) and ei[1] else ""


def speak_discreetly() -> None:
    """Have everything that is logged said so; requests only where no person would have to read past them."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Discreet("[%(asctime)s] %(levelname)s in %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    REQUESTS.setLevel(logging.WARNING if sys.stderr.isatty() else logging.INFO)
