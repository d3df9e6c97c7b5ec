"""Logging to standard error: what was requested and where it failed, but never whose game it was.

A game's code gives access to it, and the names of players and addresses of phones are private. So a request is logged
by its endpoint, and an error by its place and type; its message is logged only if it is about the program.
"""

from __future__ import annotations

import logging
import sys
from traceback import format_tb

REQUESTS = logging.getLogger("requests")
"""Logs one line for each request."""
_ABOUT_THE_PROGRAM = (AttributeError, ImportError, NameError, TypeError)
"""Errors whose messages name parts of the program; those of others may repeat what was typed or stored."""


def format_trace(trouble: BaseException) -> str:
    """Return where in the program an error was raised, and its type, after the same for its causes."""
    cause = trouble.__cause__ or (None if trouble.__suppress_context__ else trouble.__context__)
    words = f": {trouble}" if isinstance(trouble, _ABOUT_THE_PROGRAM) else ""
    kind = type(trouble)
    own = f"{''.join(format_tb(trouble.__traceback__))}{kind.__module__}.{kind.__qualname__}{words}"
    return f"{format_trace(cause)}\nand then\n{own}" if cause else own


class _DiscreetFormatter(logging.Formatter):
    def formatException(self, ei: object) -> str:  # noqa: N802 - as the library has it
        return format_trace(ei[1]) if isinstance(ei, tuple) and ei[1] else ""


def configure_logging() -> None:
    """Log everything discreetly; log requests only if standard error is not a terminal that a person is reading."""
    handler = logging.StreamHandler()
    handler.setFormatter(_DiscreetFormatter("[%(asctime)s] %(levelname)s in %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    REQUESTS.setLevel(logging.WARNING if sys.stderr.isatty() else logging.INFO)
