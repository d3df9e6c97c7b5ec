"""How long games are kept: for good, unless `KEEP_DAYS` says for how many days."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from app import log
from app.table import recording

if TYPE_CHECKING:
    from flask import Flask

EVERY = 60 * 60.0
"""Seconds between two deletions while the server runs."""


def delete_unused(days: int) -> list[str]:
    """Delete every game in which nothing was recorded for `days` days; returns their codes."""
    return [code for code in log.unused_for(days) if recording.delete(code, unused_for=days)]


def keep_to_it(app: Flask) -> None:
    """Delete unused games in the background, now and at intervals, if `KEEP_DAYS` is set."""
    if app.config["KEEP_DAYS"]:
        threading.Thread(target=_look_again_and_again, args=(app,), name="retention", daemon=True).start()


def _look_again_and_again(app: Flask) -> None:
    while log.is_open(app):
        with app.app_context():
            _look(app)
        time.sleep(EVERY)


def _look(app: Flask) -> None:
    try:
        gone = delete_unused(app.config["KEEP_DAYS"])
    except log.Unavailable as trouble:
        app.logger.warning("old games are still there: %s", trouble)
    else:
        if gone:
            app.logger.warning("%s games deleted: nothing recorded for %s days", len(gone), app.config["KEEP_DAYS"])
