"""Who may do what: the rights that a device stores in its cookie, and what a request may see and write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, NamedTuple, NoReturn, TypeVar
from zlib import compress

from flask import Blueprint, abort, current_app, flash, g, redirect, request, session, url_for
from flask_wtf.csrf import generate_csrf
from werkzeug.exceptions import HTTPException, NotFound

from app.games import recording
from app.games.clubs import RecordedClub, open_club
from app.games.recording import LONGEST_LOG, DamagedGame, RecordedGame, StartResult, open_game
from app.kalooki.cards import BadInput
from app.kalooki.variants import ids
from app.store import grants
from app.store.clubs import clubs_of, follows_a_club
from app.store.database import is_gone
from app.store.grants import Right
from app.views.links import PREFIX
from app.views.responses import is_unasked

MOST_GAMES = 20
"""Above this number, the game opened longest ago is forgotten, if this device only watches it."""
MOST_RIGHTS = 60
"""The most games in which a device may have a right: a cookie has at most 4096 bytes."""

MOST_KEPT_CLUBS = 6
"""The most clubs that a device keeps; for one more, one that it watches is forgotten, or that opened longest ago."""
_MOST_DECIDED = 4
"""The most copies for which it is stored whether to follow them; the device is asked again about older ones."""
_LONGEST_SETUP = 1_150
"""Compressed bytes; browsers drop a cookie of more than 4096 bytes, and with it every right of the device."""
_GAMES, _SETUP, _TRIED, _LEFT, _MOVED, _COPIES = "games", "setup", "tried", "left", "moved", "copies"
_CLUBS = "clubs"
_IGNORED = "ignored"
_KINDS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android phone"),
    ("Mobile", "phone"),
    ("Windows", "Windows computer"),
    ("Macintosh", "Mac"),
    ("CrOS", "Chromebook"),
    ("Linux", "computer"),
)
"""Kinds of devices: what browsers call them, and what the history calls them."""


T = TypeVar("T")

REFUSALS: Mapping[str, tuple[int, str, str]] = {
    "not-recording": (
        403,
        "This phone does not record in this game",
        "Nothing was saved. Scan the code to join, under Share on a phone that records, and choose your seat.",
    ),
    "only-starter": (
        403,
        "Only the phone that started this game records now",
        "Nothing was saved. Send your own cards with “My cards”. That phone lets others record again, under Share.",
    ),
    "not-starter": (
        403,
        "Only the phone that started this game can do that",
        "Nothing was changed. Do it there.",
    ),
    "not-keeper": (
        403,
        "This device doesn’t run this club",
        "Nothing was saved. Scan the code “Runs the club”, under Share on a device that runs it.",
    ),
    "club-gone": (
        410,
        "This club is not at this address any more",
        "It was deleted. Its games are still there.",
    ),
    "club-reset": (
        410,
        "The club’s link was changed",
        "Ask whoever runs the club for the new one: it’s under Share on their device.",
    ),
    "gone": (
        410,
        "This game is not at this address any more",
        "It was deleted, or its links were reset. Still playing? Scan its new code: under Share, on another phone.",
    ),
    "sample-left": (
        410,
        "The sample is deleted",
        "It lasts until you leave it. You can try it again from the start.",
    ),
    "reset": (
        410,
        "This address was reset",
        "Scan the new code, under Share on the phone that started the game.",
    ),
}
"""Why a request about a game is refused: the status, and the title and text of the page that says so."""


class GameRefused(HTTPException):
    """A game is not at its address any more, or this device may not do that in it; `reason` says which."""

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason
        self.code, self.title, self.text = REFUSALS[reason]


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
    _store_games([KnownGame(code, secret or game.secret, started or game.started), *others])
    session.permanent = True


def _store_games(games: list[KnownGame]) -> None:
    """Store every game with a right, and as many others as fit, always including the one opened last."""
    watched = [each.code for each in games if not each.secret]
    capacity = max(MOST_GAMES - (len(games) - len(watched)), 1)
    fitting = [each for each in games if each.secret or each.code in watched[:capacity]]
    session[_GAMES] = [[*each] if each.started else [each.code, each.secret] for each in fitting]


def clubs() -> dict[str, str]:
    """Return the clubs opened on this device, the last first, each with the secret by which it keeps it, or none."""
    return dict(session.get(_CLUBS, []))


def remember_club(code: str, secret: str = "") -> None:
    """Note that a club was opened here, with the secret of a keeper's right."""
    own = secret or clubs().get(code, "")
    secrets = {code: own} | {other: each for other, each in clubs().items() if other != code}
    while len(secrets) > MOST_KEPT_CLUBS:
        watched = [each for each in secrets if not secrets[each] and each != code]
        del secrets[(watched or [*secrets])[-1]]
    session[_CLUBS] = [[*each] for each in secrets.items()]
    session.permanent = True


def rename_club(code: str, fresh: str) -> None:
    """Store a club under its new code."""
    session[_CLUBS] = [[fresh if other == code else other, secret] for other, secret in clubs().items()]


def forget_club(code: str) -> None:
    """Remove a club from this device; the club itself stays."""
    session[_CLUBS] = [[other, secret] for other, secret in clubs().items() if other != code]


def has_room(code: str) -> bool:
    """Return whether this device can store a right in that game: it has one there, or not too many elsewhere."""
    return bool(secret_of(code)) or len(rights()) < MOST_RIGHTS


def rights() -> dict[str, str]:
    """Return the secret for each game this device has a right in."""
    return {game.code: game.secret for game in _games() if game.secret}


def drop_secret(code: str) -> None:
    """Drop the secret for a game, but keep the game."""
    _store_games([game._replace(secret="") if game.code == code else game for game in _games()])


def rename(code: str, fresh: str) -> None:
    """Store a game under its new code."""
    if sample_game() == code:
        open_sample(fresh)
    move_stored(code, fresh)
    _store_games([game._replace(code=fresh) if game.code == code else game for game in _games() if game.code != fresh])


def move_stored(code: str, fresh: str) -> None:
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


def forget(code: str) -> None:
    """Remove a game from this device's list; the game itself stays."""
    _store_games([game for game in _games() if game.code != code])


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


def remember_start(result: StartResult) -> str:
    """Return the code of the game started now, or before by the same page if this device still has it; else empty.

    Going back and pressing the same button leads to it, with whatever right the device has by then.
    """
    if result.secret:
        remember(result.code, result.secret, started=True)
    return result.code if result.code in games() else ""


def secret_of(code: str) -> str:
    """Return the secret this device has for a game or a club; empty if it may only watch."""
    return next((str(game[1]) for game in session.get(_GAMES, []) if game[0] == code), "") or clubs().get(code, "")


def has_started(code: str) -> bool:
    """Return whether that game was started or imported on this device."""
    return _find(code).started


def _find(code: str) -> KnownGame:
    return next((game for game in _games() if game.code == code), KnownGame(code))


def _games() -> list[KnownGame]:
    """Return the games, stored as a list because a cookie does not keep the order of keys."""
    return [KnownGame(*game) for game in session.get(_GAMES, [])]


def sample_game() -> str:
    """Return the code of the sample game or sample club open on this device; empty if there is none."""
    return str(session.get(_TRIED, ""))


def open_sample(code: str) -> None:
    """Store which sample game or sample club is open here."""
    session[_TRIED] = code


def leave_sample() -> str:
    """Store that the sample was left, and return its code; empty if none was open here."""
    code: str = session.pop(_TRIED, "")
    if code:
        session[_LEFT] = code
    return code


def has_left(code: str) -> bool:
    """Return whether that was the last sample that this device left."""
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


def store_setup(start: dict[str, Any]) -> None:
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


LONGEST_TOGETHER = 2 * LONGEST_LOG
"""The largest sum of the logs of several games on one page; a whole year of evenings is more."""
_RANKS = {"scorer": 2, "recovery": 2, "player": 1}


def get_game(code: str) -> RecordedGame:
    """Return the game, which anybody with its code may see; abort with 404, or 410 if it is gone."""
    record = open_game(code)
    if record is None:
        _redirect_to_new_address(code)
        abort_missing(code)
    return record


def get_club(code: str) -> RecordedClub:
    """Return the club, which anybody with its code may see; abort with 404, or 410 if it is gone."""
    record = open_club(code)
    if record is None:
        raise GameRefused("club-reset" if has_new_link(code) else "club-gone") if is_gone(code) else NotFound()
    return record


def has_new_link(club: str) -> bool:
    """Return whether that was the code of a club whose links were reset."""
    return is_gone(club, by_reset=True)


def get_club_to_keep(code: str) -> RecordedClub:
    """Return the club if this device runs it; abort with 404, 410 or 403 otherwise."""
    record = get_club(code)
    if not may_write(code):
        raise GameRefused("not-keeper")
    return record


def get_clubs_here() -> list[RecordedClub]:
    """Return the clubs opened on this device that still exist and can be read, the one opened last first."""
    if "clubs" not in g:  # several parts of a page ask
        g.clubs = [record for code in clubs() if (record := _unless_damaged(open_club, code))]
    here: list[RecordedClub] = g.clubs
    return here


def without_dropped(records: Sequence[RecordedGame]) -> list[RecordedGame]:
    """Return games without those in play that were dropped from a club of this device and have not gone on since."""
    dropped = {code: at for club in get_clubs_here() for code, at in club.dropped.items()}
    return [each for each in records if each.game.finish or dropped.get(each.code, "") < each.log.entries[-1].at]


def _unless_damaged(load: Callable[[str], T | None], code: str) -> T | None:
    """Return the game or club with that code; None if it is gone, or damaged, which only its own pages say."""
    with suppress(DamagedGame):
        return load(code)
    return None


class GameInClubs(NamedTuple):
    """The clubs that a device runs: those in which a game counts, and the others.

    It only watches those `watched` in which the game counts; `is_counted` says whether it counts in any club at all,
    `follows_one` whether it is a rematch of a game that does.
    """

    own: list[RecordedClub]
    others: list[RecordedClub]
    watched: list[RecordedClub]
    is_counted: bool
    follows_one: bool


def find_clubs(code: str) -> GameInClubs:
    """Return in which clubs the game with that code counts, as far as this device may know."""
    secrets, counting = clubs(), clubs_of(code)
    here = [each for each in get_clubs_here() if each.code in counting]
    others = [each for each in get_clubs_here() if each.code not in counting and secrets[each.code]]
    own, watched = ([each for each in here if bool(secrets[each.code]) is runs] for runs in (True, False))
    return GameInClubs(own, others, watched, bool(counting), not (counting or others) and follows_a_club(code))


def missing(code: str) -> HTTPException:
    """Return the error for a code that leads to no game: 410 if it once did, else 404."""
    if not is_gone(code):
        return NotFound()
    return GameRefused("sample-left" if has_left(code) else "reset" if is_gone(code, by_reset=True) else "gone")


def abort_missing(code: str) -> NoReturn:
    """Raise that error."""
    raise missing(code)


def refusal(code: str) -> HTTPException:
    """Return why this device may not record in that game."""
    return GameRefused("only-starter" if get_seat(code) else "not-recording")


def read_codes() -> list[str]:
    """Return the codes of the games in the address, each once; raises BadInput for none and for too many."""
    codes = list(dict.fromkeys(request.args.getlist("game")))
    if 0 < len(codes) <= MOST_RIGHTS:
        return codes
    raise BadInput("{field}: choose 1 to {most} games, not {word}.", "game", len(codes), most=MOST_RIGHTS)


def get_games(codes: Sequence[str]) -> list[RecordedGame]:
    """Return several games for one page, each once: without any that another of them continues or repeats.

    Aborts with 404 or 410 as `get_game` does, and raises BadInput if their logs are too long together.
    """
    records = list(_up_to_the_longest(get_game(code) for code in codes))
    if len(records) < len(codes):
        raise BadInput("{field}: these games are too long to be put together. Choose fewer of them.", "game")
    return recording.without_copies(recording.without_continued(records, follows))


def follows(copy: str) -> bool | None:
    """Return whether a copy counts as the game's continuation on this device; None if nobody has said.

    It does if the device may do more than watch the copy or has followed it there, and not if it ignores the copy.
    """
    decided = (bool(follows) for code, follows in decided_copies() if code == copy)
    return True if has_right(copy) else next(decided, None)


def get_games_here(most: int | None = MOST_GAMES) -> list[RecordedGame]:
    """Return the games last opened on this device that still exist, newest first; all of them if `most` is None.

    Leaves out games whose logs would be too long for one page together with the newer ones.
    """
    opened: dict[tuple[str, ...], list[RecordedGame]] = g.setdefault("games", {})  # several parts of a page ask
    codes = tuple(games()[:most])
    if codes not in opened:
        opened[codes] = list(
            _up_to_the_longest(record for code in codes if (record := _unless_damaged(open_game, code)))
        )
    return opened[codes]


def _up_to_the_longest(records: Iterator[RecordedGame]) -> Iterator[RecordedGame]:
    """Yield games until their logs are too long for one page."""
    together = 0
    for record in records:
        together += record.log.size
        if together > LONGEST_TOGETHER:
            return
        yield record


def require_room(code: str = "") -> None:
    """Make sure that the device can store one more right, or redirect to its games so that one can be removed.

    Call it before a right is given. If necessary, rights that open nothing any more are dropped, then one that a club
    of this device gives as well, then the right in the joined and finished game opened longest ago; never another
    scorer's right, which might be the game's only one.
    """
    if not has_room(code):
        for joined, secret in rights().items():
            if grants.code_for(secret) is None:
                drop_secret(joined)
    if not has_room(code) and (
        unneeded := next((each for each in reversed(rights()) if get_keeper(each)), None) or _find_finished_game()
    ):
        drop_secret(unneeded)
    if not has_room(code):
        limit = f"This device can record or sit in {MOST_RIGHTS} games at most."
        flash(f"{limit} Remove one from this device first.", "warn")
        abort(redirect(url_for("evenings.games"), 303))


def _find_finished_game() -> str | None:
    """Return the code of the game opened here longest ago of those that this device joined and that are finished."""
    for code, secret in reversed(rights().items()):
        right = grants.grant_for(code, secret)
        if right and right.has_joined and (record := open_game(code)) and record.game.finish:
            return code
    return None


def _redirect_to_new_address(code: str) -> None:
    """Redirect a device that has a right in a game to the game's new address, if its links were reset.

    This applies to pages only: clients of the JSON interface expect JSON or a file.
    """
    is_page = request.method == "GET" and not request.path.startswith(PREFIX)
    secret = secret_of(code) if is_page else ""
    fresh = grants.code_for(secret) if secret else None
    if fresh is not None:
        rename(code, fresh)
        abort(redirect(url_for("games.show", code=fresh)))


def get_game_to_write(code: str) -> RecordedGame:
    """Return the game if this request may record in it; abort with 404, 410 or 403 otherwise."""
    record = get_game(code)
    if not may_write(code):
        raise refusal(code)
    return record


def get_game_to_manage(code: str) -> RecordedGame:
    """Return the game if this device started it; abort with 404, 410 or 403 otherwise."""
    record = get_game(code)
    if not is_starter(code):
        is_recorder = (get_seat(code) and may_write(code)) or get_keeper(code)
        raise GameRefused("not-starter") if is_recorder else refusal(code)
    return record


def load_game(
    blueprint: Blueprint,
    to_look: Callable[[str], RecordedGame | RecordedClub] = get_game,
    to_change: Callable[[str], RecordedGame | RecordedClub] = get_game_to_write,
) -> None:
    """Have every view of a blueprint take the game or club in its address as `record`, in place of the code.

    A view is reached only if the request may look at the game (GET) or change it (POST).
    """

    @blueprint.before_request
    def load() -> None:
        values = request.view_args or {}
        if code := values.get("code"):
            values["record"] = (to_change if request.method == "POST" else to_look)(code)
        values.pop("code", None)


def code_in_address() -> str:
    """Return the code of the game in the address of this request; empty if there is none."""
    values = request.view_args or {}
    if isinstance(record := values.get("record"), RecordedGame):
        return record.code
    return "" if request.path.startswith("/c/") else str(values.get("code") or "")


def may_write(code: str) -> bool:
    """Return whether this request has the right to record in that game, of its own or as a keeper of a club."""
    right = get_right(code)
    return (right is not None and right.may_record) or get_keeper(code) is not None


def get_seat(code: str) -> int | None:
    """Return the seat with which this device joined, or which it kept in a rematch; None if it has none."""
    right = get_right(code)
    return right.seat if right is not None else None


def has_right(code: str) -> bool:
    """Return whether this device has a scorer's right or has joined, with or without a seat."""
    right = get_right(code)
    return right is not None and right.role in _RANKS


def store_right(code: str, secret: str, *, started: bool = False) -> None:
    """Store a right in that game on this device; what it stores for the game's earlier codes moves to this code."""
    for former in grants.former_codes(code, rights()):
        rename(former, code)
    remember(code, secret, started=started)
    g.get("rights", {}).pop(code, None)  # looked up before the change


def join_with_link(code: str, secret: str, right: Right) -> None:
    """Store a right in that game on this device, unless it has a higher one there."""
    own = get_right(code)
    if right.role in _RANKS and _RANKS[right.role] >= (_RANKS.get(own.role, 0) if own else 0):
        require_room(code)
        store_right(code, secret, started=_is_first(right, code))


def _is_first(right: Right, code: str) -> bool:
    """Return whether a right is the one created with the game."""
    return right.role == "scorer" and right.id == grants.list_grants(code)[0].id


def is_starter(code: str) -> bool:
    """Return whether this device started that game and has a right in it: it may delete it and reset its links."""
    own = get_right(code)
    return own is not None and (has_started(code) or _is_first(own, code))


def may_sit(code: str) -> bool:
    """Return whether this device may choose a seat: it has joined, or it started that game."""
    own = get_right(code)
    return own is not None and (own.has_joined or is_starter(code))


def author_of(record: RecordedGame) -> tuple[str, int | None]:
    """Return who records, as named in the history (the player in the seat of the right, or else the device).

    Also return the id of the grant by which they do, for which the store asks again in its transaction.
    """
    right = get_right(record.code)
    by = record.game.name(right.seat) if right and right.seat else name()
    return by, grant_id(record.code)


def require_seat(code: str) -> int:
    """Return the seat of this device; abort with 403 if it has none."""
    seat = get_seat(code)
    if seat is None:
        raise GameRefused("not-recording")
    return seat


def get_right(code: str) -> Right | None:
    """Return the right that this request has in that game; it is looked up once per request."""
    rights: dict[str, Right | None] = g.setdefault("rights", {})
    if code not in rights:
        # the JSON interface has no CSRF token: with the cookie, any page of a neighbouring site could write
        sent = request.authorization
        bearer = sent.token if sent and sent.type == "bearer" else None
        secret = bearer or (secret_of(code) if request.blueprint != "api" else "")
        rights[code] = grants.grant_for(code, secret) if secret else None
    return rights[code]


def get_keeper(code: str) -> Right | None:
    """Return the right in a club by which this request may record in that game; it is looked up once per request."""
    keepers: dict[str, Right | None] = g.setdefault("keepers", {})
    if code not in keepers:
        sent = request.authorization
        bearer = sent.token if sent and sent.type == "bearer" else None
        secrets = [bearer] if bearer else [*filter(None, clubs().values())] if request.blueprint != "api" else []
        keepers[code] = grants.keeper_for(code, secrets) if secrets else None
    return keepers[code]


def forget_rights() -> None:
    """Look up all rights again, after one was revoked during the request."""
    g.pop("rights", None)
    g.pop("keepers", None)


def grant_id(code: str) -> int | None:
    """Return the id of the grant by which this request writes; the store asks for it again in its transaction."""
    own = get_right(code)
    right = own if own is not None and own.may_record else get_keeper(code) or own
    return right.id if right else None
