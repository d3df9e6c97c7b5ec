"""A game as a file: write its whole log so that it can be imported, and read such a file."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from app.games.recording import RecordedGame
from app.kalooki import readers
from app.kalooki.cards import BadInput

LEVELS_OF_A_LOG = 2 * readers.MOST_LEVELS
"""The most levels of nesting: enough for the deepest claim that a log can store, inside an imported log."""


def whole_log(record: RecordedGame) -> str:
    """Return the game as JSON from which it can be restored."""
    log = [{"entry": each.seq, "at": each.at, "by": each.actor, "event": each.event} for each in record.log.entries]
    # sorted, because an entry just typed and the same one read back have their keys in different orders
    return json.dumps({"code": record.code, "log": log}, ensure_ascii=False, indent=1, sort_keys=True)


def log_of(raw: object) -> list[dict[str, Any]]:
    """Return the log in the file of an exported game; raises BadInput for anything else."""
    log = raw.get("log") if isinstance(raw, dict) else None
    if isinstance(log, list) and log and all(isinstance(each, dict) for each in log):
        return log
    raise BadInput("{field}: bring the log of an exported game.", "log")


def as_json(text: bytes) -> Any:
    """Return the value of a JSON text; raises ValueError or RecursionError for any other text.

    Also refuses NaN and Infinity, which are not JSON; a lone surrogate, which no page or sheet could show; and nesting
    too deep to quote in an error message.
    """
    raw = json.loads(text, parse_float=_number, parse_constant=_refuse)
    if readers.is_deeper(raw, LEVELS_OF_A_LOG):
        raise ValueError("nested too deeply")
    json.dumps(raw, ensure_ascii=False).encode()
    return raw


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)


def _number(text: str) -> int | float:
    """Return a number written with a point or an exponent; in JSON, 25.0 is as whole as 25."""
    number = float(text)
    return int(number) if number.is_integer() and abs(number) <= readers.MOST_MONEY else number
