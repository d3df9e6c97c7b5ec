"""The release this is, which `pyproject.toml` alone states."""

from pathlib import Path
from tomllib import loads

_PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
VERSION: str = loads(_PROJECT.read_text(encoding="utf-8"))["project"]["version"]
