"""The JSON interface to clubs: who plays every week, which games count, the table, and who owes whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import jsonify
from flask.typing import ResponseReturnValue

from app.api.answers import Json
from app.api.games import ACTOR, api, body, not_started, read_start, refuse_entry, saved_otherwise, stale
from app.api.requests import NEW_CLUB, SEEN, SUBMISSION, required
from app.games import clubs
from app.games.clubs import RecordedClub
from app.history.phrases import and_list
from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.club.events import AddGame, ClubEvent, ClubStart, read_sent
from app.kalooki.club.fold import Meeting
from app.kalooki.club.league import LeagueRow, between, currencies, league, slates
from app.kalooki.faults import Fault
from app.kalooki.kinds import read_event
from app.kalooki.rules.rulebook import explain
from app.kalooki.variants import ids, load
from app.store import clubs as stored_clubs
from app.store import grants
from app.store.database import SCORERS
from app.views import access, limits
from app.views.club_tables import read_days
from app.views.responses import compress, send_compressed


@api.post("/clubs")
@limits.starts
def new_club() -> ResponseReturnValue:
    """Start a club: 201 with its code and its keepers' secret, 200 for the same submission again."""
    raw, name = read_start(NEW_CLUB)
    event = read_event(ClubEvent, raw)
    assert isinstance(event, ClubStart)  # noqa: S101 - the kind is set above
    result = clubs.start(event, name, ACTOR)
    if result.secret:
        seen = access.get_club(result.code).seen
        return {"code": result.code, "keeper": result.secret, "seen": seen}, 200 if result.repeated else 201
    return not_started(result.code, "club")


@api.get("/clubs/<club>")
def show_club(club: str) -> ResponseReturnValue:
    """Return the state of a club for anybody with its code, with the table of some days."""
    record, span = access.get_club(club), read_days()
    answer = record.once(("json", span), lambda: compress(jsonify(club_json(record, *span)).get_data(as_text=True)))
    return send_compressed(answer, "application/json")


@api.post("/clubs/<club>/entries")
def add_to_club(club: str) -> ResponseReturnValue:
    """Record an event in a club."""
    access.get_club(club)
    if not access.may_write(club):
        raise access.refusal(club)
    raw = body()
    event: ClubEvent = required(raw, "event", read_sent)
    seen: int = required(raw, "seen", SEEN)
    name: str = required(raw, "submission", SUBMISSION)
    records = _has_right_to_record(event, raw)
    result = clubs.save(club, event, seen, name, (ACTOR, access.grant_id(club)), records=records)
    state = club_json(result.record)
    match result.state:
        case "saved" | "repeated":
            answer = {"state": state, "warnings": [], "entry": result.entry}
            return answer, 201 if result.state == "saved" else 200
        case "refused":
            return refuse_entry(result.faults, load(ids()[0]), state=state)
        case "reused":
            return saved_otherwise(result.entry, state)
        case _:
            return stale(seen, state)


def _has_right_to_record(event: ClubEvent, raw: Mapping[str, Any]) -> bool:
    """Return whether the request proves a right to record in the game it adds; abort with 403 if its right is wrong."""
    if "right" not in raw:
        return False
    secret = readers.text(1, 60).read(raw["right"], "right")
    if not isinstance(event, AddGame):
        raise BadInput("{field}: only a game is added with a right.", "right")
    right = grants.grant_for(event.code, secret)
    if (right is None or right.role not in SCORERS) and stored_clubs.find_game(event.code) is not None:
        raise access.refusal(event.code)
    return True


def club_json(record: RecordedClub, first: str = "", last: str = "", least: int = 1) -> Json:
    """Return everything that anybody with a club's code may know; days and `least` are those of its table."""
    club, played = record.club, record.played
    usual = club.usual.as_sent if club.usual else None
    return {
        "code": record.code,
        "seen": record.seen,
        "name": club.name,
        "zone": record.zone,
        "usual": usual and {name: value for name, value in usual.items() if name != "kind"},
        "currencies": [each._asdict() for each in currencies(club, played).values()],
        "people": [
            {"id": person, "name": name, "merged_into": club.merged.get(person)} for person, name in club.people.items()
        ],
        "games": [_game_json(record, each) for each in between(played, first, last)],
        "table": [_row_json(row) for row in league(club, played, first, last, least)],
        "owed": [
            {"from": each.payer, "to": each.to, "amount": each.amount, "currency": slate.currency.name}
            for slate in slates(club, played)
            for each in slate.payments
        ],
        "problems": [_problem_json(each) for each in sorted(played, key=lambda each: each.game.entry) if each.problem],
        "log": [
            {
                "entry": stored.seq,
                "at": stored.at,
                "by": stored.actor,
                "event": {name: value for name, value in stored.event.items() if name not in entry.event.recorded},
                "undone_by": club.undone_by.get(stored.seq),
            }
            for stored, entry in zip(record.log.entries, record.entries, strict=True)
        ],
    }


def _game_json(record: RecordedClub, meeting: Meeting) -> Json:
    summary = meeting.summary
    places = {str(each.seat): each.place for each in summary.seats} if summary.is_over else {}
    return {
        "entry": meeting.game.entry,
        "code": record.code_of(meeting),
        "day": summary.day,
        "variant": summary.variant,
        "status": summary.status,
        "counts": meeting.counts,
        "people": {str(seat): person for seat, person in meeting.people.items()},
        "places": places,
    }


def _row_json(row: LeagueRow) -> Json:
    return row._asdict() | {"ranked": row.ranked}


def _problem_json(meeting: Meeting) -> Json:
    problem = meeting.problem
    assert problem  # noqa: S101 - only games with one are asked about
    fault = Fault(problem.why, facts={"name": and_list(problem.names)})
    return {
        "entry": meeting.game.entry,
        "code": meeting.game.code,
        "why": problem.why,
        "names": list(problem.names),
        "message": explain(fault, load(ids()[0])).text,
    }
