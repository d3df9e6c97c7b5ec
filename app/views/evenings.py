"""The games opened on this device: reopen, settle together, play again, remove."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.games import recording
from app.games.recording import RecordedGame
from app.history.formats import region_of
from app.history.phrases import stakes_words
from app.kalooki.game.evening import bills
from app.views import access
from app.views.game import pages
from app.views.game.share import copies_among
from app.views.new_game import absent_leavers, addresses_of, company, follow_up, new_game_form

blueprint = Blueprint("evenings", __name__)

KNOWN = "Kalooki-Games"
"""The header that tells the phone's service worker of which games and clubs it may keep pages."""


@blueprint.get("/games")
def games() -> ResponseReturnValue:
    """Show every game opened on this device with its result; those chosen or of the last evening are ticked."""
    records = access.get_games_here(None)
    countable = recording.without_continued(records, access.follows)
    page = render_template(
        "evenings/games.html",
        tables=records,
        countable=[record.code for record in countable],
        settled=[record.code for record in countable if record.game.can_be_settled],
        paid_in_cash=any(each.game.finish and each.game.stakes and not each.game.is_on_account for each in records),
        ticked=request.args.getlist("game") or [record.code for record in _last_evening(records)],
        copies=copies_among(records),
        follows=access.follows,
        dropped={code: club.club.name for club in access.get_clubs_here() for code in club.dropped},
    )
    return page, {KNOWN: " ".join([*(record.code for record in records), *access.clubs()])}


@blueprint.post("/games")
def forget() -> ResponseReturnValue:
    """Remove a game from this device's list."""
    access.forget(request.form.get("forget", ""))
    flash("Removed from this device. The game itself stays.", "ok")
    return redirect(url_for("evenings.games"), 303)


@blueprint.get("/evening")
def settle() -> str:
    """Show one settlement for the chosen games, by default those of the last evening."""
    if "game" in request.args:
        records = sorted(access.get_games(access.read_codes()), key=_get_beginning)
    else:
        records = _last_evening(access.get_games_here())
    chosen = [record for record in records if record.game.can_be_settled]
    return render_template(
        "evenings/settle.html",
        chosen=chosen,
        codes=tuple(record.code for record in chosen),
        has_copies=len(records) < len(request.args.getlist("game")),
        bills=bills([record.game for record in chosen]),
    )


@pages.get("/rematch")
def rematch(record: RecordedGame) -> ResponseReturnValue:
    """Offer a game of the same players by the same rules with the next dealer; to who runs a club of it, the club's.

    In the query, each `back` is the seat of a player who left early and plays again, and `change` shows the form.
    """
    if clubs := access.find_clubs(record.code).own:
        return redirect(url_for("clubs.next_game", code=clubs[0].code), 303)
    form = new_game_form(follow_up(record) | {"rematch_of": record.code})
    return render_template(
        "new_game.html",
        form=form,
        is_unchanged="change" not in request.args,
        table=record,
        variant=form.played,
        stakes_told=stakes_words(record.game.stakes or {}, region_of(record.game)),
        company=company(),
        leavers=absent_leavers(record),
        changed_at=url_for("game_pages.rematch", code=record.code, back=request.args.getlist("back"), change=1),
        **addresses_of(form),
    )


def _last_evening(here: list[RecordedGame]) -> list[RecordedGame]:
    """Return the games of this device's latest evening, oldest first, each once."""
    records = recording.without_copies(recording.without_continued(here, access.follows))[::-1]
    records.sort(key=_get_beginning)
    latest = max((record.evening for record in records), default="")
    return [record for record in records if record.evening == latest]


def _get_beginning(record: RecordedGame) -> tuple[str, str]:
    """Return the evening of a game and when it began; a sheet copied later began at noon."""
    return record.evening, record.log.entries[0].at
