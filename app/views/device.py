"""What a device stores in its signed cookie: its games, its rights, and its last setup."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, NamedTuple
from zlib import compress

from flask import current_app, request, session
from flask_wtf.csrf import generate_csrf

from app.games.recording import Beginning
from app.kalooki.variants import ids
from app.views.responses import is_unasked

MOST_GAMES = 20
"""Above this number, the game opened longest ago is forgotten, if this device only watches it."""
MOST_RIGHTS = 60
"""The most games in which a device may have a right: a cookie has at most 4096 bytes."""

_MOST_DECIDED = 4
"""The most copies for which it is stored whether to follow them; the device is asked again about older ones."""
_LONGEST_SETUP = 1_150
"""Compressed bytes; browsers drop a cookie of more than 4096 bytes, and with it every right of the device."""
_GAMES, _SETUP, _TRIED, _LEFT, _MOVED, _COPIES = "games", "setup", "tried", "left", "moved", "copies"
_IGNORED = "ignored"
_KINDS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android phone"),
    ("Mobile", "phone"),
    ("Windows", "Windows computer"),
    ("Macintosh", "Mac"),
    ("CrOS", "Chromebook"),
    ("Linux", "Linux computer"),
)
"""Kinds of devices: what browsers call them, and what the history calls them."""


class KnownGame(NamedTuple):
    """A game opened on this device, the secret of the device's right in it, if any, and whether it started here."""

    code: str
    secret: str = ""
    started: bool = False


def games() -> list[str]:
    """Return the codes of the games opened on this device, the one opened last first."""
    return [game.code for game in _games()]


def remember(code: str, secret: str = "", *, started: bool = False) -> None:
    """Note that a game was opened here, with the secret of the device's right, if it has one.

    That the game `started` here stays known, whatever right the device has later.
    """
    game = _find(code)
    others = [other for other in _games() if other.code != code]
    _keep([KnownGame(code, secret or game.secret, started or game.started), *others])
    session.permanent = True


def _keep(games: list[KnownGame]) -> None:
    """Store every game with a right, and as many others as fit, always including the one opened last."""
    watched = [each.code for each in games if not each.secret]
    capacity = max(MOST_GAMES - (len(games) - len(watched)), 1)
    fitting = [each for each in games if each.secret or each.code in watched[:capacity]]
    session[_GAMES] = [[*each] if each.started else [each.code, each.secret] for each in fitting]


def has_room(code: str) -> bool:
    """Return whether this device can store a right in that game: it has one there, or not too many elsewhere."""
    return bool(secret_of(code)) or len(rights()) < MOST_RIGHTS


def rights() -> dict[str, str]:
    """Return the secret for each game this device has a right in."""
    return {game.code: game.secret for game in _games() if game.secret}


def drop_secret(code: str) -> None:
    """Drop the secret for a game, but keep the game."""
    _keep([game._replace(secret="") if game.code == code else game for game in _games()])


def rename(code: str, fresh: str) -> None:
    """Store a game under its new code."""
    if sample_game() == code:
        open_sample(fresh)
    move_kept(code, fresh)
    _keep([game._replace(code=fresh) if game.code == code else game for game in _games() if game.code != fresh])


def move_kept(code: str, fresh: str) -> None:
    """Have the phone move what it stores of a game to the new code, as soon as it shows the game's page."""
    session[_MOVED] = [code, fresh]


def has_moved(code: str) -> bool:
    """Return whether this game had another code on this device, and its page has not been shown since."""
    return bool(session.get(_MOVED, ["", ""])[1] == code)


def pop_moved(code: str) -> str:
    """Return, once, the game's earlier code, from which its page moves what the phone stores; empty afterwards."""
    return str(session.pop(_MOVED)[0]) if has_moved(code) else ""


def follow_copy(copy: str, *, follows: bool) -> None:
    """Store whether this device follows or ignores a copy."""
    others = [each for each in decided_copies() if each[0] != copy]
    session[_COPIES] = [[copy, follows], *others][:_MOST_DECIDED]


def ignore_until(code: str, moment: str) -> None:
    """Store that this device ignores all copies of a game made until then."""
    others = [each for each in session.get(_IGNORED, []) if each[0] != code]
    session[_IGNORED] = [[code, moment], *others][:_MOST_DECIDED]


def ignored_until(code: str) -> str:
    """Return until when copies of a game are ignored on this device; empty if none are."""
    return str(dict(session.get(_IGNORED, [])).get(code, ""))


def decided_copies() -> list[list[Any]]:
    """Return the copies that this device follows or ignores, the last decided first, each with whether it follows."""
    return list(session.get(_COPIES, []))


def follows_copy(copy: str) -> bool | None:
    """Return whether this device follows that copy; None if nobody has decided."""
    return next((bool(follows) for code, follows in decided_copies() if code == copy), None)


def forget(code: str) -> None:
    """Remove a game from this device's list; the game itself stays."""
    _keep([game for game in _games() if game.code != code])


def form_token() -> str:
    """Return the CSRF token for a form; empty on a page that nobody asked for if this device has none yet.

    Such a form takes a token when it is sent.
    """
    has_token = current_app.config["WTF_CSRF_FIELD_NAME"] in session
    return generate_csrf() if has_token or not is_unasked() else ""


def own_submission(name: str) -> str:
    """Return a submission that no other device can send, because it depends on this device's CSRF token.

    `name` is the page's own submission; a stranger who learns it starts another game with it, not this one again.
    """
    generate_csrf()
    token = session[current_app.config["WTF_CSRF_FIELD_NAME"]]
    return "page-" + sha256(f"{token} {name}".encode()).hexdigest()


def remember_beginning(beginning: Beginning) -> str:
    """Return the code of the game started now, or before by the same page if this device still has it; else empty.

    Going back and pressing the same button leads to it, with whatever right the device has by then.
    """
    if beginning.secret:
        remember(beginning.code, beginning.secret, started=True)
    return beginning.code if beginning.code in games() else ""


def secret_of(code: str) -> str:
    """Return the secret this device has for a game; empty if it may only watch."""
    return _find(code).secret


def has_started(code: str) -> bool:
    """Return whether that game was started or imported on this device."""
    return _find(code).started


def _find(code: str) -> KnownGame:
    return next((game for game in _games() if game.code == code), KnownGame(code))


def _games() -> list[KnownGame]:
    """Return the games, stored as a list because a cookie does not keep the order of keys."""
    return [KnownGame(*game) for game in session.get(_GAMES, [])]


def sample_game() -> str:
    """Return the code of the sample game open on this device; empty if there is none."""
    return str(session.get(_TRIED, ""))


def open_sample(code: str) -> None:
    """Store which sample game is open here."""
    session[_TRIED] = code


def leave_sample() -> str:
    """Store that the sample game was left, and return its code; empty if none was open here."""
    code: str = session.pop(_TRIED, "")
    if code:
        session[_LEFT] = code
    return code


def has_left(code: str) -> bool:
    """Return whether that was the last sample game that this device left."""
    return bool(code) and session.get(_LEFT) == code


def last_setup() -> dict[str, Any] | None:
    """Return the setup of the last game started here, as a `start` event; None without one, or without its variant."""
    setup = session.get(_SETUP)
    return setup if isinstance(setup, dict) and setup.get("variant") in ids() else None


def last_currency() -> str:
    """Return the currency of the last game started here, if it was for money; else empty."""
    stakes = (last_setup() or {}).get("stakes") or {}
    return str(stakes.get("currency", ""))


def region() -> str:
    """Return the territory of this device's language, such as GB in “en-GB” or “en, en-GB”; empty if it has none."""
    languages = [each.split("-") for each in request.accept_languages.values()]
    parts = (part for each in languages if each[0] == languages[0][0] for part in each[1:])
    return next((part for part in parts if len(part) == 2 and part.isascii() and part.isalpha()), "").upper()


def keep_setup(start: dict[str, Any]) -> None:
    """Store a game's setup for the next game; store none if it is too large for a cookie."""
    setup = {key: value for key, value in start.items() if key not in ("rules", "book", "zone", "note", "faces")}
    session.pop(_SETUP, None)
    if len(compress(json.dumps(setup).encode())) <= _LONGEST_SETUP:
        session[_SETUP] = setup


def name() -> str:
    """Return the kind of this device, as the history calls it."""
    user_agent = request.user_agent.string
    if request.headers.get("Sec-CH-UA-Mobile") == "?1":  # a phone that requests desktop pages
        user_agent += " Mobile"
    return next((make for sign, make in _KINDS if sign in user_agent), "another device")
