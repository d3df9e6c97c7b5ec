"""The rooms of a game besides its score: history and one hand, money, more, deleting it, and the bar of rooms."""

from __future__ import annotations

from typing import NamedTuple

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from markupsafe import Markup
from werkzeug.wrappers import Response

from app import days
from app.games import recording
from app.games.preview import hindsight
from app.games.recording import RecordedGame
from app.history.formats import region_of
from app.history.phrases import stakes_by_value
from app.history.settling import payment_rows, why_nothing
from app.history.timeline import timeline
from app.kalooki.cards import write
from app.kalooki.game.apply import calls_by_seat, if_ended
from app.kalooki.game.events import Paid
from app.kalooki.game.state import Game, PlayedHand, Score
from app.kalooki.people import identify
from app.kalooki.rules.rulebook import Explained, rule_in_words, rules
from app.store import clubs as stored_clubs
from app.views import access, limits, sheets
from app.views.game import managing, page_of, pages
from app.views.game.board import latest_correction
from app.views.game.workflow import button_value, record_action, redos_left_to_club, refuse_payment

ROOMS = (
    ("Score", "games.show", "♠"),
    ("Referee", "disputes.show_disputes", "♥"),
    ("Money", "game_pages.settle", "♦"),
    ("More", "game_pages.more", "♣"),
)
"""The name of each room, the endpoint of its first page, and the suit shown with it."""
ROOM_OF_BLUEPRINT = {
    **dict.fromkeys(("games", "updates", "hands", "corrections", "counts"), "Score"),
    **dict.fromkeys(("disputes", "referee", "rules"), "Referee"),
}
ROOM_OF_PAGE = {"game_pages.settle": "Money", "game_pages.hand": "Score", "game_pages.hindsight": "Score"}


def room_of(endpoint: str | None) -> str:
    """Return the room that a page of a game belongs to; empty for an address without a page.

    >>> room_of("rules.game"), room_of("game_pages.settle"), room_of("sheets.png"), room_of(None)
    ('Referee', 'Money', 'More', '')
    """
    name = endpoint or ""
    return ROOM_OF_PAGE.get(name) or ROOM_OF_BLUEPRINT.get(name.partition(".")[0], "More" if name else "")


@pages.get("/history")
def history(record: RecordedGame) -> str:
    """Show every entry in words, newest first."""
    return page_of(record, "table/history.html", entries=_entries(record))


def _entries(record: RecordedGame) -> Markup:
    """Return the list of entries, rendered once for all phones that may do the same with them."""
    left_to_club = redos_left_to_club(record)

    def render() -> str:
        return page_of(
            record,
            "fragments/entries.html",
            items=timeline(record)[::-1],
            hands={hand.entry: hand for hand in record.game.hands},
            correction=latest_correction(record),
            left_to_club=left_to_club,
        )

    cache_key = ("entries", access.may_write(record.code), request.script_root, days.now()[:4], left_to_club)
    return Markup(recording.render_once(record, cache_key, render))  # noqa: S704 - rendered by a template that escapes


class PlayerPoints(NamedTuple):
    """A player's points in a hand, the calls made, and the rules that explain the total's consequences."""

    seat: int
    score: Score
    calls: int
    has_free_calls: bool
    follows: list[str]


@pages.get("/hands/<int:entry>", defaults={"best": False})
@pages.get("/hands/<int:entry>/best", defaults={"best": True}, endpoint="hindsight")
def hand(record: RecordedGame, entry: int, *, best: bool) -> str:
    """Show how every player's points in a hand are made up; with `best`, also what could have been laid."""
    game = record.game
    played = game.hand_at(entry)
    if played is None or (played.is_void and best):
        abort(404)
    calls = calls_by_seat(game.variant, played)
    players = [_points(game, played, seat, calls.get(seat, 0)) for seat in game.order if seat in played.scores]
    counted = [item.rule for each in players for item in each.score.items]
    slugs = [*counted, *(["calls"] if calls else []), *(slug for each in players for slug in each.follows)]
    losers = []
    if best:
        limits.take("checks", limits.SOLUTION_COST)
        with limits.heavy_slot():
            losers = hindsight(game, played)
    return page_of(
        record,
        "table/hand.html",
        hand=played,
        players=players,
        rules={slug: _in_words(slug, game) for slug in dict.fromkeys(slugs) if slug in rules()},
        best={each.seat: each for each in losers},
        write=write,
    )


def _points(game: Game, hand: PlayedHand, seat: int, calls: int) -> PlayerPoints:
    """Return a player's points; the rules say if the total is out, exactly at the limit, or allows a buy-in."""
    score, player = hand.scores[seat], game.players[seat]
    follows = ["limit"] if score.out or score.total == game.variant.limit else []
    follows += ["buy-in"] if score.out and (player.no_offer or seat in game.offers) else []
    return PlayerPoints(seat, score, calls, 0 < calls <= game.variant.calls, follows)


def _in_words(slug: str, game: Game) -> Explained:
    """Return a rule as this table plays it, with its own stakes."""
    return rule_in_words(slug, game.explained_variant, stakes_by_value(game.stakes, region_of(game)))


@pages.get("/more")
def more(record: RecordedGame) -> str:
    """Show links to what happens between hands, sharing, printing, players, a rematch and the end."""
    mine = {
        "is_starter": access.is_starter(record.code),
        "is_tried": access.sample_game() == record.code,
        "seat": access.get_seat(record.code),
        "may_sit": access.may_sit(record.code) and not record.game.finish,
        "clubs": access.find_clubs(record.code),
    }
    return page_of(record, "table/more.html", **mine)


@managing.get("/delete")
def ask_delete(record: RecordedGame) -> str:
    """Show what would be lost, and ask for a player's name."""
    return _delete_page(record)


@managing.post("/delete")
def delete(record: RecordedGame) -> ResponseReturnValue:
    """Delete the game once the name of one of its players is typed."""
    name = request.form.get("name", "")
    if (person := identify(name)) not in record.game.people.values() or not person:
        message = f"Nothing was deleted. Type one of these names: {', '.join(_names(record))}"
        return _delete_page(record, typed=name, error=message), 422
    clubs = access.find_clubs(record.code)
    recording.delete(record.code, access.grant_id(record.code))
    sheets.clear_cache()
    access.forget(record.code)
    flash(f"The game of {', '.join(_names(record))} is deleted.", "ok")
    club = next(iter([*clubs.own, *clubs.watched]), None)
    return redirect(url_for("clubs.show", code=club.code) if club else url_for("evenings.games"), 303)


def _names(record: RecordedGame) -> list[str]:
    return [player.name for player in record.game.players.values()]


def _delete_page(record: RecordedGame, **context: object) -> str:
    clubs = len(stored_clubs.clubs_of(record.code))
    return page_of(record, "table/delete.html", names=_names(record), clubs=clubs, **context)


@pages.get("/settle")
def settle(record: RecordedGame) -> str:
    """Show payments and the pool, each amount with the lines that make it up; of a game in play, as if it ended now."""
    then = record.of(if_ended(record.game))
    return page_of(
        record,
        "table/settle.html",
        rows=payment_rows(then),
        why_nothing=why_nothing(record.game),
        clubs=access.find_clubs(record.code),
        then=then,
        unfolded=request.args.get("open", ""),
    )


@pages.post("/settle")
def note_payment(record: RecordedGame) -> Response:
    """Record a payment with one tap, or undo that, as the button says (`paid-2-1-60`)."""
    page = "games.show" if request.args.get("at") == "score" else "game_pages.settle"
    match button_value():
        case "paid", [_, _, _] if stored_clubs.clubs_of(record.code):  # the page was opened before the game counted
            return refuse_payment(record, page)
        case "paid", [payer, to, amount]:
            saved = record_action(record, {"kind": "paid", "from": payer, "to": to, "amount": amount}, "Noted as paid.")
            row = f"undo-{saved}" if saved else None
        case "undo", [entry]:
            noted = record.event(entry) if entry > 1 else None
            if not isinstance(noted, Paid):  # anything else needs a preview before it is undone
                abort(400)
            saved = record_action(record, {"kind": "undo", "target": entry}, "The payment is open again.")
            row = f"paid-{noted.payer}-{noted.to}-{noted.amount}" if saved else None
        case _:
            abort(400)
    return redirect(url_for(page, code=record.code, _anchor=row), 303)
