"""Whether the server is up and reaches its database."""

from __future__ import annotations

from flask import Blueprint

from app import log

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> dict[str, str]:
    """Answer once the database has answered."""
    log.ping()
    return {"status": "ok"}
