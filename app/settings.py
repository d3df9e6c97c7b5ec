"""The settings of a server, read from the environment and from `config.toml` in its folder.

Values given by the program override the environment, which overrides the file.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import time
from collections.abc import Callable, Mapping, MutableMapping
from contextlib import suppress
from datetime import UTC, datetime
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from pwd import getpwuid
from tempfile import TemporaryFile
from tomllib import loads
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from zoneinfo import available_timezones

ROOT = Path(__file__).resolve().parent.parent
VERSION: str = loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
"""The version of this release, which is stated only in `pyproject.toml`."""
FILE = "config.toml"
LAST_PORT = 65_535
MOST_HOPS = 9
_HIDDEN = "(hidden)"
_NOT_OWN = (
    "{path} belongs to {owner}, and this user, number {number}, cannot read and write it: let {owner} run this, or give"
    " the file to this user."
)
_ADDRESS = re.compile(r"https?://[^/?#@\s]+(/(?!\.\.?(/|$))[\w.~-]+)*", re.ASCII)
_PASSWORD = re.compile(r"(?<=://)([^/:@]*):.*(?=@)|(?<=password=)[^&]*")
_ENGINES = ("sqlite", "postgres", "postgresql", "postgresql+psycopg")

_PRIVATE = 0o700
_NOT_WRITABLE = (
    "DATA={folder} cannot be written to by this user ({why}): make that folder theirs, or name another one in DATA."
)
_NO_TEMPORARY_FILES = (
    "Temporary files cannot be written to {folder} ({why}): sheets may not be printed. Make that folder this user’s."
)
_NO_KEY = (
    "The key that signs cookies cannot be read from {path} ({why}): let this user read it, or give another one in"
    " SECRET_KEY; with another one every device needs its link again."
)
KEY_IS_NEW = (
    "%s is missing, although there are games: a new key is made, and every device needs its link again (python3 -m app"
    " link CODE). If you still have the old file, stop the server and put it back"
)
"""Takes the path of the key."""
_DEFAULTS: Mapping[str, object] = {
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SAMESITE": "Lax",
    # send the cookie only when it changes: otherwise a late response would bring back an older one
    "SESSION_REFRESH_EACH_REQUEST": False,
    "MAX_CONTENT_LENGTH": 1024 * 1024,
    # a whole game may come as one field of a form
    "MAX_FORM_MEMORY_SIZE": 1024 * 1024,
    # a form may stay open all evening
    "WTF_CSRF_TIME_LIMIT": None,
    # the token and the cookie are enough, and some browsers send no Referer
    "WTF_CSRF_SSL_STRICT": False,
    # seconds between heartbeats; a phone that hears nothing for twice as long opens a new stream
    "LIVE_BEAT": 15.0,
    # seconds to wait for the next part of a request
    "PATIENCE": 10.0,
    # the limits of `app.views.limits`
    "RATELIMIT_ENABLED": True,
    # returns the time, in UTC
    "CLOCK": lambda: datetime.now(UTC),
}
"""Configuration that only tests override."""


class Setting(NamedTuple):
    """The value of a setting, and where it comes from."""

    value: Any
    where: str = "default"


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError  # noqa: TRY004 - as for any other value
    return value


def _number(value: object, least: int, most: int) -> int:
    if not (str(value).isdecimal() and least <= int(str(value)) <= most):
        raise ValueError
    return int(str(value))


def _address(value: object) -> str:
    address = _text(value).rstrip("/")
    if not (_ADDRESS.fullmatch(address) and urlsplit(address).hostname):
        raise ValueError
    _ = urlsplit(address).port  # raises ValueError for a number that no port has
    return address


def _names(value: object) -> tuple[str, ...]:
    listed = value if isinstance(value, list | tuple) else _text(value).split(",")
    return tuple(name for each in listed if (name := _text(each).strip().lower()))


def _database(value: object) -> str:
    if _text(value).partition("://")[0] not in _ENGINES:
        raise ValueError
    return _text(value)


def _zone(value: object) -> str:
    # a file such as `:/etc/localtime` is left for the system to read
    if not (_text(value).startswith((":", "/")) or value in available_timezones()):
        raise ValueError
    return _text(value)


SETTINGS: Mapping[str, tuple[Callable[[object], Any], str]] = {
    "DATA": (lambda value: str(Path(_text(value)).absolute()), "folder"),
    "PORT": (lambda value: _number(value, 1, LAST_PORT), f"port: a number from 1 to {LAST_PORT}"),
    "LISTEN": (lambda value: str(ip_address(_text(value))), "address of this machine: write one such as 127.0.0.1"),
    "BASE_URL": (
        _address,
        (
            "address: it begins with http:// or https://, has no password, and its path contains only letters, digits"
            " and /._~-"
        ),
    ),
    "HOSTS": (_names, 'list of names: write games.example,pi.example, or ["games.example", "pi.example"] in the file'),
    "DATABASE_URL": (
        _database,
        "address of a database: write it like sqlite:////srv/games.db or postgresql://user@host/name",
    ),
    "PROXY_HOPS": (lambda value: _number(value, 0, MOST_HOPS), f"number of proxies: from 0 to {MOST_HOPS}"),
    "SECRET_KEY": (_text, "text"),
    "TZ": (_zone, "time zone: write one such as America/Jamaica"),
}
"""For each setting, how to read it (raises ValueError for an invalid value) and what it is, for the error message."""


def data_folder() -> Path:
    """Return the only folder that the server writes to: `DATA`, or `instance` next to the code."""
    return Path(os.environ.get("DATA") or ROOT / "instance").absolute()


def effective_settings(program: Mapping[str, object]) -> dict[str, Setting]:
    """Return every setting by name; an empty value counts as not given. Raises SystemExit."""
    defaults: dict[str, Any] = {"PORT": 8000, "HOSTS": (), "PROXY_HOPS": 0, "DATA": str(data_folder())}
    defaults["DATABASE_URL"] = f"sqlite:///{data_folder() / 'kalooki.db'}"
    settings = {name: Setting(defaults.get(name, "")) for name in SETTINGS}
    sources: dict[str, Mapping[str, Any]] = {
        str(data_folder() / FILE): _read_file(),
        "the environment": os.environ,
        "the program": program,
    }
    for where, source in sources.items():
        for name in (each for each in SETTINGS if source.get(each) not in ("", None)):
            read, what = SETTINGS[name]
            try:
                settings[name] = Setting(read(source[name]), where)
            except ValueError as cause:
                written = without_secrets(name, str(source[name]))
                raise SystemExit(f"{where}: {name}={written} is not a valid {what}") from cause
    return settings


def _read_file() -> dict[str, Any]:
    """Return the settings in the file; raises SystemExit for a name that is not a setting."""
    table = _parse_file()
    for name in table:
        if name == "DATA":
            reason = "DATA names the folder of this file: only the environment can say it."
        elif name not in SETTINGS:
            nearest = get_close_matches(name.upper(), SETTINGS, 1)
            reason = f"{name} is not a setting." + (f" Did you mean {nearest[0]}?" if nearest else "")
        else:
            continue
        raise SystemExit(f"{data_folder() / FILE}: {reason}")
    return table


def _parse_file() -> dict[str, Any]:
    """Return the file as parsed TOML, empty if there is no file; raises SystemExit."""
    path = data_folder() / FILE
    require_own(path)
    try:
        return loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as cause:
        raise SystemExit(f"{path} is not text: save the file as UTF-8.") from cause
    except (OSError, ValueError, RecursionError) as cause:
        raise SystemExit(f"{path}: {getattr(cause, 'strerror', cause)}") from cause


def require_own(path: Path) -> None:
    """Raise SystemExit for a file of another user that this one cannot read and write."""
    mode, effective = os.R_OK | os.W_OK, os.access in os.supports_effective_ids
    if not os.path.exists(path) or os.access(path, mode, effective_ids=effective):  # noqa: PTH110 - Path's may raise
        return
    number = path.stat().st_uid
    if number == os.geteuid():  # a read-only disk is reported by the first write
        return
    try:
        owner = getpwuid(number).pw_name
    except KeyError:
        owner = f"user {number}"
    raise SystemExit(_NOT_OWN.format(path=path, owner=owner, number=os.geteuid()))


def without_secrets(name: str, value: Any) -> Any:
    """Return the value of a setting with passwords and keys hidden.

    >>> without_secrets("DATABASE_URL", "postgresql://ann:hu@sh@db/games?sslpassword=x")
    'postgresql://ann:(hidden)@db/games?sslpassword=(hidden)'
    """
    if name == "SECRET_KEY":
        return value and _HIDDEN
    if name in ("DATABASE_URL", "BASE_URL"):
        return _PASSWORD.sub(lambda match: f"{match[1]}:{_HIDDEN}" if match[1] is not None else _HIDDEN, value)
    return value


def write_line(name: str, value: Any) -> str:
    """Return a setting as a line of `config.toml`, with secrets hidden."""
    return f"{name} = {json.dumps(without_secrets(name, value), ensure_ascii=False)}"


def child_environment() -> dict[str, str]:
    """Return the environment for a child process: the same `DATA` from any folder, with caches and temporary files."""
    folder = data_folder()
    own = {"DATA": str(folder), "TMPDIR": str(temporary_folder())}
    return {"XDG_CACHE_HOME": str(folder / "cache"), **os.environ, **own}


def temporary_folder() -> Path:
    """Return the folder for temporary files, which only the renderer and SQLite write."""
    return data_folder() / "tmp"


def make_temporary_folder() -> str:
    """Create the folder for temporary files, unless it exists; return why they cannot be written, empty if they can."""
    why = _make_folder(temporary_folder())
    return why and _NO_TEMPORARY_FILES.format(folder=temporary_folder(), why=why)


def _make_folder(folder: Path) -> str:
    """Create a folder for this user only, unless it exists; return why it cannot be written to, empty if it can."""
    try:
        folder.mkdir(_PRIVATE, parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            return ""
    except OSError as cause:
        return cause.strerror or str(cause)


def configuration(overrides: Mapping[str, object]) -> dict[str, object]:
    """Return the configuration of an application; `overrides` take precedence over the environment and the file.

    `SECRET_KEY` is empty if none was given: see `set_up_key`. Raises SystemExit.
    """
    current = effective_settings(overrides)
    values = {name: each.value for name, each in current.items()}
    url = database_url(values["DATABASE_URL"])
    return {
        **_DEFAULTS,
        # keep values out of error messages: they may be codes or names
        "SQLALCHEMY_ENGINE_OPTIONS": {"pool_pre_ping": url.startswith("postgresql"), "hide_parameters": True},
        "SESSION_COOKIE_SECURE": values["BASE_URL"].startswith("https://"),
        **overrides,
        **values,
        "IN_FORCE": current,
        "SQLALCHEMY_DATABASE_URI": url,
    }


def set_up(config: MutableMapping[str, Any]) -> None:
    """Create the server's folder unless it exists, and apply its time zone; raises SystemExit."""
    is_used = config["IN_FORCE"]["DATABASE_URL"].where == "default" or is_key_missing(config)
    if is_used and (why := _make_folder(data_folder())):
        raise SystemExit(_NOT_WRITABLE.format(folder=data_folder(), why=why))
    os.environ.setdefault("SQLITE_TMPDIR", str(temporary_folder()))
    if config["TZ"] and not os.environ.get("TZ"):
        os.environ["TZ"] = config["TZ"]
        time.tzset()


def is_key_missing(config: Mapping[str, Any]) -> bool:
    """Return whether no key was given or created before, so that `set_up_key` creates one."""
    return not (config["SECRET_KEY"] or _key_file().exists())


def set_up_key(config: MutableMapping[str, Any]) -> None:
    """Read the server's key from its file, which is created if necessary, unless one was given; raises SystemExit."""
    config["SECRET_KEY"] = config["SECRET_KEY"] or secret_key(_key_file())


def _key_file() -> Path:
    return data_folder() / "secret_key"


def database_url(address: str) -> str:
    """Return the address of a database in the spelling that selects the installed PostgreSQL driver.

    >>> database_url("postgres://ann@cards/kalooki")
    'postgresql+psycopg://ann@cards/kalooki'
    >>> database_url("postgresql://ann@one:5432,two:5433/kalooki?target_session_attrs=read-write")
    'postgresql+psycopg://ann@/kalooki?target_session_attrs=read-write&host=one:5432&host=two:5433'
    >>> database_url("sqlite:////srv/games.db")
    'sqlite:////srv/games.db'
    """
    scheme, separator, rest = address.partition("://")
    if scheme in ("postgres", "postgresql"):
        return f"postgresql+psycopg{separator}{_with_hosts(rest)}"
    return address


def _with_hosts(address: str) -> str:
    """Return an address with several hosts moved behind the question mark, where SQLAlchemy reads them."""
    place, _, rest = address.partition("/")
    user, at, hosts = place.rpartition("@")
    if "," not in hosts:
        return address
    named = "&".join(f"host={host}" for host in hosts.split(","))
    return f"{user}{at}/{rest}{'&' if '?' in rest else '?'}{named}"


def secret_key(path: Path) -> str:
    """Return the key in the file `path`, which is created for this user only if missing; raises SystemExit."""
    try:
        if not path.exists():
            _create_file(path, secrets.token_hex(32))
        key = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as cause:
        raise SystemExit(_NO_KEY.format(path=path, why=getattr(cause, "strerror", "it is not text"))) from cause
    if not key:
        raise SystemExit(_NO_KEY.format(path=path, why="it is empty"))
    return key


def _create_file(path: Path, text: str) -> None:
    """Write a file completely or not at all; if several processes do, the first one wins."""
    path.parent.mkdir(_PRIVATE, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(text + "\n")
    try:
        with suppress(FileExistsError):  # another process was first: use its key
            path.hardlink_to(draft)
    finally:
        draft.unlink()
