"""The settings of a server, from `config.toml` in the folder `DATA` and from the environment, by the same names.

Who says most about one is heard: the program first, then the environment, then the file.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from pwd import getpwuid
from tomllib import loads
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from app import gone
from app.bootstrap import ROOT

FILE = "config.toml"
LAST_PORT = 65_535
MOST_HOPS = 9
_HIDDEN = "(hidden)"
_NOT_OWN = (
    "{path} belongs to {owner}, and this user, number {number}, cannot read and write it: let {owner} run this, or give"
    " the file to this user."
)
_ADDRESS = re.compile(r"https?://[^/?#\s]+(/(?!\.\.?(/|$))[\w.~-]+)*", re.ASCII)
_PASSWORD = re.compile(r"(?<=://)([^/:@]*):.*(?=@)|(?<=password=)[^&]*")
_ENGINES = ("sqlite", "postgres", "postgresql", "postgresql+psycopg")


class InForce(NamedTuple):
    """The value of a setting, and who said it."""

    value: Any
    where: str = "usual"


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise ValueError  # noqa: TRY004 - as for any other value
    return given


def _number(given: object, least: int, most: int) -> int:
    if not (str(given).isdecimal() and least <= int(str(given)) <= most):
        raise ValueError
    return int(str(given))


def _address(given: object) -> str:
    address = _text(given).rstrip("/")
    if not (_ADDRESS.fullmatch(address) and urlsplit(address).hostname):
        raise ValueError
    return address


def _names(given: object) -> tuple[str, ...]:
    listed = given if isinstance(given, list | tuple) else _text(given).split(",")
    return tuple(name for each in listed if (name := _text(each).strip().lower()))


def _database(given: object) -> str:
    if _text(given).partition("://")[0] not in _ENGINES:
        raise ValueError
    return _text(given)


def _zone(given: object) -> str:
    # what the system means by a file (`:/etc/localtime`) is left to the system
    if not (_text(given).startswith((":", "/")) or given in available_timezones()):
        raise ValueError
    return _text(given)


SETTINGS: Mapping[str, tuple[Callable[[object], Any], str]] = {
    "DATA": (lambda given: str(Path(_text(given)).absolute()), "folder"),
    "PORT": (lambda given: _number(given, 1, LAST_PORT), f"port: a number from 1 to {LAST_PORT}"),
    "BASE_URL": (
        _address,
        "address: it begins with http:// or https://, and its path has no other signs than letters, digits and /._~-",
    ),
    "HOSTS": (_names, 'list of names: write games.example,pi.example, or ["games.example", "pi.example"] in the file'),
    "DATABASE_URL": (
        _database,
        "address of a database: write it like sqlite:////srv/games.db or postgresql://user@host/name",
    ),
    "PROXY_HOPS": (lambda given: _number(given, 0, MOST_HOPS), f"number of proxies: from 0 to {MOST_HOPS}"),
    "SECRET_KEY": (_text, "text"),
    "TZ": (_zone, "time zone: write one such as America/Jamaica"),
}
"""How each setting is read, which raises ValueError for what nobody can use, and what it is."""


def data_folder() -> Path:
    """Return the one folder that everything is written to: `DATA`, or `instance` beside the code."""
    return Path(os.environ.get("DATA") or ROOT / "instance").absolute()


def in_force(program: Mapping[str, object]) -> dict[str, InForce]:
    """Return every setting; an empty one counts as not said. Raises SystemExit."""
    usual: dict[str, Any] = {"PORT": 8000, "HOSTS": (), "PROXY_HOPS": 0, "DATA": str(data_folder())}
    usual["DATABASE_URL"] = f"sqlite:///{data_folder() / 'kalooki.db'}"
    found = {name: InForce(usual.get(name, "")) for name in SETTINGS}
    sources: dict[str, Mapping[str, Any]] = {
        str(data_folder() / FILE): _of_file(),
        "the environment": os.environ,
        "the program": program,
    }
    for where, given in sources.items():
        said = {name: given[name] for name in SETTINGS if given.get(name) not in ("", None)}
        found |= {name: InForce(_read(name, value, where), where) for name, value in said.items()}
    return found


def _read(name: str, given: object, where: str) -> Any:
    read, what = SETTINGS[name]
    try:
        return read(given)
    except ValueError as cause:
        raise SystemExit(f"{where}: {name}={without_secrets(name, str(given))} is no {what}") from cause


def settings_gone() -> list[str]:
    """Return a sentence for each setting of an earlier release that is still given."""
    given = _table() | os.environ
    return [f"{name} is gone: {instead}" for name, instead in gone.SETTINGS.items() if given.get(name, "") != ""]


def require_open_door() -> None:
    """Raise SystemExit where an earlier release would not have let everyone start games: this one would."""
    if (os.environ.get("STARTS") or _table().get("STARTS", "")) not in ("", "everyone"):
        raise SystemExit(f"STARTS is gone: {gone.SETTINGS['STARTS']}")


def _of_file() -> dict[str, Any]:
    """Return what the file says, without settings that are gone; raises SystemExit for a name that is no setting."""
    table = {name: given for name, given in _table().items() if name not in gone.SETTINGS}
    for name in table:
        if name == "DATA":
            reason = "DATA names the folder of this file: only the environment can say it."
        elif name not in SETTINGS:
            meant = get_close_matches(name.upper(), SETTINGS, 1)
            reason = f"{name} is no setting." + (f" Did you mean {meant[0]}?" if meant else "")
        else:
            continue
        raise SystemExit(f"{data_folder() / FILE}: {reason}")
    return table


def _table() -> dict[str, Any]:
    """Return the file as a table, empty if there is none; raises SystemExit."""
    path = data_folder() / FILE
    require_own(path)
    try:
        return loads(path.read_text("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as cause:
        raise SystemExit(f"{path} is no text: save the file as UTF-8.") from cause
    except (OSError, ValueError, RecursionError) as cause:
        raise SystemExit(f"{path}: {getattr(cause, 'strerror', cause)}") from cause


def require_own(path: Path) -> None:
    """Refuse a file of another user that this one cannot read and write; raises SystemExit."""
    mode, effective = os.R_OK | os.W_OK, os.access in os.supports_effective_ids
    if not os.path.exists(path) or os.access(path, mode, effective_ids=effective):  # noqa: PTH110 - Path's may raise
        return
    number = path.stat().st_uid
    if number == os.geteuid():  # a disk that nobody can write says so itself
        return
    try:
        owner = getpwuid(number).pw_name
    except KeyError:
        owner = f"user {number}"
    raise SystemExit(_NOT_OWN.format(path=path, owner=owner, number=os.geteuid()))


def without_secrets(name: str, value: Any) -> Any:
    """Return the value of a setting as anybody may see it.

    >>> without_secrets("DATABASE_URL", "postgresql://ann:hu@sh@db/games?sslpassword=x")
    'postgresql://ann:(hidden)@db/games?sslpassword=(hidden)'
    """
    if name == "SECRET_KEY":
        return value and _HIDDEN
    if name == "DATABASE_URL":
        return _PASSWORD.sub(lambda found: f"{found[1]}:{_HIDDEN}" if found[1] is not None else _HIDDEN, value)
    return value


def write_line(name: str, value: Any) -> str:
    """Return a setting as a line of `config.toml`, without its secrets."""
    return f"{name} = {json.dumps(without_secrets(name, value), ensure_ascii=False)}"
