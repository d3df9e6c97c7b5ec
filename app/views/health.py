"""Whether the server is up and its database accepts writes."""

from __future__ import annotations

from flask import Blueprint, jsonify, make_response
from flask.typing import ResponseReturnValue

from app import log
from app.views.errors import RETRY_AFTER

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def healthz() -> ResponseReturnValue:
    """200 after a write to the database, 503 with the reason if it cannot be used."""
    try:
        log.ping()
    except log.Unavailable as trouble:
        answer = make_response(jsonify(status="database_unavailable", reason=trouble.reason, message=str(trouble)), 503)
        answer.headers["Retry-After"] = RETRY_AFTER
        return answer
    return jsonify(status="ok")
