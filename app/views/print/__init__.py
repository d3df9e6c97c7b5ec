"""Everything printed or saved as a file."""

from __future__ import annotations

from flask import Blueprint

sheets = Blueprint("sheets", __name__)
