"""From an evening to a club, and from a club to its next game."""

from __future__ import annotations

from uuid import uuid4

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app import days
from app.forms.new_game import NewGameForm, as_before, blank
from app.games import clubs
from app.games.clubs import RecordedClub
from app.games.recording import RecordedGame
from app.kalooki.cards import BadInput
from app.kalooki.club.events import NAME, ClubStart
from app.kalooki.people import identify
from app.kalooki.readers import usable_submission
from app.views import access, limits
from app.views.clubs import pages
from app.views.clubs.changes import flash_faults, games_here, games_to_add, may_hand_on
from app.views.clubs.table import beside_next_game, last_game
from app.views.new_game import addresses_of, follow_up, new_game_form
from app.views.rules import linked_variant

blueprint = Blueprint("new_club", __name__, url_prefix="/clubs")


@blueprint.get("/new")
def ask() -> str:
    """Ask for the name of a new club, and which games of this device count in it; those in the address are ticked."""
    return _ask_page(request.args.get("name", ""))


def _ask_page(name: str, fault: str = "", submission: str = "") -> str:
    games = games_here()
    return render_template(
        "clubs/new.html",
        games=games,
        ticked=_of_one_evening(request.values.getlist("game"), games),
        name=name,
        fault=fault,
        submission=submission or str(uuid4()),
    )


def _of_one_evening(ticked: list[str], games: list[RecordedGame]) -> list[str]:
    """Return the games to tick: of the people and the evening of the only one that is ticked, all."""
    one = next((each for each in games if [each.code] == ticked), None)
    if one is None or request.method == "POST":
        return ticked
    return [each.code for each in games if (each.evening, _who(each)) == (one.evening, _who(one))]


def _who(record: RecordedGame) -> set[str]:
    return {identify(name) for name in record.game.names.values()}


@blueprint.post("/new")
@limits.starts
def start() -> ResponseReturnValue:
    """Start a club with the ticked games; the newest one's rules and stakes become the usual ones."""
    form = request.form
    submission = form.get("submission", "")
    submission = submission if usable_submission(submission) else ""
    try:
        name = NAME.read(form.get("name", ""), "name")
    except BadInput as error:
        return _ask_page(form.get("name", ""), error.sentence, submission), 422
    games = games_to_add(form.getlist("game"))
    zone = games[-1].zone if games else form.get("zone", "")
    club = clubs.start(
        ClubStart(name, zone if days.is_zone(zone) else ""),
        access.own_submission(submission or str(uuid4())),
        access.name(),
    )
    if club.secret:
        access.remember_club(club.code, club.secret)
        _begin(club.code, games)
    elif club.code not in access.clubs():
        return _ask_page(form.get("name", ""), "This page has already started a club. Open Home to see it."), 422
    return redirect(url_for("clubs.show", code=club.code), 303)


def _begin(code: str, games: list[RecordedGame]) -> None:
    """Add the first games to a new club; the newest one's rules become the usual ones."""
    who = access.name(), access.grant_id(code)
    for game in games:
        result = clubs.add_game(code, game.code, "first games", who, records=may_hand_on(game.code))
        flash_faults(result, f"{game.label}: ")
    if games and not access.get_club(code).club.usual:
        clubs.set_usual(code, games[-1], "first rules", who)


@pages.get("/new")
def next_game(record: RecordedClub) -> ResponseReturnValue:
    """Offer the club's next game: last time's people in last time's seats, with the next dealer marked."""
    last = last_game(record)
    form = form_for(record, last)
    return render_template(
        "new_game.html",
        form=form,
        is_unchanged=last is not None and "change" not in request.args,
        table=None,
        variant=form.played,
        leavers={},
        **beside_next_game(record),
        **addresses_of(form),
    )


def form_for(record: RecordedClub, last: RecordedGame | None) -> NewGameForm:
    """Return the form for the club's next game: its usual rules, else the last game's, and the last game's people."""
    data = follow_up(last) if last else blank(linked_variant(""))
    if usual := record.club.usual:
        people = {"players": [each["name"] for each in data["players"]], "zone": record.zone}
        start = {
            name: value for name, value in usual.as_sent.items() if name in ("variant", "house", "stakes", "settle")
        }
        seats = {name: data[name] for name in ("players", "dealer") if name in data}
        data = as_before(start | people) | seats if people["players"] else data
    if last:
        now = _names_now(record, last)
        data["players"] = [{"name": now.get(identify(each["name"]), each["name"])} for each in data["players"]]
    return new_game_form(data | {"club": record.code})


def _names_now(record: RecordedClub, last: RecordedGame) -> dict[str, str]:
    """Return the names that the players of a game have in the club now, by the keys of their names there."""
    meeting = next(each for each in record.played if record.code_of(each) == last.code)
    return {
        identify(name): record.club.people[meeting.people[seat]]
        for seat, name in meeting.summary.names.items()
        if seat in meeting.people
    }
