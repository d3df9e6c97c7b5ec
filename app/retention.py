"""How long games are kept: for good, unless `KEEP_DAYS` says for how many days."""

from __future__ import annotations

import threading
import time
from contextlib import suppress

from flask import Flask

from app import log
from app.table import recording

EVERY = 60 * 60.0
"""Seconds between two deletions while the server runs; the first comes after as long."""
A_DAY = 24
DOUBT = (
    "By this machine's clock every game is old, or a month has passed since the server last ran. In case the clock is"
    " wrong, nothing is deleted until the server has run for %s more hours, or `forget` has been run daily for a week."
)


def delete_unused(days: int) -> list[str]:
    """Delete every game in which nothing was recorded for `days` days; returns their codes.

    None while another process on the same PostgreSQL does so.
    """
    with log.deleting() as may_delete:
        return [code for code in log.unused_for(days) if _is_deleted(code, days)] if may_delete else []


def _is_deleted(code: str, days: int) -> bool:
    with suppress(log.NoSuchGame):  # somebody was quicker
        return recording.delete(code, unused_for=days)
    return False


def keep_to_it(app: Flask) -> None:
    """Delete unused games in the background, after every hour of running, if `KEEP_DAYS` is set."""
    if app.config["KEEP_DAYS"]:
        threading.Thread(target=_look_again_and_again, args=(app,), name="retention", daemon=True).start()


def after_another_hour(app: Flask) -> None:
    """Delete unused games, unless deletions wait because the clock may be wrong; the log tells."""
    days = app.config["KEEP_DAYS"]
    left = log.hour_run(days)
    if left and left % A_DAY == 0:
        app.logger.warning(DOUBT, left)
    gone = delete_unused(days) if left == 0 else []
    if gone:
        app.logger.warning("%s games deleted: nothing recorded for %s days", len(gone), days)


def _look_again_and_again(app: Flask) -> None:
    while True:
        time.sleep(EVERY)
        if not log.is_open(app):
            return
        try:
            with app.app_context():
                after_another_hour(app)
        except log.Unavailable as trouble:
            app.logger.warning("old games are still there: %s", trouble)
