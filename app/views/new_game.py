"""The pages outside a game: home, the form for a new game, and the sample game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any
from uuid import uuid4

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from app.forms.house import in_brief
from app.forms.new_game import FEWEST_SEATS, NewGameForm, as_before, blank, by_rules_of, known_variant
from app.games import clubs, recording
from app.games.recording import RecordedGame, start_sample
from app.history.formats import currency_of, region_of, territory_of
from app.history.phrases import stakes_by_value, stakes_words
from app.history.verdicts import VerdictWords, ruling_on
from app.kalooki.cards import parse
from app.kalooki.claims import MeldClaim, judge
from app.kalooki.decided_by import JudgedClaim
from app.kalooki.game.evening import rematch
from app.kalooki.game.events import COLOURS, Avatar, Start, default_avatar, to_json
from app.kalooki.people import identify
from app.kalooki.readers import CURRENCY
from app.kalooki.rules.rulebook import explain
from app.store import grants
from app.store.database import NoSuchGame
from app.views import access, limits, sheets
from app.views.clubs.changes import add_started
from app.views.clubs.table import beside_next_game
from app.views.game.share import announce_rematch, copies_among
from app.views.game.workflow import to_the_game
from app.views.responses import is_unasked
from app.views.rules import judged_terms, linked_variant, warn_of_lost_variant

blueprint = Blueprint("start", __name__)

_LINK = re.compile(r"/[gc]/(?P<code>\w+)(?P<way>/[sp]/\w+)?", re.ASCII)
"""The address of a game or club within a typed text, with the rest of the path if that gives a right."""
MOST_AT_HOME = 2
"""The most games that Home lists, those in play first; the others are behind a link."""
FOLLOWS_THE_VARIANT = ("house-", "asked_of")
"""The fields that are reset when another variant is chosen."""


@blueprint.get("/")
def home() -> str:
    """Show the home page; opening it deletes a sample open on this device."""
    leave_with_this_page()
    return _home_page()


@blueprint.post("/open")
def open_typed() -> ResponseReturnValue:
    """Open what was typed: a link or code of a game or club, a join code, or a recovery code printed by 0.3."""
    limits.require("codes")
    text = request.form.get("typed", "").strip()
    address = _find_address(text)
    if not address:
        limits.count("codes")
        return _home_page(text, is_wrong=True), 422
    return redirect(address, 303)


def _find_address(text: str) -> str:
    """Return the address of the game or club that a text opens; empty if there is none."""
    if link := _LINK.search(text):
        return _address_of(link["code"].upper(), link["way"] or "")
    plain = "".join(char for char in text.upper() if char.isalnum())
    if there := _address_of(plain):
        return there
    if code := grants.game_to_join(plain):
        return url_for("games.show", code=code) + f"/p/{grants.join_secret(code)}"
    code = grants.code_for(plain)
    return _address_of(code, f"/s/{plain}") if code else ""


def _address_of(code: str, way: str = "") -> str:
    """Return the address of the game or club with that code, and the rest of a link; empty without one."""
    if recording.open_game(code):
        return url_for("games.show", code=code) + way
    return url_for("clubs.show", code=code) + way if clubs.open_club(code) else ""


_REFUSED = "AH 2H 3H"


@cache
def _refusal() -> VerdictWords:
    """Return the verdict that Home shows as an example."""
    claim, variant = MeldClaim(cards=parse(_REFUSED)), known_variant("")
    return ruling_on("meld", JudgedClaim(claim, variant, judge(claim, variant)))


def _home_page(text: str = "", *, is_wrong: bool = False) -> str:
    records = recording.without_continued(access.get_games_here(), access.follows)
    clubs_here = access.get_clubs_here()
    missing = access.clubs().keys() - {each.code for each in clubs_here}
    return render_template(
        "home.html",
        tables=sorted(access.without_dropped(records), key=lambda record: bool(record.game.finish))[:MOST_AT_HOME],
        count=len(records),
        copies=copies_among(records),
        in_play_here={each.code for each in records if access.may_write(each.code) or access.get_seat(each.code)},
        same_table=[] if _club_to_play_in() else last_players(),
        clubs=clubs_here,
        clubs_moved=[code for code in missing if access.has_new_link(code)],
        refused_cards=_REFUSED,
        refused=_refusal(),
        typed=text,
        is_wrong=is_wrong,
    )


@blueprint.get("/new")
def new_game() -> ResponseReturnValue:
    """Show the form for a new game.

    In the query, `again` fills it in as last time, or leads to the club in which that game counts, `rules` with the
    rules of a game, and `variant` chooses a variant; `open` opens a group of house rules, and `money` ticks playing
    for money.
    """
    leave_with_this_page()
    if "again" in request.args and (club := _club_to_play_in()):
        return redirect(url_for("clubs.next_game", code=club), 303)
    form_data = as_last_time() if "again" in request.args else None
    form_data = form_data or requested_rules() or blank(linked_variant(request.args.get("variant", "")))
    form_data["house"]["opened"] = request.args.get("open", "")
    form_data["money"] = form_data.get("money", False) or "money" in request.args
    return _form_page(new_game_form(form_data))


def last_players() -> list[str]:
    """Return the names of the table that can play again as last time on this device; none without a last game."""
    last = _last_game()
    if last:
        return [last.game.name(seat) for seat in last.game.order if not last.game.players[seat].has_left]
    return list((access.last_setup() or {}).get("players", ()))


def _club_to_play_in() -> str:
    """Return the code of the club, run by this device, in which its last game counts; empty if there is none."""
    last = _last_game()
    counting = access.find_clubs(last.code).own if last and access.clubs() else []
    return counting[0].code if counting else ""


def as_last_time() -> dict[str, Any] | None:
    """Return the form's data for the table of the last game here again, or as set up then; None without a last time."""
    last, setup = _last_game(), access.last_setup()
    return follow_up(last) if last else as_before(setup) if setup else None


def _last_game() -> RecordedGame | None:
    """Return the last game that was recorded or joined on this device, if it is still there."""
    here = access.without_dropped(access.get_games_here())
    records = sorted(here, key=lambda record: record.log.entries[0].at, reverse=True)
    return next((each for each in records if access.has_right(each.code) and each.code != access.sample_game()), None)


def follow_up(record: RecordedGame) -> dict[str, Any]:
    """Return the form's data for another game of that table, with the early leavers whose seats the query names."""
    game = record.game
    returning = [seat for seat in game.order if str(seat) in request.args.getlist("back")]
    start = to_json(rematch(record.entries, game, returning))
    if game.variant.is_own:
        warn_of_lost_variant(game.variant)
        data = by_rules_of(game.variant) | {"players": [{"name": name} for name in start["players"]]}
    else:
        data = as_before(start)
    return data | {"dealer": str(start.get("dealer", 1) - 1)}


def absent_leavers(record: RecordedGame) -> dict[str, str]:
    """Return by name who left that game early and isn't back, with the address of a rematch with that player too."""
    back, players = request.args.getlist("back"), record.game.players.items()
    absent = {player.name: seat for seat, player in players if player.has_left and str(seat) not in back}
    return {
        name: url_for("game_pages.rematch", code=record.code, back=[*back, str(seat)]) for name, seat in absent.items()
    }


def requested_rules() -> dict[str, Any] | None:
    """Return the form's data with the rules of the game in the address; None without one.

    Flashes a message if the game cannot be found.
    """
    code = request.args.get("rules", "")
    if code and (record := recording.open_game(code)):
        warn_of_lost_variant(record.game.variant)
        return by_rules_of(record.game.variant)
    if code:
        flash("The game with these rules isn’t here any more: choose the rules below.", "warn")
    return None


@blueprint.post("/new")
@limits.starts
def start_game() -> str | Response | tuple[str, int]:
    """Start the game, or do what another button says and show the form again with everything typed."""
    do = request.form.get("do", "start")
    form = as_typed(request.form)
    form.rearrange(do)
    if do == "variant":
        return _form_page(for_another_variant(request.form), asked_anew=True)
    if form.asks_of_another:
        form = for_another_variant(request.form)
        flash_rules_changed(form)
        return _form_page(form)
    if do != "start":
        return _form_page(form)
    access.require_room()
    event = form.start()
    code = _start(form, event) if event else ""
    if code and form.club.data in access.clubs():
        return add_started(str(form.club.data), code, request.form.get("submission", ""))
    return to_the_game(code) if code else (_form_page(form), 422)


@blueprint.post("/new/rules")
def judge_rules() -> str:
    """Return the stakes and house rules of a new game as typed, with what is wrong with them."""
    form = as_typed(request.form)
    return judged_terms(form, **addresses_of(form))


def addresses_of(form: NewGameForm) -> dict[str, str]:
    """Return the addresses to which the form is sent, by which it is judged, and at which it asks for house stakes."""
    query: dict[str, Any] = {name: request.args.get(name) for name in ("rules", "own", "variant")}
    stakes = query | {"variant": form.played.id, "money": 1, "open": "money", "_anchor": "house-stake_call_up"}
    return {
        "path": url_for("start.start_game", **query),
        "judge_at": url_for("start.judge_rules", **query),
        "to_stakes": url_for("start.new_game", **stakes),
    }


def flash_rules_changed(form: NewGameForm) -> None:
    """Flash that the form now asks about the rules of another variant."""
    flash(f"House rules are now those of {form.played.name}.", "ok")


def for_another_variant(contents: MultiDict[str, str]) -> NewGameForm:
    """Return the form with everything typed, except that house rules are those of the variant now chosen."""
    rest = [(key, value) for key, value in contents.items(multi=True) if not key.startswith(FOLLOWS_THE_VARIANT)]
    return as_typed(MultiDict(rest))


def as_typed(contents: MultiDict[str, str]) -> NewGameForm:
    """Return the form as sent; missing fields depend on the variant."""
    return new_game_form(blank(known_variant(contents.get("variant"))), contents)


def new_game_form(data: dict[str, Any], formdata: MultiDict[str, str] | None = None) -> NewGameForm:
    """Return the form for a game on this device, with its last currency or that of the region."""
    region = territory_of(str((formdata or data).get("zone") or "")) or access.region()
    currency = access.last_currency() or currency_of(region) or CURRENCY
    form = NewGameForm(formdata, {"currency": currency} | data, access.region())
    form.currency_is_free = formdata is None and not access.last_currency() and "currency" not in data
    return form


def _start(form: NewGameForm, event: Start) -> str:
    """Return the code of the game that the form starts, or has started; empty if it cannot, and the form says why."""
    event = replace(event, avatars=avatars_of(event.players))
    result = recording.start(event, access.own_submission(form.submission.data or ""), access.name())
    code = code_of(result, form, "This page has already started a game. Start again to make another one.")
    if result.secret:
        if result.game.stakes and "tell_stakes" in request.form:
            stakes = stakes_words(result.game.stakes, region_of(result.game))
            is_alone = stakes.startswith("stake ") and ", buy-in" not in stakes
            flash(f"Stake: {stakes.removeprefix('stake ')} each." if is_alone else f"Stakes: {stakes}.", "ok")
        access.store_setup(to_json(event))
        for noted in result.game.warnings:
            flash(explain(noted.fault, result.game.variant).text, "warn")
        if form.rematch_of.data:
            announce_rematch(form.rematch_of.data, code)
    return code


def code_of(result: recording.StartResult, form: NewGameForm, otherwise: str) -> str:
    """Return the code of the game that a form has started; empty if it started none, and the form says why."""
    code = access.remember_start(result)
    if not code:
        form.start_afresh()
        for fault in result.faults:
            form.blame(fault, form.played)
        if not result.faults:
            form.form_errors.append(otherwise)
    return code


def _form_page(form: NewGameForm, *, asked_anew: bool = False) -> str:
    form.show_seats(form.played.players_fewest if asked_anew else FEWEST_SEATS)
    is_again = "again" in request.args
    can_repeat = not is_again and bool(last_players())
    club = next((each for each in access.get_clubs_here() if each.code == form.club.data), None)
    return render_template(
        "new_game.html",
        form=form,
        variant=form.played,
        leavers=absent_leavers(last) if is_again and (last := _last_game()) else {},
        rules_played=rules_played(),
        asked_anew=asked_anew,
        is_unchanged=bool(club) and "unchanged" in request.form and form.errors.keys() <= {"players", "dealer"},
        **(beside_next_game(club) if club else {"company": company(), "can_repeat": can_repeat}),
        **addresses_of(form),
    )


MOST_RULES = 3


def rules_played() -> dict[str, str]:
    """Return the house rules of the games last played here, in brief and by game code; equal rules only once."""
    rules: dict[str, str] = {}
    for record in access.get_games_here():
        brief = in_brief(record.game.variant, stakes_by_value(record.game.stakes, region_of(record.game)))
        if brief and brief not in rules.values() and len(rules) < MOST_RULES:
            rules[record.code] = brief
    return rules


MOST_NAMES = 12


def company() -> dict[str, Avatar]:
    """Return the players of the games last opened here, newest first, each with their avatar in the newest of them."""
    avatars: dict[str, Avatar] = {}
    names: set[str] = set()
    for player in (each for record in access.get_games_here() for each in record.game.players.values()):
        if identify(player.name) not in names and len(avatars) < MOST_NAMES:
            names.add(identify(player.name))
            avatars[player.name] = player.avatar
    return avatars


def avatars_of(names: Sequence[str]) -> dict[int, dict[str, str | None]]:
    """Return by seat the avatars that these players had in earlier games, except those their seats have anyway.

    A colour without an emoji is one player's: others who had it, and who are new, get the first that is free.
    """
    avatar_by_name = {identify(name): avatar for name, avatar in company().items()}
    avatars: dict[int, Avatar] = {}
    for seat, name in enumerate(names, 1):
        avatar = avatar_by_name.get(identify(name))
        if avatar and (avatar.emoji or avatar.colour not in {each.colour for each in avatars.values()}):
            avatars[seat] = avatar
    for seat in {*range(1, len(names) + 1)} - avatars.keys():
        used = {avatar.colour for avatar in avatars.values()}
        free = (colour for colour in (default_avatar(seat).colour, *COLOURS) if colour not in used)
        avatars[seat] = Avatar(next(free, default_avatar(seat).colour))
    return {seat: avatar._asdict() for seat, avatar in sorted(avatars.items()) if avatar != default_avatar(seat)}


example = Blueprint("example", __name__, url_prefix="/try")


@example.post("")
@limits.starts
def start() -> Response:
    """Start a sample game, and delete the sample opened on this device before."""
    leave()
    access.require_room()
    zone = request.form.get("zone", "")
    result = start_sample(zone, territory_of(zone) or access.region(), str(uuid4()), access.name())
    access.remember(result.code, result.secret, started=True)
    access.open_sample(result.code)
    return to_the_game(result.code)


@example.post("/club")
@limits.starts
def start_club() -> Response:
    """Start a sample club, and delete the sample opened on this device before."""
    leave()
    club = clubs.start_sample_club(access.region(), str(uuid4()), access.name())
    access.remember_club(club.code, club.secret)
    access.open_sample(club.code)
    return redirect(url_for("clubs.show", code=club.code), 303)


@example.post("/leave")
def end() -> Response:
    """Delete the sample game or club, and redirect home."""
    if leave():
        flash("The sample is deleted.", "ok")
    return redirect(url_for("start.home"), 303)


def leave_with_this_page() -> None:
    """Delete the sample if a person opened this page, instead of a worker or browser prefetching it.

    A flashed message says so.
    """
    mode = request.headers.get("Sec-Fetch-Mode", "navigate")
    is_opened = mode == "navigate" and "Sec-Purpose" not in request.headers and not is_unasked()
    if is_opened and leave():
        flash("You left the sample: it is deleted.", "ok")


def leave() -> bool:
    """Delete the sample game or club open on this device, and return whether there was one."""
    code = access.leave_sample()
    if not code:
        return False
    access.forget(code)
    access.forget_club(code)
    try:
        if club := clubs.open_club(code):
            clubs.delete_sample_club(club)
        else:
            recording.delete(code)
    except NoSuchGame:
        return False
    sheets.clear_cache()
    return True
