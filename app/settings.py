"""The settings of a server: one table says how each is read, told and shown; who says most about one is heard.

That is the program first, then the environment, then `config.toml` in the folder `DATA`, which has the same names.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
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
_HIDDEN = "(hidden)"
_NOT_OWN = (
    "{path} belongs to {owner}, and this user, number {number}, cannot read and write it: let {owner} run this, or give"
    " the file to this user."
)
_SWITCH = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(("0", "false", "no", "off"), False)
_ADDRESS = re.compile(r"https?://[^/?#\s]+(/(?!\.\.?(/|$))[\w.~-]+)*", re.ASCII)
_PASSWORD = re.compile(r"(?<=://)([^/:@]*):.*(?=@)|(?<=password=)[^&]*")


class Unusable(SystemExit):
    """An unusable setting: the process ends with this one sentence, which says what to do."""


class Setting(NamedTuple):
    """A setting: an example of its value, what it does, how it is read, and what it is.

    `read` takes a text, or a value of TOML, and raises ValueError or LookupError. `usual` holds where nobody says
    anything else; `hide` leaves out of its text what nobody else may see.
    """

    example: str
    does: str
    read: Callable[[Any], Any]
    what: str = "text"
    usual: Any = ""
    hide: Callable[[str], str] = str


class InForce(NamedTuple):
    """The value of a setting, and who said it."""

    value: Any
    where: str = "usual"


def without_password(url: str) -> str:
    """The address of a database as anybody may see it.

    >>> without_password("postgresql://ann:hu@sh@db/games?sslpassword=x")
    'postgresql://ann:(hidden)@db/games?sslpassword=(hidden)'
    """
    return _PASSWORD.sub(lambda found: f"{found[1]}:{_HIDDEN}" if found[1] is not None else _HIDDEN, url)


def _number(least: int, most: int) -> Callable[[object], int]:
    def read(given: object) -> int:
        text = str(given)
        if not (text.isascii() and text.isdecimal() and least <= int(text) <= most):
            raise ValueError
        return int(text)

    return read


def _switch(given: object) -> bool:
    return _SWITCH[str(given).lower()]


def _that(is_usable: Callable[[str], bool]) -> Callable[[object], str]:
    """Reads a text that can be used."""

    def read(given: object) -> str:
        if not (isinstance(given, str) and is_usable(given)):
            raise ValueError
        return given

    return read


_text = _that(lambda _text: True)


def _folder(given: object) -> str:
    return str(Path(_text(given)).absolute())


def _names(given: object) -> tuple[str, ...]:
    listed = given.split(",") if isinstance(given, str) else given
    if not isinstance(listed, list | tuple):
        raise ValueError  # noqa: TRY004 - as for any other value
    return tuple(name for each in listed if (name := _text(each).strip().lower()))


def _address(given: object) -> str:
    address = _text(given).rstrip("/")
    if not (_ADDRESS.fullmatch(address) and urlsplit(address).hostname):
        raise ValueError
    return address


_database = _that(lambda url: url.partition("://")[0] in ("sqlite", "postgres", "postgresql", "postgresql+psycopg"))
_AS_PORT = _number(1, LAST_PORT), f"port: a number from 1 to {LAST_PORT}"
_AS_SWITCH = _switch, "switch: write 1 or 0, in the file true or false"
SETTINGS: Mapping[str, Setting] = {
    "DATA": Setting(
        "/srv/kalooki",
        "the folder that everything is written to; by default `instance` beside this file. The environment alone"
        " names it",
        _folder,
        usual=str(ROOT / "instance"),
    ),
    "PORT": Setting(
        "9000",
        "the port; by default 8000, or the next free one if that is busy",
        *_AS_PORT,
        8000,
    ),
    "BASE_URL": Setting(
        "https://cards.example",
        "the address for links and QR codes, if it is not this machine's own; it may have a path, such as"
        " `https://cards.example/kalooki`, which the proxy passes on or leaves out",
        _address,
        "address: it begins with http:// or https://, and its path has no other signs than letters, digits and /._~-",
    ),
    "HOSTS": Setting(
        "games.example,pi.example",
        "other names of this server. With a `BASE_URL`, the server answers only to that name, to these and to its own"
        " addresses; without one, it answers to any name, and links contain no other public names",
        _names,
        'list of names: write games.example,pi.example, or ["games.example", "pi.example"] in the file',
        (),
    ),
    "DATABASE_URL": Setting(
        "sqlite:////srv/games.db",
        "another database, such as `postgresql://user@host/name`; by default `kalooki.db` in `DATA`",
        _database,
        "address of a database: write it like sqlite:////srv/games.db or postgresql://user@host/name",
        hide=without_password,
    ),
    "PROXY_HOPS": Setting(
        "1",
        "the number of proxies each request passes, so that the server can tell phones apart by their own addresses; by"
        " default it trusts no proxy's word about that",
        _number(0, 9),
        "number of proxies: from 0 to 9",
        0,
    ),
    "RATELIMIT_ENABLED": Setting(
        "0",
        "turns off the limits on starts, codes, printing and checks",
        *_AS_SWITCH,
        usual=True,
    ),
    "SECRET_KEY": Setting(
        "…",
        "the key that signs cookies; by default created once in `secret_key` in `DATA`",
        _text,
        hide=lambda _text: _HIDDEN,
    ),
    "TZ": Setting(
        "America/Jamaica",
        "the time zone of tables that give none; by default this machine's own",
        # what the system means by a file (`:/etc/localtime`) is left to the system
        _that(lambda zone: zone.startswith((":", "/")) or zone in available_timezones()),
        "time zone: write one such as America/Jamaica",
    ),
}


def data_folder() -> Path:
    """The one folder that everything is written to: `DATA`, or `instance` beside the code."""
    return Path(os.environ.get("DATA") or SETTINGS["DATA"].usual).absolute()


def in_force(program: Mapping[str, object]) -> dict[str, InForce]:
    """Every setting; an empty one counts as not said. Raises Unusable for what nobody can use, or nobody knows."""
    values = _of_file()
    for named, where in ((os.environ, "the environment"), (program, "the program")):
        values |= {name: _read(name, named[name], where) for name in SETTINGS if named.get(name) not in ("", None)}
    usual = {name: setting.usual for name, setting in SETTINGS.items()}
    usual["DATABASE_URL"] = f"sqlite:///{data_folder() / 'kalooki.db'}"
    return {name: values.get(name, InForce(usual[name])) for name in SETTINGS}


def settings_gone() -> Iterator[str]:
    """Yield a sentence for each setting of an earlier release that is still given."""
    table, _text = _table()
    for name, instead in gone.SETTINGS.items():
        if os.environ.get(name, table.get(name, "")) != "":
            yield f"{name} is gone: {instead}"


def require_open_door() -> None:
    """Raise Unusable where an earlier release would not have let everyone start games: this one would."""
    table, _text = _table()
    if (os.environ.get("STARTS") or table.get("STARTS", "")) not in ("", "everyone"):
        raise Unusable(f"STARTS is gone: {gone.SETTINGS['STARTS']}")


def _of_file() -> dict[str, InForce]:
    """Return what the file says, without settings that are gone; raises Unusable."""
    table, text = _table()
    lines = {name: f"{data_folder() / FILE}, line {_line_of(name, text)}" for name in table}
    return {
        name: _read(name, given, lines[name], place=f"{lines[name]}: ")
        for name, given in table.items()
        if name not in gone.SETTINGS and (given != "" or name not in SETTINGS)
    }


def require_own(path: Path) -> None:
    """Refuse a file of another user that this one cannot read and write; raises Unusable."""
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
    raise Unusable(_NOT_OWN.format(path=path, owner=owner, number=os.geteuid()))


def _table() -> tuple[dict[str, Any], str]:
    """Return the file as a table and as its text; both empty if there is none."""
    path = data_folder() / FILE
    require_own(path)
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8-sig")
        return loads(text), text
    except FileNotFoundError:
        return {}, ""
    except UnicodeDecodeError as cause:
        line = raw[: cause.start].count(b"\n") + 1
        raise Unusable(f"{path}: line {line} is no text: save the file as UTF-8.") from cause
    except (OSError, ValueError, RecursionError) as cause:
        raise Unusable(f"{path}: {getattr(cause, 'strerror', cause)}") from cause


def _line_of(key: str, text: str) -> int:
    r"""Return the line that first gives a key its value; 0 if none does.

    >>> _line_of("PORT", "[a]\n  PORT = 0"), _line_of("HOST", "")
    (2, 0)
    """
    given = re.search(rf"""^[ \t]*(\[+[ \t]*)?["']?{re.escape(key)}["']?[ \t]*[.=\]]""", text, re.MULTILINE)
    return text.count("\n", 0, given.end()) + 1 if given else 0


def _read(name: str, given: object, where: str, place: str = "") -> InForce:
    """One setting; raises Unusable, which begins with the place in the file."""
    if name not in SETTINGS or (place and name == "DATA"):
        raise Unusable(f"{place}{_unknown(name)}")
    setting = SETTINGS[name]
    try:
        return InForce(setting.read(given), where)
    except (ValueError, LookupError) as cause:
        raise Unusable(f"{place}{name}={setting.hide(str(given))} is no {setting.what}") from cause


def _unknown(name: str) -> str:
    if name == "DATA":
        return "DATA names the folder of this file: only the environment can say it."
    meant = get_close_matches(name.upper(), SETTINGS, 1)
    return f"{name} is no setting." + (f" Did you mean {meant[0]}?" if meant else "")


def shown(name: str, value: object) -> str:
    """A setting as a line of `config.toml`, without its secrets; a comment where it is not set."""
    if value is None:
        return f"# {name} ="
    text = SETTINGS[name].hide(value) if value and isinstance(value, str) else value
    return f"{name} = {json.dumps(text, ensure_ascii=False)}"
