"""Everything recorded in a club: each form has the fields of its event, and one address records them all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from app import days
from app.games import clubs
from app.games.clubs import ClubResult, RecordedClub
from app.games.recording import RecordedGame
from app.history.club import ClubWords, club_items, game_items
from app.history.formats import read_amount
from app.kalooki.cards import BadInput
from app.kalooki.club.events import AddGame, ClubEvent, ClubUndo, NewPerson, PersonName, SettleUp, Usual, read_sent
from app.kalooki.club.league import currencies, slates
from app.kalooki.money import Currency
from app.kalooki.people import identify
from app.kalooki.readers import usable_submission, whole_typed
from app.kalooki.rules.rulebook import explain
from app.kalooki.variants import ids, load
from app.store import clubs as stored_clubs
from app.views import access
from app.views.clubs import RECORDED, TYPED, page_of, pages, typed_before, words_of
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
_NOT_TYPED = ("csrf_token", "seen", "submission", "back")
_LONGEST_KEPT = 100
MOST_USUAL = 20
"""The most games, of those played last, whose rules can become the usual ones."""
MOST_NEWEST = 100
"""The most entries that the history shows unless all are asked for."""
NEW = "new"
"""The choice of a seat's person that means somebody new, whose name is in the field `name-<seat>`."""


@pages.post("/entries")
def record_entry(record: RecordedClub) -> ResponseReturnValue:
    """Record the event of a form, exactly once, and show the page again from which it came.

    If it is refused, or somebody else has changed the club since, that page says so, with what was typed.
    """
    form = request.form
    where = back_of(record, form)
    try:
        event = read_sent(event_of(record, form))
    except (BadInput, ValueError) as error:
        flash(getattr(error, "sentence", "") or str(error), "fault")
        return redirect(_with(where, _typed_in(form)), 303)
    seen = whole_typed(form.get("seen")) or 0
    if isinstance(event, AddGame):
        result = _add(record, event.code, submission_in_form(), event.people)
    else:
        result = clubs.save(record.code, event, seen, submission_in_form(), author(record))
    if result.state in ("saved", "repeated"):
        flash(_DONE[event.kind] if not _is_redo(record, event) else "Redone.", "ok")
        if isinstance(event, SettleUp) and result.state == "saved":
            _note_more_than_owed(result.record, event)
        if isinstance(event, (NewPerson, PersonName)) and len(result.record.club.named[identify(event.name)]) > 1:
            flash(f"There are two people called {event.name} now. The same person? Merge them on their page.", "warn")
        undoable = {} if isinstance(event, ClubUndo) else {RECORDED: str(result.entry)}
        return redirect(_with(where, undoable), 303)
    flash_faults(result)
    if isinstance(event, SettleUp) and result.state == "stale" and _is_noted_since(result.record, event, seen):
        flash("Somebody else noted this payment first. It counts once.", "ok")
        return redirect(where, 303)
    if not result.faults:
        flash("Somebody else changed the club first. Look at it as it is now, then tap again.", "warn")
    return redirect(_with(where, _typed_in(form)), 303)


def submission_in_form() -> str:
    """Return what identifies the form sent, so that it is recorded once."""
    submission = request.form.get("submission", "")
    return submission if usable_submission(submission) else abort(400)


def _add(record: RecordedClub, code: str, submission: str, people: Mapping[int, int | str] | None = None) -> ClubResult:
    """Add a game, with this device's right to record in it if it has one."""
    return clubs.add_game(record.code, code, submission, author(record), records=may_hand_on(code), people=people)


def _is_noted_since(record: RecordedClub, event: SettleUp, seen: int) -> bool:
    """Return whether the same payments were noted after the entries that the page showed."""
    later = (each.event for each in record.entries[seen:] if each.number not in record.club.undone_by)
    return any(isinstance(each, SettleUp) and each.payments == event.payments for each in later)


def _is_redo(record: RecordedClub, event: ClubEvent) -> bool:
    return isinstance(event, ClubUndo) and isinstance(record.entries[event.target - 1].event, ClubUndo)


def flash_faults(result: ClubResult, before: str = "", category: str = "fault") -> None:
    """Flash why something was refused in a club, after a few words `before`."""
    games = {each.entry: words_of(result.record).game(each.code) for each in result.record.club.games.values()}
    for fault in result.faults:
        entry = fault.facts.get("entry")
        named = fault.with_facts(game=games[entry]) if entry in games else fault
        flash(f"{before}{explain(named, load(ids()[0])).text}", category)


def _note_more_than_owed(record: RecordedClub, event: SettleUp) -> None:
    """Flash who paid more than they owed, as with a debt from before the club."""
    words, whole = words_of(record), record.club.whole
    for slate in slates(record.club, record.played):
        name = slate.currency.name.casefold()
        payments = [each for each in event.payments if each.currency.casefold() == name]
        for person, balance in slate.balances.items():
            paid = sum(each.amount for each in payments if whole(each.payer) == person)
            if (beyond := min(paid, balance)) > 0:
                amount = words.money(slate.currency).amount(beyond)
                flash(f"{words.name(person)} paid {amount} more than they owed.", "warn")


def author(record: RecordedClub) -> tuple[str, int | None]:
    """Return who records in a club, as its history names the device, and the grant by which it does."""
    return access.name(), access.grant_id(record.code)


def back_of(record: RecordedClub, form: Mapping[str, str]) -> str:
    """Return the page of the club that a form names as the one to show afterwards; the club's first page otherwise."""
    first = url_for("clubs.show", code=record.code)
    back = form.get("back", "")
    return back if back.startswith((f"{first}/", f"{first}#", f"{first}?")) else first


def _typed_in(form: MultiDict[str, str]) -> dict[str, str]:
    """Return what was chosen and typed in a form, as the page that shows it again has it in its address."""
    return {TYPED + name: text[:_LONGEST_KEPT] for name, text in form.items() if name not in _NOT_TYPED}


def _with(where: str, query: Mapping[str, str]) -> str:
    """Return the address of a page with more in its query."""
    page, mark, anchor = where.partition("#")
    return f"{page}{'&' if '?' in page else '?'}{urlencode(query)}{mark}{anchor}" if query else where


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
    return {
        str(seat): form.get(f"name-{seat}", "") if who == NEW else whole_typed(who) or 0
        for seat, who in chosen_in(form).items()
        if who
    }


def _usual_of(record: RecordedClub, code: str) -> dict[str, Any]:
    """Return the rules and stakes with which a game of the club was played, as its usual ones."""
    usual = record.club.usual
    if code:
        return clubs.usual_of(access.get_game(code))
    return {name: value for name, value in usual.as_sent.items() if name in clubs.USUAL} if usual else {}


@pages.get("/history")
def history(record: RecordedClub) -> str:
    """Show every entry of the club, and those of its games that belong to it, newest first; one tap undoes it."""
    usual = words_of(record)
    words = ClubWords(record.club, record.played, usual.region, usual.today, record.dropped_games)
    items = [*club_items(words, record.entries, record.stamps), *game_items(words)]
    items.sort(key=lambda each: each.at, reverse=True)
    newest = items if "all" in request.args else items[:MOST_NEWEST]
    return page_of(
        record,
        "clubs/history.html",
        items=newest,
        has_more=len(items) > len(newest),
        on_the_wall=days.on_the_wall,
    )


@pages.get("/more")
def more(record: RecordedClub) -> str:
    """Show what is done rarely: people, usual rules, the season, the name, other games."""
    words, usual = words_of(record), record.club.usual
    offered = [replace(usual, season="", least=1)] if usual else []
    games = {}
    for each in reversed(record.played[-MOST_USUAL:]):
        code = record.code_of(each) if each.summary.seats else None
        rules = read_sent({"kind": "usual"} | clubs.usual_of(access.get_game(code))) if code else None
        if code and isinstance(rules, Usual) and rules not in offered:
            offered.append(rules)
            games[code] = f"{words.usual(rules)}, as on {words.day(each.summary.day)}"
    return page_of(record, "clubs/more.html", games=games)


@pages.get("/add")
def choose_games(record: RecordedClub) -> str:
    """Show this device's games that are not in the club, nor copies of those that are, to be ticked."""
    counted = {each.code for each in record.counted.values()}
    games = [each for each in games_here() if each.code not in counted]
    copies = [each for each in games if _is_copy(each.code, record)]
    return page_of(record, "clubs/add.html", games=[each for each in games if each not in copies], copies=copies)


def _is_copy(code: str, record: RecordedClub) -> bool:
    """Return whether the game with that code is a copy of one that counts in the club."""
    game = stored_clubs.find_game(code)
    return game is not None and bool(stored_clubs.copies(game, record.counted))


def games_here() -> list[RecordedGame]:
    """Return this device's games that may count in a club: all but the sample game."""
    return [each for each in access.get_games_here(None) if each.code != access.sample_game()]


@pages.post("/add")
def add_games(record: RecordedClub) -> ResponseReturnValue:
    """Add the ticked games, oldest first; then ask who sat where in the first of those in which that is not clear."""
    submission, unclear, count = submission_in_form(), [], 0
    for game in games_to_add(request.form.getlist("game")):
        result = _add(record, game.code, submission)
        flash_faults(result, f"{game.label}: ")
        unclear += [game.code for fault in result.faults if fault.rule in ("which-person", "person-twice")]
        count += result.state == "saved"
    if count:
        flash(_DONE["game"] if count == 1 else f"{count} games added to the club.", "ok")
    if unclear:
        return redirect(url_for("clubs.ask_people", code=record.code, game=unclear[0]), 303)
    return redirect(url_for("clubs.show", code=record.code), 303)


def add_started(club: str, code: str, submission: str) -> Response:
    """Add a game just started to its club, and redirect to it, or to the question who an unknown player is."""
    if not access.may_write(club):
        flash("The game has started, but it isn’t in the club: this device doesn’t run the club.", "warn")
        return to_the_game(code)
    record = access.get_club(club)
    result = _add(record, code, submission)
    flash_faults(result, "The game has started. ", "warn")
    return redirect(url_for("clubs.ask_people", code=club, game=code), 303) if result.faults else to_the_game(code)


def games_to_add(codes: list[str]) -> list[RecordedGame]:
    """Return the games with these codes, which a page lists from the newest on, in the order in which they began."""
    games = (access.get_game(code) for code in reversed(codes) if code != access.sample_game())
    return sorted(games, key=lambda each: each.log.entries[0].at)


def may_hand_on(code: str) -> bool:
    """Return whether this device has a scorer's right in a game, which it hands on to keepers."""
    right = access.get_right(code)
    return right is not None and not right.has_joined and right.may_record


@pages.get("/add/<game>")
def ask_people(record: RecordedClub, game: str) -> ResponseReturnValue:
    """Ask who sat where in a game that is to be added; whom the names mean is chosen, unless somebody else was."""
    if record.club.game(game):
        return redirect(url_for("clubs.show", code=record.code), 303)
    recorded = access.get_game(game)
    matches = {seat: record.club.named.get(identify(name), frozenset()) for seat, name in recorded.game.names.items()}
    chosen = {seat: next(iter(people)) for seat, people in matches.items() if len(people) == 1}
    unknown = {seat: NEW for seat, people in matches.items() if not people}
    typed = chosen_in(typed_before().get("game", {}))
    return page_of(record, "clubs/ask.html", game=recorded, chosen={**chosen, **unknown, **typed})


def chosen_in(form: Mapping[str, str]) -> dict[int, str]:
    """Return by seat whom a form chooses: somebody's id, NEW, or nobody."""
    seats = {whole_typed(field.removeprefix("seat-")): who for field, who in form.items() if field.startswith("seat-")}
    return {seat: who for seat, who in seats.items() if seat}
