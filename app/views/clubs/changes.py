"""Everything recorded in a club: each form has the fields of its event, and one address records them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from app import days
from app.games import clubs
from app.games.clubs import RecordedClub
from app.games.recording import RecordedGame
from app.history.club import club_items
from app.history.formats import read_amount
from app.kalooki.cards import BadInput
from app.kalooki.club.events import read_sent
from app.kalooki.club.league import currencies
from app.kalooki.game.play import corrected_start
from app.kalooki.kinds import to_json
from app.kalooki.money import Currency
from app.kalooki.people import identify
from app.kalooki.readers import usable_submission, whole_typed
from app.kalooki.rules.rulebook import explain
from app.kalooki.variants import ids, load
from app.views import access
from app.views.clubs import page_of, pages, words_of
from app.views.game.workflow import to_the_game

_DONE = {
    "name": "The club has its new name.",
    "usual": "Saved. New games begin like this.",
    "person": "Added.",
    "person_name": "Renamed.",
    "game": "Added to the club.",
    "people": "Corrected.",
    "drop": "This game no longer counts in the club.",
    "merge": "From now on they are one person.",
    "paid": "Noted as paid.",
    "undo": "Undone.",
}
_NUMBERS = ("id", "person", "into", "target", "least")
_TEXTS = ("name", "code", "season", "variant", "settle")
NEW = "new"
"""The choice of a seat's person that means somebody new, whose name is in the field `name-<seat>`."""


@pages.post("/entries")
def record_entry(record: RecordedClub) -> ResponseReturnValue:
    """Record the event of a form, exactly once, and show the page again from which it came.

    If it is refused, or somebody else has changed the club since, that page says so, with what was typed.
    """
    form = request.form
    where = back_of(record, form)
    seen, submission = whole_typed(form.get("seen")) or 0, form.get("submission", "")
    try:
        event = read_sent(event_of(record, form))
    except (BadInput, ValueError) as error:
        flash(getattr(error, "sentence", "") or str(error), "fault")
        return redirect(_with_typed(where, form), 303)
    if not usable_submission(submission):
        abort(400)
    result = clubs.save(record.code, event, seen, submission, author(record))
    if result.state in ("saved", "repeated"):
        flash(_DONE[event.kind], "ok")
        return redirect(where, 303)
    for fault in result.faults:
        flash(explain(fault, load(ids()[0])).text, "fault")
    if not result.faults:
        flash("Somebody else changed the club first. Look at it as it is now, then tap again.", "warn")
    return redirect(_with_typed(where, form), 303)


def author(record: RecordedClub) -> tuple[str, int | None]:
    """Return who records in a club, as its history names the device, and the grant by which it does."""
    return access.name(), access.grant_id(record.code)


def back_of(record: RecordedClub, form: Mapping[str, str]) -> str:
    """Return the page of the club that a form names as the one to show afterwards; the club's first page otherwise."""
    first = url_for("clubs.show", code=record.code)
    back = form.get("back", "")
    return back if back.startswith((f"{first}/", f"{first}#", f"{first}?")) else first


def _with_typed(where: str, form: MultiDict[str, str]) -> str:
    """Return the address of a page with what was typed for it."""
    typed = {name: text for name in ("name", "amount") if (text := form.get(name, ""))}
    page, mark, anchor = where.partition("#")
    return f"{page}{'&' if '?' in page else '?'}{urlencode(typed)}{mark}{anchor}" if typed else where


def event_of(record: RecordedClub, form: MultiDict[str, str]) -> dict[str, Any]:
    """Return the event in a form, in JSON; raises ValueError for an amount that cannot be read."""
    raw: dict[str, Any] = {"kind": form.get("kind", "")}
    raw |= {name: form[name] for name in _TEXTS if name in form}
    raw |= {name: whole_typed(form[name]) or form[name] for name in _NUMBERS if name in form}
    if "from" in form:
        raw["payments"] = list(_payments(record, form))
    if people := _people(form):
        raw["people"] = people
    if "usual" in form:
        raw |= _usual_of(record, form["usual"])
    return raw


def _payments(record: RecordedClub, form: MultiDict[str, str]) -> Iterator[dict[str, Any]]:
    called = currencies(record.club, record.played)
    columns = (form.getlist(name) for name in ("from", "to", "amount", "currency"))
    for payer, to, amount, name in zip(*columns, strict=False):
        currency = called.get(name.casefold()) or Currency.called(name)
        units = read_amount(amount, currency, words_of(record).region)
        yield {"from": whole_typed(payer), "to": whole_typed(to), "amount": units, "currency": currency.name}


def _people(form: MultiDict[str, str]) -> dict[str, int | str]:
    """Return by seat whom a form names: people's ids, or the names of new people."""
    people: dict[str, int | str] = {}
    for field, who in form.items():
        if field.startswith("seat-") and who:
            seat = field.removeprefix("seat-")
            people[seat] = form.get(f"name-{seat}", "") if who == NEW else whole_typed(who) or who
    return people


def _usual_of(record: RecordedClub, code: str) -> dict[str, Any]:
    """Return the rules and stakes with which a game of the club was played, as its usual ones."""
    usual = record.club.usual
    if code:
        return usual_of(code)
    return {name: value for name, value in usual.as_sent.items() if name in _USUAL} if usual else {}


_USUAL = ("variant", "house", "stakes", "settle")


def usual_of(code: str) -> dict[str, Any]:
    """Return the rules and stakes with which a game was played."""
    start = to_json(corrected_start(access.get_game(code).entries))
    return {name: start[name] for name in _USUAL if name in start}


@pages.get("/history")
def history(record: RecordedClub) -> str:
    """Show every entry of the club, newest first; one tap undoes it."""
    items = [(item, record.log.entries[item.entry - 1]) for item in club_items(words_of(record), record.entries)]
    return page_of(record, "clubs/history.html", items=items, on_the_wall=days.on_the_wall)


@pages.get("/more")
def more(record: RecordedClub) -> str:
    """Show what is done rarely: people, usual rules, the season, the name, other games."""
    words = words_of(record)
    latest = [(record.code_of(each), each) for each in reversed(record.played) if each.summary.seats]
    games = {code: f"{words.day(each.summary.day)}, {words.people(each)}" for code, each in latest if code}
    return page_of(record, "clubs/more.html", games=games)


@pages.post("/forget")
def forget(record: RecordedClub) -> ResponseReturnValue:
    """Remove the club from this device."""
    access.forget_club(record.code)
    flash("Removed from this device. The club itself stays.", "ok")
    return redirect(url_for("start.home"), 303)


@pages.get("/add")
def choose_games(record: RecordedClub) -> str:
    """Show this device's games that are not in the club, to be ticked."""
    counted = {each.code for each in record.counted.values()}
    games = [each for each in access.get_games_here(None) if each.code not in counted]
    return page_of(record, "clubs/add.html", games=games)


@pages.post("/add")
def add_games(record: RecordedClub) -> ResponseReturnValue:
    """Add the ticked games, oldest first; a game with somebody unknown is shown, so that it can be said who it was."""
    submission = request.form.get("submission", "")
    if not usable_submission(submission):
        abort(400)
    for game in games_to_add(request.form.getlist("game")):
        result = clubs.add_game(record.code, game.code, submission, author(record), records=may_hand_on(game.code))
        for fault in result.faults:
            flash(f"{game.label}: {explain(fault, load(ids()[0])).text}", "fault")
        if any(fault.rule in ("which-person", "person-twice") for fault in result.faults):
            return redirect(url_for("clubs.ask_people", code=record.code, game=game.code), 303)
    return redirect(url_for("clubs.show", code=record.code), 303)


def add_started(club: str, code: str, submission: str) -> Response:
    """Add a game just started to its club, and redirect to it, or to the question who an unknown player is."""
    record = access.get_club_to_keep(club)
    result = clubs.add_game(club, code, submission, author(record), records=may_hand_on(code))
    if not result.faults:
        return to_the_game(code)
    for fault in result.faults:
        flash(f"The game has started. {explain(fault, load(ids()[0])).text}", "warn")
    return redirect(url_for("clubs.ask_people", code=club, game=code), 303)


def games_to_add(codes: list[str]) -> list[RecordedGame]:
    """Return the games with these codes, which a page lists from the newest on, in the order in which they began."""
    return sorted((access.get_game(code) for code in reversed(codes)), key=lambda each: each.log.entries[0].at)


def may_hand_on(code: str) -> bool:
    """Return whether this device has a scorer's right in a game, which it hands on to keepers."""
    right = access.get_right(code)
    return right is not None and not right.has_joined and right.may_record


@pages.get("/add/<game>")
def ask_people(record: RecordedClub, game: str) -> str:
    """Ask who sat where in a game that is to be added."""
    asked = access.get_game(game)
    found = {seat: record.club.named.get(identify(name), frozenset()) for seat, name in asked.game.names.items()}
    chosen = {seat: next(iter(people)) for seat, people in found.items() if len(people) == 1}
    unknown = {seat: "new" for seat, people in found.items() if not people}
    return page_of(record, "clubs/ask.html", game=asked, chosen=chosen | unknown)


@pages.post("/add/<game>")
def add_with_people(record: RecordedClub, game: str) -> ResponseReturnValue:
    """Add a game with the people whom the form names."""
    form = request.form
    if not usable_submission(form.get("submission", "")):
        abort(400)
    people = {int(seat): who for seat, who in _people(form).items() if seat.isdecimal()}
    result = clubs.add_game(
        record.code, game, form["submission"], author(record), records=may_hand_on(game), people=people
    )
    for fault in result.faults:
        flash(explain(fault, load(ids()[0])).text, "fault")
    if result.faults:
        return redirect(url_for("clubs.ask_people", code=record.code, game=game), 303)
    flash(_DONE["game"], "ok")
    return redirect(url_for("clubs.show", code=record.code), 303)
