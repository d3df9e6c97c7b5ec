"""The game page that everybody at the table looks at, its one-tap answers, and its live updates.

A phone learns by push or polling how far the game has come, and requests the part of the page that changed.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import sha256
from operator import itemgetter
from typing import Any

from flask import Blueprint, Response, abort, make_response, redirect, request, session, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as Answer

from app.games import recording
from app.games.recording import RecordedGame
from app.history.settling import payment_rows, why_nothing
from app.history.standings import money, place_words
from app.history.timeline import title_of
from app.kalooki.cards import PACK, RANKS, Card, in_a_sentence, position
from app.kalooki.game.corrections import corrections, is_correction
from app.kalooki.game.events import Paid, Undo
from app.kalooki.game.finish import places
from app.kalooki.game.play import Game
from app.kalooki.game.state import Change, PlayedHand
from app.kalooki.readers import whole_typed
from app.kalooki.variants import Variant
from app.store import database, games, grants
from app.store.database import Version
from app.views import access
from app.views.game import SEEN, page_of
from app.views.game.share import copies_to_show, of_phones, say_copies
from app.views.game.workflow import button_value, record_action, redos_left_to_club, to_the_game
from app.views.links import address, code_inline
from app.views.responses import compress, send_compressed

blueprint = Blueprint("games", __name__, url_prefix="/g/<code>")
access.load_game(blueprint)

MAY = "Kalooki-May"
"""The header for the service worker: which of the game's pages the phone may keep (`write`, `sit`, both or `watch`)."""
RULES = "Kalooki-Rules"
"""The header of a game's page and of all its disputes; the worker fetches the latter again only if the two differ."""
RELEASE = secrets.token_hex(4)  # new after each start, because templates may have changed


@blueprint.get("")
def show(record: RecordedGame) -> Answer:
    """Show the game: totals, whose deal it is, the pool, and the hands so far."""
    code = record.code
    if access.games()[:1] != [code]:
        access.remember(code)
    if "_flashes" in session or access.has_moved(code):  # shown once
        answer = require_revalidation(make_response(_game_page(record)))
    else:
        answer = conditional(lambda: tag_of(code, record.version), lambda: _game_page(record))
    may = ["write"] if access.may_write(code) else []
    may += ["sit"] if access.get_seat(code) else []
    answer.headers[MAY] = " ".join(may) or "watch"
    answer.headers[SEEN] = str(record.seen)
    answer.headers[RULES] = rules_tag(record)
    return answer


def rules_tag(record: RecordedGame) -> str:
    """Return a tag of what a page about the rules of a game depends on: this release, the rules and the right."""
    return f"{RELEASE}-{_digest(record.game.explained_variant)}-{access.may_write(record.code):d}"


@lru_cache(maxsize=256)
def _digest(variant: Variant) -> str:
    return sha256(repr(variant).encode()).hexdigest()[:12]


def _game_page(record: RecordedGame) -> str:
    undo = url_for("corrections.ask_undo", code=record.code, entry=record.seen) if _may_undo(record) else ""
    came_by_button = "_flashes" in session  # on which a second tap may follow
    moved = access.pop_moved(record.code)
    return page_of(record, "game.html", undo=undo, came_by_button=came_by_button, moved=moved, **board(record))


def _may_undo(record: RecordedGame) -> bool:
    """Return whether this device may undo the newest entry, or redo what that entry undid."""
    return access.may_write(record.code) and record.seen > 1 and record.seen not in redos_left_to_club(record)


@blueprint.post("/offers")
def answer_offer(record: RecordedGame) -> Answer:
    """Record that a player who was knocked out buys in or declines, as the button says (`buy_in-3`)."""
    match button_value():
        case "buy_in", [seat] if late := record.game.late_buy_ins.get(seat):
            return redirect(url_for("corrections.ask_buy_in", code=record.code, entry=late.before, seat=seat), 303)
        case "buy_in", [seat]:
            record_action(record, {"kind": "buy_in", "seat": seat}, "Bought in.")
        case "decline", [seat]:
            record_action(record, {"kind": "decline", "seat": seat}, "The buy-in is declined.")
        case _:
            abort(400)
    return to_the_game(record.code)


@blueprint.post("/first")
def say_first(record: RecordedGame) -> Answer:
    """Record who plays first: as drawn at the table, or drawn here."""
    game, choice = record.game, request.form.get("seat", "")
    if choice == "draw":
        if not 0 < len(game.playing) <= len(RANKS):  # of many more, none would ever have the highest rank alone
            abort(409, f"Cards can be drawn here for 1 to {len(RANKS)} players. Draw them at the table.")
        drawn = draw_first([player.seat for player in game.playing], random.SystemRandom())
        cards = ", ".join(f"{game.name(seat)} {in_a_sentence([card])}" for seat, card in drawn.items())
        first = max(drawn, key=lambda seat: position(drawn[seat].rank))
        done = f"Drawn: {cards}. {game.name(first)} plays first."
    else:
        first, done = _seat(choice), "Noted who plays first."
    record_action(record, {"kind": "first", "seat": first}, done)
    return to_the_game(record.code)


@blueprint.post("/decider")
def decide(record: RecordedGame) -> Answer:
    """Record who won the deciding hand of a tie."""
    record_action(record, {"kind": "decider", "winner": _seat(request.form.get("winner", ""))}, "The tie is decided.")
    return to_the_game(record.code)


@blueprint.get("/table")
def show_table(record: RecordedGame) -> str:
    """Show the deal, the contract, totals and the pool in large figures, for a phone in the middle of the table."""
    return page_of(record, "table_view.html", code_to_join=_code_to_join(record), **board(record))


def _code_to_join(record: RecordedGame) -> Markup:
    """Return the QR code to join, on a phone that may show it, until every seat is taken; the starter needs no seat."""
    if record.game.finish or not access.has_right(record.code) or not _has_seats_left(record):
        return Markup()
    link = address("joining.choose_seat", code=record.code, secret=grants.join_secret(record.code))
    return code_inline(link, "Join with a phone’s camera")


def board(record: RecordedGame) -> dict[str, Any]:
    """Return the context of the game page and its fragments."""
    game, you = record.game, access.get_seat(record.code)
    phones = {} if game.finish else of_phones(record)
    return {
        "you": you,
        "has_joined": access.has_right(record.code),
        "asked": _offers_asked(game, you) if access.may_write(record.code) else [],
        "may_undo": _may_undo(record),
        "invites": _invites(record),
        "counts": {seat: counted[-1] for seat, counted in phones.items()},
        "of_phones": {seat: counted for seat, counted in phones.items() if seat == you},
        "rematch": games.rematch_of(record.code) if record.log.signals else None,
        **say_copies(copies_to_show(record)),
        "may_ignore": True,
        "is_tried": access.sample_game() == record.code,
        "hands_so_far": hands_so_far,
        "amounts": money(game),
        "places": place_words(game) if game.finish else {},
        "rows": payment_rows(record) if game.finish else [],
        "why_nothing": why_nothing(game) if game.finish else "",
        "clubs": access.find_clubs(record.code) if game.finish else None,
        "faults": record.faults_to_fix,
        "correction": latest_correction(record) if record.faults_to_fix else None,
        "newest": title_of(record, record.entries[-1].event, record.seen),
        "tied": len(game.winners) > 1,
        "order": [seat for seat in places(game) if [*game.winners] != [seat]] if game.finish else _by_seat(game),
        # the list of payments shows it; a banner would move another payment under the finger
        "is_told_in_place": bool(game.finish) and isinstance(record.entries[-1].event, (Paid, Undo)),
    }


def _offers_asked(game: Game, you: int | None) -> list[int]:
    """Return the seats whose offers the bar at the foot asks about, one's own first; others are asked by their hand."""
    return sorted((seat for seat in game.offers if seat not in game.late_buy_ins), key=lambda seat: seat != you)


def _by_seat(game: Game) -> list[int]:
    """Return the seats in order of play; while somebody may buy in, those who are out come last."""
    return sorted(game.order, key=lambda seat: bool(game.offers) and not game.players[seat].playing)


def _has_seats_left(record: RecordedGame) -> bool:
    """Return whether a seat in play has no phone yet; the starter needs none."""
    joined = [grant for grant in grants.list_grants(record.code) if grant.has_joined and not grant.revoked_at]
    return len({grant.seat for grant in joined if grant.seat}) < len(record.game.playing) - 1


def _invites(record: RecordedGame) -> bool:
    """Return whether this phone asks for others: in the first three hands, until every seat has one."""
    return len(record.game.hands) < 3 and access.may_write(record.code) and _has_seats_left(record)


def hands_so_far(record: RecordedGame) -> Markup:
    """Return the table of hands, rendered once for everybody.

    After each hand, all phones request the same rows, which are the most expensive part of a long game's page.
    """
    cache_key = ("hands", request.script_root)
    rows = _rows(record.game)
    table = recording.render_once(record, cache_key, lambda: page_of(record, "fragments/hands.html", **rows))
    return Markup(table)  # noqa: S704 - rendered by a template that escapes


def _rows(game: Game) -> dict[str, Any]:
    """Return the hands and the changes between them, and how many hands of a long game are folded away at first."""
    earlier = len(game.hands) - 8 if len(game.hands) > 12 else 0
    rows: list[tuple[int, PlayedHand | Change, bool]]
    rows = [(number, each, number <= earlier) for number, each in enumerate(game.hands, 1)]
    rows += [(each.hands, each, each.hands <= earlier) for each in game.changes if each.why != "carried"]
    return {"earlier": earlier, "rows": [row[1:] for row in sorted(rows, key=itemgetter(0))]}


def latest_correction(record: RecordedGame) -> int | None:
    """Return the entry of the newest correction that is not undone; undoing it restores what was there before."""
    undone = corrections(record.entries).undone_by
    return max((each for each, event in record.entries if is_correction(event) and each not in undone), default=None)


def draw_first(seats: Sequence[int], chance: random.Random) -> dict[int, Card]:
    """Return a card for each seat, drawn from one pack; all draw again until the highest rank is unique."""
    drawn = dict(zip(seats, chance.sample(PACK, len(seats)), strict=True))
    ranks = [position(card.rank) for card in drawn.values()]
    return drawn if ranks.count(max(ranks)) == 1 else draw_first(seats, chance)


def _seat(text: str) -> int:
    seat = whole_typed(text, digits=2)
    return abort(400) if seat is None else seat


updates = Blueprint("updates", __name__, url_prefix="/g/<code>")

PART = "fragments/bare.html"
"""The layout for the changing part of a page, which a phone already showing the page requests with `?part`."""


@updates.get("/version")
def version(code: str) -> Response:
    """Return the version of the game, such as `5.2`, or 304 if the phone has it; one SQL statement."""
    now = database.version(code) or access.abort_missing(code)
    return conditional(lambda: str(now), lambda: Response(str(now), mimetype="text/plain"))


@updates.get("/live")
def refuse_stream(code: str) -> Response:
    """Return 204 to a phone that requests a stream of versions, which makes it poll the version instead.

    `app.server` answers with a stream if it has capacity for one; under another server a stream would hold a thread.
    """
    if not database.version(code):
        access.abort_missing(code)
    return Response(status=204)


@updates.get("/board")
def show_board(code: str) -> Response:
    """Return the content of the game page without its layout."""
    now = database.version(code) or access.abort_missing(code)
    return conditional(lambda: tag_of(code, now), lambda: _board(code))


def _board(code: str) -> str | Response:
    record = access.get_game(code)

    def render() -> str:
        return page_of(record, "game.html", layout=PART, **board(record))

    # the page of a phone that only watches has no form and nothing about the phone itself; once the game is over, it
    # names the clubs that the phone has opened
    is_own = access.get_right(code) or access.sample_game() == code or (record.game.finish and access.clubs())
    if is_own or games.continuations(record.code, record.log):
        return render()
    cache_key = ("board", request.script_root)
    return send_compressed(recording.render_once(record, cache_key, lambda: compress(render())))


def tag_of(code: str, version: Version) -> str:
    """Return the tag of what this browser is shown of a game: its version, and whatever depends on the device.

    Forms on a page work only in the session they were rendered in, so a new session gets a new page. So does a device
    that has got a right, has opened a club, or has said whether it follows a copy.
    """
    grant = access.get_right(code)
    own = [session.get("csrf_token", ""), *sorted(access.rights()), *map(str, access.decided_copies())]
    own += [f"{club}{bool(secret)}" for club, secret in access.clubs().items()]
    own.append(access.ignored_until(code))
    forms = sha256(" ".join(own).encode()).hexdigest()[:8]
    return f"{version}-{grant.id if grant else 0}-{forms}-{RELEASE}"


def conditional(etag: Callable[[], str], render: Callable[[], str | Response]) -> Response:
    """Return the response for an etag, or 304 if the browser has it.

    Rendering may begin a session, which is part of the etag.
    """
    before = etag()
    is_known = request.if_none_match.contains_weak(before)
    answer = Response(status=304) if is_known else make_response(render())
    answer.set_etag(before if is_known else etag(), weak=True)  # weak: it is the same for any compression
    return require_revalidation(answer)


def require_revalidation(answer: Response) -> Response:
    """Return the response, which only the browser may store and must revalidate each time."""
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer
