"""The JSON interface: what the pages do, for scripts and other front ends."""

from __future__ import annotations

from flask import Blueprint

from app.interface.openapi import PREFIX

api = Blueprint("api", __name__, url_prefix=PREFIX)
