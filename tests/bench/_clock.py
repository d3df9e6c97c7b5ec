"""The product on a machine whose clock jumps: a day back and a day forth, several times a second."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tests.bench._served import recording

if TYPE_CHECKING:
    from flask import Flask

JUMPS = 5
"""A second."""


def jumping() -> datetime:
    days_back = int(time.monotonic() * JUMPS) % 3
    return datetime.now(UTC) - timedelta(days=days_back)


def on_a_jumping_clock() -> Flask:
    app = recording()
    app.config["CLOCK"] = jumping
    return app
