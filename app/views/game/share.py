"""Other phones in a game: links and codes, joining, what they hand in, and continuing on another phone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote
from uuid import uuid4

from flask import Blueprint, abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.days import on_the_wall
from app.forms.entry import EMOJI
from app.forms.hand import OUT, as_fields, count_of, counting, in_one_field, typed_count
from app.games import recording
from app.games.recording import RecordedGame
from app.history.phrases import headline
from app.history.standings import chat_text
from app.kalooki.cards import BadInput
from app.kalooki.game.events import read_new
from app.kalooki.game.play import play
from app.store import games, grants
from app.store.games import Continuation
from app.views import access, limits
from app.views.game import SEEN, managing, page_of, pages
from app.views.game.workflow import to_the_game
from app.views.links import address, code_inline, is_at_home, spelled_out, why_no_code


@pages.get("/share")
def share(record: RecordedGame) -> str:
    """Show the link to watch and, on a phone that has joined, the link to join, each with its QR code."""
    code = record.code
    watch = address("games.show", code=code)
    links, to_type = {}, ""
    if access.has_right(code):
        links["join"] = address("joining.choose_seat", code=code, secret=grants.join_secret(code))
        to_type = " ".join(re.findall("....", grants.join_code(code)))
    links["watch"] = watch
    return page_of(
        record,
        "table/share.html",
        links=links,
        to_type=to_type,
        drawn={name: code_inline(link, "Code for a phone’s camera") for name, link in links.items()},
        no_code=why_no_code(watch),
        is_at_home=is_at_home(watch),
        is_starter=access.is_starter(code),
        seat=access.get_seat(code),
        may_sit=access.may_sit(code) and not record.game.finish,
        only_starter=grants.is_only_starter_recording(code),
    )


@managing.post("/share")
def reset_links(record: RecordedGame) -> ResponseReturnValue:
    """Give the game a new address, so that every other device needs a new link."""
    fresh = grants.reset_links(record.code, access.get_right(record.code))
    access.rename(record.code, fresh)
    flash("These are the new links. The old ones no longer work: every other phone must scan again.", "ok")
    return redirect(url_for("game_pages.share", code=fresh), 303)


@managing.post("/share/recorders")
def choose_recorders(record: RecordedGame) -> ResponseReturnValue:
    """Let only this phone record, or every phone that joined, as the button says (`only` or `all`)."""
    code = record.code
    grants.let_only_starter_record(code, access.grant_id(code), only=request.form.get("do") == "only")
    return redirect(url_for("game_pages.share", code=code, _anchor="recorders"), 303)


joining = Blueprint("joining", __name__, url_prefix="/g/<code>")


@joining.get("/s/<secret>")
def open_link(code: str, secret: str) -> ResponseReturnValue:
    """Store the right in a link on this device; a link never replaces a higher right."""
    access.get_game(code)
    grant = grants.grant_for(code, secret) or access.abort_missing(code)
    if grant.has_joined and grant.seat is None:
        return redirect(url_for("joining.choose_seat", code=code, secret=secret))
    access.join_with_link(code, secret, grant)
    return to_the_game(code)


@joining.get("/seat", defaults={"secret": ""})
@joining.get("/p/<secret>")
def choose_seat(code: str, secret: str) -> ResponseReturnValue:
    """Ask whose phone this is: after the link to join, to change it later, or on the phone that started the game."""
    record, _ = _get_game_to_join(code, secret)
    here = [grant for grant in grants.list_grants(code) if grant.device and not grant.revoked_at]
    phones = {seat: [each.device for each in here if each.seat == seat] for seat in record.game.players}
    only_starter = grants.is_only_starter_recording(code)
    emojis = {player.avatar.emoji for player in record.game.players.values()}
    faces = [] if only_starter else [char for char in EMOJI if char not in emojis][:MOST_FACES]
    return page_of(
        record, "join.html", phones=phones, own=access.get_right(code), only_starter=only_starter, faces=faces
    )


MOST_FACES = 6
"""The emojis offered beside the seats: one row on a phone."""


@joining.post("/seat", defaults={"secret": ""})
@joining.post("/p/<secret>")
def take_seat(code: str, secret: str) -> ResponseReturnValue:
    """Give this phone a seat, which other phones may have too, or none (`seat` is 0) if it only watches."""
    record, grant_id = _get_game_to_join(code, secret)
    seat = next((seat for seat in (0, *record.game.players) if str(seat) == request.form.get("seat")), None)
    if seat is None:
        abort(400)
    own, without = access.get_right(code), "This phone is just watching."
    if own and not own.has_joined:
        grants.sit(code, own.id, seat or None)
        without = "This phone only records."
    else:
        access.require_room(code)
        access.store_right(code, grants.join(code, seat or None, access.name(), own, grant_id))
    flash(f"This is {record.game.name(seat)}’s phone now." if seat else without, "ok")
    if seat and request.form.get("emoji") in [*EMOJI]:
        _put_on(record, seat, request.form["emoji"])
    return to_the_game(code)


def _put_on(record: RecordedGame, seat: int, emoji: str) -> None:
    """Record the emoji chosen at the door, beside the colour of the seat, if this phone may record."""
    face = {"kind": "face", "seat": seat, "colour": record.game.players[seat].avatar.colour, "emoji": emoji}
    if access.may_write(record.code):
        recording.save(record.code, read_new(face), record.seen, str(uuid4()), *access.author_of(record))


def _get_game_to_join(code: str, secret: str) -> tuple[RecordedGame, int | None]:
    """Return the game for a link to join, for a players' link of 0.3, or for a phone that has joined; abort otherwise.

    Also return the id of the grant that lets the phone join, None for a link to join and for the phone that started the
    game. Any other device with a higher right is redirected to the game: it may share that right.
    """
    own, grant_id = access.get_right(code), None
    is_joining = grants.is_join_secret(code, secret)
    if access.is_starter(code) and (is_joining or not secret):
        return access.get_game(code), None
    if not is_joining:
        right = grants.grant_for(code, secret) if secret else own
        if secret and (right is None or not right.has_joined or right.seat is not None):
            access.abort_missing(code)
        if right is None or not right.has_joined:
            access.get_game(code)
            raise access.GameRefused("not-recording")
        grant_id = right.id
    record = access.get_game(code)
    if own is not None and not own.has_joined:
        flash("This phone already records in this game, so it needs no seat.", "ok")
        abort(to_the_game(code))
    return record, grant_id


continuing = Blueprint("continuing", __name__, url_prefix="/g/<code>")
"""What a phone does for itself when the game continues in another one: any phone may."""
access.load_game(continuing, to_change=access.get_game)


@continuing.post("/rematch")
def join_rematch(record: RecordedGame) -> ResponseReturnValue:
    """Redirect to the rematch, in which this phone gets the same right as here, and its player's seat by name."""
    code, rematch = record.code, games.rematch_of(record.code)
    if rematch is None:
        return to_the_game(code)
    own = access.get_right(code)
    if own is None or not access.has_right(code) or access.has_right(rematch):
        return to_the_game(rematch)
    access.require_room(rematch)
    if not own.has_joined:
        secret = grants.mint(rematch, "scorer", device=access.name())
        access.remember(rematch, secret)
        _keep_seat(record, rematch, grants.grant_for(rematch, secret))
    else:
        access.remember(rematch, grants.join(rematch, _find_own_seat(record, rematch), access.name()))
    return to_the_game(rematch)


def _find_own_seat(record: RecordedGame, rematch: str) -> int | None:
    """Return the seat in the rematch of the person in this phone's seat, if they play again."""
    seat, people = access.get_seat(record.code), access.get_game(rematch).game.people
    return next((each for each in people if seat and people[each] == record.game.people[seat]), None)


def announce_rematch(code: str, rematch: str) -> None:
    """Notify the phones of a game of its rematch, if this phone records in that game; its player keeps their seat.

    Any other form that names the game just starts a new one.
    """
    if not access.may_write(code):
        return
    games.link_rematch(code, rematch, access.grant_id(code))
    _keep_seat(access.get_game(code), rematch, access.get_right(rematch))


def _keep_seat(record: RecordedGame, rematch: str, right: grants.Right | None) -> None:
    """Give the player of this phone their seat in the rematch, in which it records by that right."""
    seat = _find_own_seat(record, rematch)
    if right and seat:
        grants.sit(rematch, right.id, seat)


@pages.get("/result")
def result(record: RecordedGame) -> str:
    """Show the result as a picture and as text, with every way to send it."""
    picture = url_for("sheets.result_picture", code=record.code)
    return _result_page(record, picture=picture, back=url_for("games.show", code=record.code))


@pages.get("/sheet/picture")
def sheet_picture(record: RecordedGame) -> str:
    """Show the score sheet as a picture, with the same text."""
    picture, back = (url_for(endpoint, code=record.code) for endpoint in ("sheets.png", "game_pages.sheet"))
    return _result_page(record, picture=picture, back=back, is_sheet=True)


def _result_page(record: RecordedGame, **context: object) -> str:
    text = chat_text(record, spelled_out(address("games.show", code=record.code))).strip()
    quoted = quote(text)
    messages = {
        "sms": f"sms:?&body={quoted}",
        "whatsapp": f"whatsapp://send?text={quoted}",
        "mail": f"mailto:?subject={quote(headline(record.game))}&body={quoted}",
    }
    return page_of(record, "table/result.html", text=text, messages=messages, **context)


def copies_to_show(record: RecordedGame, known: int = 0) -> tuple[Continuation, ...]:
    """Return the copies, newest first, that this phone follows, or has not been asked about; without the `known` first.

    Those are the copies that a page has said when it was rendered.
    """
    copies = games.continuations(record.code, record.log)
    decided = [(copy, access.follows(copy.code)) for copy in copies[: max(0, len(copies) - known)]]
    return tuple(
        copy for copy, follows in decided if follows or (follows is None and copy.at > access.ignored_until(copy.of))
    )


def say_copies(copies: Sequence[Continuation]) -> dict[str, Any]:
    """Return the context of the fragment about copies of a game."""
    followed = [copy for copy in copies if access.follows(copy.code)]
    others = [copy for copy in copies if copy not in followed]
    of = {"has_right": access.has_right, "made_at": made_at, "clock_of": clock_of}
    return {"continuations": copies, "followed": followed, "other_copies": others, **of}


def clock_of(copy: Continuation, record: RecordedGame) -> str:
    """Return the time of day when a copy was made, such as “18:53”."""
    return on_the_wall(copy.at, record.zone)[-5:]


def made_at(copy: Continuation, record: RecordedGame) -> str:
    """Return when a copy was made, given the game or the copy, such as “hand 9 (18:53)”."""
    until = [entry for entry in record.log.entries if entry.at <= copy.at]
    return f"hand {play(record.entries[: len(until) or 1]).number} ({clock_of(copy, record)})"


def copies_among(records: Sequence[RecordedGame]) -> dict[str, str]:
    """Return a description, by code, of those of the games that continue or repeat another one."""
    by_code = {record.code: record for record in records}
    copies = games.copies_among(by_code) if by_code else ()
    continued = {
        copy.code: "copy, continued on "
        f"{'this device' if access.has_started(copy.code) else copy.device} at {made_at(copy, by_code[copy.code])}"
        for copy in copies
    }
    return dict.fromkeys(recording.codes_of_repeats(records), "copy") | continued


@continuing.get("/continue/<copy>")
def follow_copy(record: RecordedGame, copy: str) -> ResponseReturnValue:
    """Redirect to a copy in which the game continues, which then counts on this phone."""
    if all(each.code != copy for each in games.continuations(record.code, record.log)):
        return to_the_game(record.code)
    access.follow_copy(copy, follows=True)
    return to_the_game(copy)


@continuing.post("/continue/<copy>")
def ignore_copy(record: RecordedGame, copy: str) -> ResponseReturnValue:
    """Ignore a copy: the game that it continues counts on this phone, which mentions none made until then any more."""
    for continuation in games.continuations(record.code, record.log):
        if continuation.code == copy:
            access.follow_copy(copy, follows=False)
            access.ignore_until(record.code, continuation.at)
    return to_the_game(record.code)


@continuing.get("/continue")
def ask_continue(record: RecordedGame) -> ResponseReturnValue:
    """Explain what a copy on this phone is; redirect a phone that has one or may record here."""
    return _redirect_recorder(record) or page_of(record, "table/continue.html")


@continuing.post("/continue")
@limits.starts
def continue_here(record: RecordedGame) -> ResponseReturnValue:
    """Start a copy in which this phone records, and show its codes; each phone starts at most one."""
    code = record.code
    if answer := _redirect_recorder(record):
        return answer
    access.require_room()
    seat = access.get_seat(code)
    name = f"{record.game.name(seat)}’s phone" if seat else f"another {access.name().removeprefix('another ')}"
    page = f"continue {code} {request.form.get('submission', '')}"  # a second tap starts no second copy
    copy = access.remember_start(recording.copy(record, access.own_submission(page), name))
    if not copy:
        return to_the_game(code)
    access.move_stored(code, copy)
    flash("The game continues here. Let the others scan this: their phones then record too.", "ok")
    return redirect(url_for("game_pages.share", code=copy), 303)


def _redirect_recorder(record: RecordedGame) -> ResponseReturnValue | None:
    """Return a redirect for a phone that records in this game or started a copy of it; None for any other."""
    own = (copy.code for copy in games.continuations(record.code, record.log) if access.has_started(copy.code))
    if copy := next(own, record.code if access.may_write(record.code) or record.game.finish else ""):
        return to_the_game(copy)
    return None


blueprint = Blueprint("counts", __name__, url_prefix="/g/<code>")
access.load_game(blueprint, to_change=access.get_game)


@blueprint.get("/count")
def ask_count(record: RecordedGame) -> ResponseReturnValue:
    """Show the form for what this phone's player has left, as sent so far."""
    return _count_page(record, access.require_seat(record.code)), {SEEN: str(record.seen)}


@blueprint.post("/count")
def hand_in(record: RecordedGame) -> ResponseReturnValue:
    """Store the count until the hand is saved; the last one sent counts."""
    code = record.code
    seat = access.require_seat(code)
    if request.form.get("seen") != str(record.dealt_after):
        flash("That hand is already recorded: your cards were no longer needed.", "warn")
        return to_the_game(code)
    fields = in_one_field(request.form)
    try:
        typed = fields.get(f"left-{seat}", "")
        count = OUT if request.form.get("do") == "out" else count_of(typed, record.game.variant)
    except BadInput as error:
        page = _count_page(record, seat, fields, error=error.sentence)
        return page, 422
    own = access.get_right(code)
    games.hand_in(code, record.dealt_after, seat, count, own.id if own else None)
    flash(_CONFIRMATIONS.get(count, "Sent to whoever records."), "ok")
    return to_the_game(code)


_CONFIRMATIONS = {"": "Undone.", OUT: "You went out. Now everyone else counts their cards."}


def handed_in(record: RecordedGame) -> dict[int, str]:
    """Return the last count that each player still in has handed in for the hand in play; `OUT` for going out."""
    return {seat: counted[-1] for seat, counted in of_phones(record).items()}


def of_phones(record: RecordedGame) -> dict[int, tuple[str, ...]]:
    """Return the different counts that the phones of each seat have handed in, as typed, the latest last."""
    counts = games.counts(record.code, record.dealt_after, record.version)
    different = {
        seat: tuple(map(typed_count, dict.fromkeys(reversed(counted))))[::-1] for seat, counted in counts.items()
    }
    return {player.seat: different[player.seat] for player in record.game.playing if player.seat in different}


def _count_page(record: RecordedGame, seat: int, form_data: Mapping[str, str] | None = None, **context: object) -> str:
    """Return the page for a count, with what was typed or, without that, handed in so far."""
    fields = as_fields(handed_in(record)) if form_data is None else form_data
    return page_of(
        record,
        "count.html",
        player=record.game.players[seat],
        of_phones={seat: of_phones(record).get(seat, ())},
        seat=seat,
        typed=fields.get(f"left-{seat}", ""),
        entry=counting(record.game),
        is_saved=request.args.get("after") not in (None, str(record.dealt_after)),  # not the hand asked about
        **context,
    )
