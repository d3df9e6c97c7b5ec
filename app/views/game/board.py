"""The game page that everybody at the table looks at, and its one-tap answers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, session, url_for
from markupsafe import Markup

from app import log
from app.i18n import _, language
from app.kalooki.cards import RANKS, SUITS, Card, position
from app.kalooki.game.corrections import corrections
from app.kalooki.game.events import Amend, Setup, Undo
from app.kalooki.game.ranking import places
from app.kalooki.readers import whole_typed
from app.telling.settling import payments_of, why_nothing
from app.telling.standings import money
from app.views import access, device
from app.views.etags import tag_of, to_be_asked_again, unless_known
from app.views.game.messages import (
    appeals_shown,
    asks_whose,
    handed_in,
    lost_pen_told,
    question,
    right_told,
    stop_told,
)
from app.views.game.one_tap import press, to_the_game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from werkzeug.wrappers import Response as Answer

    from app.kalooki.game.events import Event
    from app.kalooki.game.play import Game
    from app.table.recording import Table

blueprint = Blueprint("games", __name__, url_prefix="/g/<code>")

MAY = "Kalooki-May"
"""The header that tells the worker on the phone which pages of the game it may keep: `write`, `sit` or `watch`."""
CORRECTIONS = (Amend, Undo, Setup)


@blueprint.get("")
def show(code: str) -> Answer:
    """The table: totals, whose deal it is, the pool, and the hands so far."""
    table = access.table_or_404(code)
    if device.games()[:1] != [code]:
        device.remember(code)
    answer = _shown(table)
    answer.headers[MAY] = "write" if access.may_write(code) else "sit" if access.seat(code) else "watch"
    return answer


def _shown(table: Table) -> Response:
    code, said = table.code, log.messages_of(table.code, table.edition)
    if "_flashes" in session or appeals_shown(said) or question(table, said):  # shown once, or for some seconds
        return to_be_asked_again(make_response(_page(table, said)))
    return unless_known(lambda: tag_of(code, table.edition, right_told(code)), lambda: _page(table, said))


def _page(table: Table, said: Sequence[log.Message]) -> str:
    may_write = access.may_write(table.code)
    undo = url_for("corrections.ask_undo", code=table.code, entry=table.seen) if may_write else ""
    came_by_button = "_flashes" in session  # which a second tap was meant for
    return render_template("game.html", undo=undo, came_by_button=came_by_button, **board(table, said))


@blueprint.get("/s/<secret>")
def enter(code: str, secret: str) -> Answer:
    """The scorer's link: this device may write from now on. A link never lowers the right a device has."""
    found = log.grant_for(code, secret)
    if found is None:
        abort(404)
    if found.role == "player" and found.seat is None:
        return redirect(url_for("joining.choose_seat", code=code, secret=secret))
    if access.is_no_less(found, code):
        access.require_room(code)
        own = access.grant(code)
        if own and own.role == "player" and own.seat and found.seat is None:
            log.sit(code, found.id, own.seat, own.id)
        device.remember(code, secret, started=access.is_first(found, code))
    return to_the_game(code)


@blueprint.post("/offers")
def answer_offer(code: str) -> Answer:
    """A player who was knocked out buys in or declines, as the button says: `buy_in-3`."""
    game = access.scorers_table(code).game
    kind, _dash, told = request.form.get("do", "").partition("-")
    done = {"buy_in": _("Bought in."), "decline": _("The buy-in is declined.")}
    if kind not in done:
        abort(400)
    seat = _seat(told)
    if kind == "buy_in" and seat in game.late_buy_ins:
        return redirect(
            url_for("corrections.ask_buy_in", code=code, entry=game.late_buy_ins[seat].before, seat=seat), 303
        )
    press(code, {"kind": kind, "seat": seat}, done[kind])
    if "next" in request.form:
        return redirect(url_for("hands.enter", code=code, kind="record"), 303)
    return to_the_game(code)


@blueprint.post("/first")
def say_first(code: str) -> Answer:
    """Record who plays first: as drawn at the table, or drawn here."""
    access.scorers_table(code)
    told = request.form.get("seat", "")
    if told != "draw":
        press(code, {"kind": "first", "seat": _seat(told)}, _("Noted who plays first."))
        return to_the_game(code)
    game = access.table_or_404(code).game
    drawn = draw_first([player.seat for player in game.playing], random.SystemRandom())
    cards = ", ".join(f"{game.name(seat)} {card}" for seat, card in drawn.items())
    first = max(drawn, key=lambda seat: position(drawn[seat].rank))
    done = _("Drawn: %(cards)s. %(name)s plays first.") % {"cards": cards, "name": game.name(first)}
    press(code, {"kind": "first", "seat": first}, done)
    return to_the_game(code)


@blueprint.post("/decider")
def decide(code: str) -> Answer:
    """Record who won the deciding hand of a tie."""
    access.scorers_table(code)
    press(code, {"kind": "decider", "winner": _seat(request.form.get("winner", ""))}, _("The tie is decided."))
    return to_the_game(code)


def board(table: Table, said: Sequence[log.Message]) -> dict[str, Any]:
    """What the game page and its fragments show."""
    game, seat = table.game, access.seat(table.code)
    counts = {} if game.finish else handed_in(table, said)
    return {
        "table": table,
        "game": game,
        "code": table.code,
        "may_write": access.may_write(table.code),
        "seat": seat,
        "you": access.own_seat(table.code),
        "handed_in": counts.get(seat, "") if seat else "",
        "counts": counts,
        "proposed": question(table, said),
        "stopped": stop_told(table, said),
        "appeals": appeals_shown(said),
        "rematch": log.rematch_of(table.code) if table.log.signals else None,
        "lost": access.lost_pen(table.code),
        "lost_seat": access.lost_seat(table.code),
        "lost_told": lost_pen_told(table.code),
        "asks_whose": asks_whose(table),
        "is_tried": device.tried() == table.code,
        "submission": uuid4(),
        "hands_so_far": hands_so_far,
        "amounts": money(game),
        "places": places(game) if game.finish else {},
        "payments": game.payments,
        "paid": [payment for payment in payments_of(game) if payment.is_paid],
        "why_nothing": why_nothing(game) if game.finish else "",
        "faults": table.story.faults,
        "correction": latest_correction(table) if game.faults else None,
        "rulings": rulings_kept(table) if game.rulings else (),
        "tied": len(game.winners) > 1,
        "quarrels": where_to_settle(game, has_seat=seat is not None),
        "doors": doors(game),
    }


def rulings_kept(table: Table) -> list[Event]:
    """The rulings that stand, as corrected, newest first."""
    kept = {*table.game.rulings}
    return [event for number, event in table.story.stands.items() if number in kept][::-1]


def where_to_settle(game: Game, *, has_seat: bool) -> list[tuple[str, str]]:
    """Pages that settle a quarrel, besides the search: endpoints with their titles."""
    return [
        ("quarrels.wrong", _("Something went wrong")),
        ("quarrels.disputes", _("Disputes")),
        ("quick.index", _("Quick answers")),
        # otherwise it is in the bar at the foot
        *([("referee.check", _("Check a meld"))] if has_seat or game.finish else []),
        ("rules.game", _("Rules of this table")),
    ]


def doors(game: Game) -> list[tuple[str, str]]:
    """This game's other pages: endpoints with their titles, without those that the bar at the foot leads to."""
    is_settled_below, is_sheet_below = (bool(game.finish) and has for has in (bool(game.stakes), not game.stakes))
    may_settle = bool(game.stakes) or game.variant.has_stakes
    return [
        ("game_pages.share", _("Share")),
        *([("game_pages.settle", _("Settle"))] if may_settle and not is_settled_below else []),
        *([] if is_sheet_below else [("sheets.html", _("Sheet"))]),
        ("live.show_table", _("Table view")),
        ("game_pages.more", _("More")),
    ]


def hands_so_far(table: Table) -> Markup:
    """The table of hands, rendered once for everybody who may write in the game and once for everybody else.

    After each hand, all phones at the table ask for the same rows, which are the costliest part of a long game's page.
    """
    may_write = access.may_write(table.code)
    shown = {"game": table.game, "code": table.code, "may_write": may_write}
    asked = ("hands", may_write, language(), request.script_root)
    rows = table.drawn(asked, lambda: render_template("fragments/hands.html", **shown))
    return Markup(rows)  # noqa: S704 - rendered by a template that escapes


def looks_on_only(code: str) -> bool:
    """Whether this phone shows what every phone does that only watches: nothing about itself, and no form."""
    has_lost = access.lost_pen(code) or access.lost_seat(code)
    return not (access.grant(code) or has_lost or device.tried() == code)


def latest_correction(table: Table) -> int | None:
    """The newest correction that stands; undoing it restores what was there before."""
    undone = corrections(table.entries).undone_by
    made = (number for number, event in table.entries if isinstance(event, CORRECTIONS) or event.belongs_before)
    return max((number for number in made if number not in undone), default=None)


def draw_first(seats: Sequence[int], chance: random.Random) -> dict[int, Card]:
    """A card for each seat, from one pack; the highest alone plays first, so tied highest ranks draw again."""
    pack = [Card(rank, suit) for rank in RANKS for suit in SUITS]
    while True:
        drawn = dict(zip(seats, chance.sample(pack, len(seats)), strict=True))
        places = sorted(position(card.rank) for card in drawn.values())
        if places[-1:] != places[-2:-1]:
            return drawn


def _seat(text: str) -> int:
    seat = whole_typed(text, digits=2)
    return abort(400) if seat is None else seat
