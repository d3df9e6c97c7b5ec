"""Settings: what the environment may say, and what applies everywhere."""

from __future__ import annotations

import os
import secrets
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

from app.bootstrap import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping

_READ = ("HOSTS", "KEEP_DAYS", "PRESS_WAITS", "PROXY_HOPS", "RATELIMIT_ENABLED", "WORKERS")
_FROM_ENVIRONMENT = ("DATABASE_URL", "SECRET_KEY", "BASE_URL", *_READ)
_OFF = ("0", "false", "no", "off")
MOST_KEEP_DAYS = 36_500
_PRIVATE = 0o700
_NUMBERS = {
    "KEEP_DAYS": (1, MOST_KEEP_DAYS, "days: from {least} to {most}, or nothing to keep games for good"),
    "PROXY_HOPS": (0, 9, "proxies: from {least} to {most}"),
    "WORKERS": (1, 16, "processes: from {least} to {most}"),
}
"""The least and the most that a setting may say, and what of."""
LIVE_STREAMS = 1_000
"""Phones that may keep a stream open to one process; further ones ask every few seconds instead."""
KEEP_OPEN = "kalooki.keep_open"
"""The key in a request's WSGI environment under which `app.serving.asgi` offers to keep an answer open."""
PLACE = "kalooki.place"
"""The key of a request's place among those that are computed."""

_NOT_WRITABLE = (
    "DATA={folder} cannot be written to by this user ({why}): make that folder theirs, or name another one in DATA."
)
_NO_KEY = (
    "The key that signs cookies cannot be had from {path} ({why}): let this user read it, or give another one in"
    " SECRET_KEY; with another one every device needs its link again."
)


class Unusable(SystemExit):
    """An unusable setting: the process ends with this one sentence, which says what to do."""


_USUAL: Mapping[str, object] = {
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SAMESITE": "Lax",
    # send the cookie only when it changes: a late answer would bring back an older one
    "SESSION_REFRESH_EACH_REQUEST": False,
    "MAX_CONTENT_LENGTH": 1024 * 1024,
    # of all fields of a form: the longest sheet copied in takes a quarter of this
    "MAX_FORM_MEMORY_SIZE": 256 * 1024,
    # a form may lie open on the table all evening
    "WTF_CSRF_TIME_LIMIT": None,
    # the token and the cookie say enough: some browsers send no Referer
    "WTF_CSRF_SSL_STRICT": False,
    "LIVE_STREAMS": LIVE_STREAMS,
    # seconds between two signs of life; a phone that hears nothing for twice as long opens a new stream
    "LIVE_BEAT": 15.0,
    # seconds a new connection may stay silent, and seconds a request may take to arrive
    "PATIENCE": 10.0,
    # seconds without a write after which SQLite's journal goes into the file
    "QUIET": 60.0,
    # seconds the scorer has to refuse before a seated phone may take the pen
    "PEN_SECONDS": 30,
    # seconds after a refusal before the same seat may ask for the pen again
    "PEN_AGAIN_SECONDS": 60,
    # returns the time, in UTC
    "CLOCK": lambda: datetime.now(UTC),
}
"""What only tests set otherwise."""


def data_folder() -> Path:
    """The one folder that everything is written to: `DATA`, or `instance` beside the code."""
    return Path(os.environ.get("DATA") or ROOT / "instance").absolute()


def surroundings() -> dict[str, str]:
    """The environment of a child process, wherever that works: the same `DATA`, and caches within it."""
    folder = data_folder()
    return {"XDG_CACHE_HOME": str(folder / "cache"), **os.environ, "DATA": str(folder)}


def settings(overrides: Mapping[str, object]) -> dict[str, object]:
    """The configuration of one application, made complete.

    `overrides` wins over the environment; a name in the environment that is empty counts as
    unset. `SECRET_KEY` stays empty where none was given: see `set_up`.
    """
    given = {name: value for name in _FROM_ENVIRONMENT if (value := os.environ.get(name))}
    chosen: dict[str, object] = {**given, **overrides}
    base = base_url(str(chosen.get("BASE_URL", "")))
    url = database_url(str(chosen.get("DATABASE_URL", "")))
    return {
        **_USUAL,
        "SQLALCHEMY_ENGINE_OPTIONS": {"pool_pre_ping": url.startswith("postgresql")},
        "SESSION_COOKIE_SECURE": base.startswith("https://"),
        **chosen,
        **_read(chosen),
        "BASE_URL": base,
        "SQLALCHEMY_DATABASE_URI": url,
        "VARIANTS": variants_folder(url),
        "SECRET_KEY": chosen.get("SECRET_KEY", ""),
    }


def set_up(config: MutableMapping[str, Any]) -> None:
    """Make what a server keeps in its folder, its key among it, unless it is there; raises Unusable."""
    folder = data_folder()
    key = folder / "secret_key"
    if not config.get("DATABASE_URL") or not (config["SECRET_KEY"] or key.exists()):
        _require_writable(folder)
    config["SECRET_KEY"] = config["SECRET_KEY"] or secret_key(key)


def _require_writable(folder: Path) -> None:
    """Make a folder for this user only, unless it is there; raises Unusable if nothing can be written to it."""
    try:
        folder.mkdir(_PRIVATE, parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return
    except OSError as cause:
        raise Unusable(_NOT_WRITABLE.format(folder=folder, why=cause.strerror)) from cause


def _read(chosen: Mapping[str, object]) -> dict[str, object]:
    """The settings that the environment gives as text; raises Unusable."""
    told = {name: str(chosen.get(name, "")) for name in _READ}
    return {
        "HOSTS": tuple(name.strip().lower() for name in told["HOSTS"].split(",") if name.strip()),
        "KEEP_DAYS": number("KEEP_DAYS", told["KEEP_DAYS"]),
        "PROXY_HOPS": number("PROXY_HOPS", told["PROXY_HOPS"]),
        "PRESS_WAITS": told["PRESS_WAITS"].lower() not in _OFF,
        "RATELIMIT_ENABLED": told["RATELIMIT_ENABLED"].lower() not in _OFF,
        "WORKERS": number("WORKERS", told["WORKERS"], usual=1),
    }


def base_url(given: str) -> str:
    """The address that links and codes begin with; raises Unusable for one that no phone opens.

    >>> base_url("https://cards.example/")
    'https://cards.example'
    """
    if given and not given.startswith(("http://", "https://")):
        raise Unusable(f"BASE_URL={given} is no address: it begins with http:// or https://")
    return given.rstrip("/")


def number(name: str, given: str, usual: int = 0) -> int:
    """The whole number that a setting names, `usual` if it names none; raises Unusable.

    >>> number("KEEP_DAYS", "365"), number("WORKERS", "", 1)
    (365, 1)
    """
    least, most, of = _NUMBERS[name]
    if not given:
        return usual
    if given.isascii() and given.isdecimal() and least <= int(given) <= most:
        return int(given)
    raise Unusable(f"{name}={given} is no number of {of.format(least=least, most=most)}")


def database_url(given: str) -> str:
    """The database to open, in the spelling that finds the installed PostgreSQL driver.

    >>> database_url("postgres://ann@cards/kalooki")
    'postgresql+psycopg://ann@cards/kalooki'
    >>> database_url("sqlite:////srv/games.db")
    'sqlite:////srv/games.db'
    """
    scheme, separator, rest = given.partition("://")
    if scheme in ("postgres", "postgresql"):
        return f"postgresql+psycopg{separator}{rest}"
    return given or f"sqlite:///{data_folder() / 'kalooki.db'}"


def variants_folder(url: str) -> Path:
    """The folder of this server's own variants: beside the file of the database, if that is one.

    >>> str(variants_folder("sqlite:////srv/games.db"))
    '/srv/variants'
    >>> variants_folder("sqlite:///games.db") == variants_folder("postgresql+psycopg://ann@cards/kalooki")
    True
    """
    scheme, _, path = url.partition(":///")
    file = path if scheme == "sqlite" else ""
    return (data_folder() / (file or "kalooki.db")).parent / "variants"


def secret_key(path: Path) -> str:
    """The key kept in `path` for this user only, made when first asked for; raises Unusable."""
    try:
        if not path.exists():
            _make_once(path, secrets.token_hex(32))
        key = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as cause:
        raise Unusable(_NO_KEY.format(path=path, why=getattr(cause, "strerror", "it is no text"))) from cause
    if not key:
        raise Unusable(_NO_KEY.format(path=path, why="it is empty"))
    return key


def _make_once(path: Path, text: str) -> None:
    """Write a file whole or not at all; of several processes the first one wins."""
    path.parent.mkdir(_PRIVATE, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text + "\n")
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        pass  # another process was first: its key is the key
    finally:
        draft.unlink()
