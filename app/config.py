"""The configuration: the settings, what follows from them, and what applies everywhere."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Mapping, MutableMapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from urllib.parse import urlsplit

from app.addresses import own_addresses
from app.settings import data_folder, in_force, require_open_door

_PRIVATE = 0o700
LIVE = "/livez"
"""The address that says the process answers."""

_NOT_WRITABLE = (
    "DATA={folder} cannot be written to by this user ({why}): make that folder theirs, or name another one in DATA."
)
_NO_KEY = (
    "The key that signs cookies cannot be had from {path} ({why}): let this user read it, or give another one in"
    " SECRET_KEY; with another one every device needs its link again."
)
_USUAL: Mapping[str, object] = {
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SAMESITE": "Lax",
    # send the cookie only when it changes: a late answer would bring back an older one
    "SESSION_REFRESH_EACH_REQUEST": False,
    "MAX_CONTENT_LENGTH": 1024 * 1024,
    # a whole game may come as one field of a form
    "MAX_FORM_MEMORY_SIZE": 1024 * 1024,
    # a form may lie open on the table all evening
    "WTF_CSRF_TIME_LIMIT": None,
    # the token and the cookie say enough: some browsers send no Referer
    "WTF_CSRF_SSL_STRICT": False,
    # seconds between two signs of life; a phone that hears nothing for twice as long opens a new stream
    "LIVE_BEAT": 15.0,
    # seconds for which nothing more of a request may come
    "PATIENCE": 10.0,
    # the limits of `app.views.limits`
    "RATELIMIT_ENABLED": True,
    # returns the time, in UTC
    "CLOCK": lambda: datetime.now(UTC),
}
"""What only tests set otherwise."""


def surroundings() -> dict[str, str]:
    """Return the environment of a child process, wherever that works: the same `DATA`, and caches within it."""
    folder = data_folder()
    return {"XDG_CACHE_HOME": str(folder / "cache"), **os.environ, "DATA": str(folder)}


def settings(overrides: Mapping[str, object]) -> dict[str, object]:
    """Return the configuration of one application; `overrides` wins over the environment and the file.

    `SECRET_KEY` stays empty where none was given: see `set_up`. Raises SystemExit.
    """
    current = in_force(overrides)
    given = {name: each.value for name, each in current.items()}
    url = database_url(given["DATABASE_URL"])
    return {
        **_USUAL,
        # an error tells no value, which may be a code or a name
        "SQLALCHEMY_ENGINE_OPTIONS": {"pool_pre_ping": url.startswith("postgresql"), "hide_parameters": True},
        "TRUSTED_HOSTS": _names(given["BASE_URL"], given["HOSTS"]),
        "SESSION_COOKIE_SECURE": given["BASE_URL"].startswith("https://"),
        **overrides,
        **given,
        "IN_FORCE": current,
        "SQLALCHEMY_DATABASE_URI": url,
    }


def _names(base: str, hosts: tuple[str, ...]) -> list[str] | None:
    """Return the names this server answers to: with a BASE_URL only its own, lest another site points its name here."""
    name = urlsplit(base).hostname
    return [name, *hosts, "localhost", "127.0.0.1", *own_addresses()] if name else None


def set_up(config: MutableMapping[str, Any]) -> None:
    """Make what a server keeps in its folder, its key among it, unless it is there; raises SystemExit."""
    require_open_door()
    folder = data_folder()
    key = folder / "secret_key"
    if config["IN_FORCE"]["DATABASE_URL"].where == "usual" or not (config["SECRET_KEY"] or key.exists()):
        _require_writable(folder)
    config["SECRET_KEY"] = config["SECRET_KEY"] or secret_key(key)
    if config["TZ"] and not os.environ.get("TZ"):
        os.environ["TZ"] = config["TZ"]
        time.tzset()


def _require_writable(folder: Path) -> None:
    """Make a folder for this user only, unless it is there; raises SystemExit if nothing can be written to it."""
    try:
        folder.mkdir(_PRIVATE, parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return
    except OSError as cause:
        raise SystemExit(_NOT_WRITABLE.format(folder=folder, why=cause.strerror)) from cause


def database_url(given: str) -> str:
    """Return the database to open, in the spelling that finds the installed PostgreSQL driver.

    >>> database_url("postgres://ann@cards/kalooki")
    'postgresql+psycopg://ann@cards/kalooki'
    >>> database_url("postgresql://ann@one:5432,two:5433/kalooki?target_session_attrs=read-write")
    'postgresql+psycopg://ann@/kalooki?target_session_attrs=read-write&host=one:5432&host=two:5433'
    >>> database_url("sqlite:////srv/games.db")
    'sqlite:////srv/games.db'
    """
    scheme, separator, rest = given.partition("://")
    if scheme in ("postgres", "postgresql"):
        return f"postgresql+psycopg{separator}{_with_hosts(rest)}"
    return given


def _with_hosts(address: str) -> str:
    """Return an address with several hosts, which SQLAlchemy reads behind the question mark only."""
    place, _, rest = address.partition("/")
    user, at, hosts = place.rpartition("@")
    if "," not in hosts:
        return address
    named = "&".join(f"host={host}" for host in hosts.split(","))
    return f"{user}{at}/{rest}{'&' if '?' in rest else '?'}{named}"


def secret_key(path: Path) -> str:
    """Return the key kept in `path` for this user only, made when first asked for; raises SystemExit."""
    try:
        if not path.exists():
            _make_once(path, secrets.token_hex(32))
        key = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as cause:
        raise SystemExit(_NO_KEY.format(path=path, why=getattr(cause, "strerror", "it is no text"))) from cause
    if not key:
        raise SystemExit(_NO_KEY.format(path=path, why="it is empty"))
    return key


def _make_once(path: Path, text: str) -> None:
    """Write a file whole or not at all; of several processes the first one wins."""
    path.parent.mkdir(_PRIVATE, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text + "\n")
    try:
        with suppress(FileExistsError):  # another process was first: its key is the key
            path.hardlink_to(draft)
    finally:
        draft.unlink()
