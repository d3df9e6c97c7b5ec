"""Enter a paper score sheet: set up the table, type the grid, check it, save it. Or import a game from its file."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from json import JSONDecodeError
from typing import Any, NamedTuple

from flask import Blueprint, flash, g, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from app import days
from app.forms.entry import folded
from app.forms.new_game import MOST_PLAYERS, NewGameForm, blank
from app.games import recording
from app.games.copying import ABSENT, CopiedSheet, JudgedRow, SheetRow, copy_sheet
from app.games.preview import warnings_of
from app.games.recording import as_json, log_of
from app.history.formats import number_of, read_amount
from app.history.phrases import heading, headline
from app.history.settling import pool_words, settlement_lines
from app.history.standings import standings
from app.kalooki.cards import BadInput
from app.kalooki.game.events import to_json
from app.kalooki.money import Currency
from app.kalooki.people import identify
from app.kalooki.points import max_points_left, read_signed_points
from app.kalooki.readers import MOST_CURRENCY, MOST_NAME, usable_submission, whole_typed
from app.kalooki.rules.rulebook import explain
from app.kalooki.variants import STAKES, Variant
from app.sheets.score_sheet import fault_lines, score_sheet
from app.views import access, limits
from app.views.game.workflow import to_the_game
from app.views.new_game import (
    as_last_time,
    as_typed,
    code_of,
    flash_rules_changed,
    for_another_variant,
    last_players,
    new_game_form,
    requested_rules,
)
from app.views.rules import judged_terms, linked_variant

blueprint = Blueprint("copying", __name__, url_prefix="/copy")

ROWS_AT_FIRST = 8
ROWS_MORE = 6
MOST_ROWS = 200
_SEPARATORS = re.compile(r"[,;\n]")
_ENTRY = re.compile(r"log\.(?P<number>\d+)\.event\.?(?P<field>.*)")
_IN_FUTURE = "“Played on” is in the future: choose the day of the game, or leave it blank for today."
_NO_GAME = "This is not a saved game. Choose the file: “Saved game (a file)” on the game’s Print page, under More."
_PAPER = "This is not a saved game. It is a PDF: open it, save the file attached to it, and choose that one here."
_DAMAGED = "This saved game is cut off or damaged at line {line}. Save it again, all of it."


class Sheet(NamedTuple):
    """The grid as sent: its rows, the day of the game, and whether the table ended the game after the last row.

    `written` has the final totals on the paper by seat, as typed. With `cards_alone` the numbers are what the cards
    alone count, otherwise the points with everything added.
    """

    rows: tuple[SheetRow, ...]
    day: str
    ends: bool
    written: Mapping[int, str] = {}
    cards_alone: bool = False


@blueprint.get("")
def start() -> str:
    """Show the form without rows, blank like that of a new game, or filled in as last time or with a game's rules."""
    data = (as_last_time() if "again" in request.args else None) or requested_rules()
    data = data or blank(linked_variant(request.args.get("variant", "")))
    data |= _from_paper(data.get("currency", ""))
    names = ", ".join(row["name"] for row in data["players"] if row.get("name"))
    form = new_game_form(data)
    return _sheet_page(form, names, Sheet((), "", ends=False), None)


def _from_paper(usual: str) -> dict[str, Any]:
    """Return what the QR code on a blank sheet says about its table: names, currency, and the unit or each stake."""
    form_data: dict[str, Any] = {}
    names = [name.strip()[:MOST_NAME] for name in request.args.get("names", "").split(",") if name.strip()]
    if names:
        form_data["players"] = [{"name": name} for name in names[:MOST_PLAYERS]]
    if currency := request.args.get("currency", "").strip()[:MOST_CURRENCY]:
        form_data["currency"] = currency
    counted_in = Currency.called(currency or usual)
    for stake in ("unit", *STAKES):
        with suppress(ValueError):
            form_data[stake] = read_amount(request.args.get(stake, ""), counted_in, access.region())
            form_data["money"] = True
    return form_data


@blueprint.post("")
@limits.starts
def judge() -> str | Response | tuple[str, int]:
    """Show the grid judged row by row, or save it as a game."""
    form, names = _form()
    if request.form.get("asked_of", form.played.id) != form.played.id:
        flash_rules_changed(form)
    sheet = _sheet(len(form.players))
    event = form.start()
    if is_in_future := _is_in_future(sheet.day, form):
        form.form_errors.append(_IN_FUTURE)
    if event is None or is_in_future:
        return _sheet_page(form, names, sheet, None), 422
    copy = copy_sheet(event, sheet.rows, ends=sheet.ends, cards_alone=sheet.cards_alone)
    do = request.form.get("do", "check")
    if do != "save":
        rows = copy.game.variant.game_hands or ROWS_AT_FIRST
        return _sheet_page(form, names, _with_blank_rows(sheet, rows, more=do == "more"), copy)
    access.require_room()
    is_decided = "differs" in request.form or not _differs(copy, sheet)
    code = _save(form, copy, sheet.day) if copy.is_sound and is_decided else ""
    if not code:
        return _sheet_page(form, names, sheet, copy), 422
    hands = len(copy.game.hands)
    flash(f"Saved, {number_of(hands, 'hand')}.", "ok")
    return to_the_game(code)


@blueprint.post("/rules")
def judge_rules() -> str:
    """Return the stakes and house rules as typed, with what is wrong with them."""
    return judged_terms(_form()[0], path=url_for("copying.judge"))


@blueprint.get("/saved")
def ask_for_saved() -> str:
    """Ask for the file of a saved game, or for its text."""
    return _import_page(())


@blueprint.post("/saved")
@limits.starts
def import_saved() -> str | Response | tuple[str, int]:
    """Show what a saved game would become here or, if asked to save it, import it as a new game."""
    limits.take("imports")
    try:
        export = _read_log()
        with limits.heavy_slot() if len(export) > limits.LONG_IMPORT else nullcontext():
            return _import(export) if request.form.get("do") == "save" else _review_import(export)
    except BadInput as error:
        return _import_page([_name_entry(error)]), 422


def _read_log() -> list[dict[str, Any]]:
    """Return the log in the uploaded file or the pasted text; raises BadInput if it cannot be read."""
    sent = request.files.get("saved")
    raw = (sent.read() if sent else b"") or request.form.get("pasted", "").encode()
    g.pasted = raw.decode(errors="replace")  # a page that has to wait cannot send the file again
    try:
        return log_of(as_json(raw))
    except (ValueError, RecursionError) as cause:
        is_damaged = isinstance(cause, JSONDecodeError) and raw.lstrip().startswith(b"{")
        why = _DAMAGED if is_damaged else _PAPER if raw.startswith(b"%PDF") else _NO_GAME
        raise BadInput(why, line=getattr(cause, "lineno", 1)) from cause


def _name_entry(error: BadInput) -> str:
    """Return what is wrong with a saved game, with the number of the entry that cannot be read."""
    match = _ENTRY.fullmatch(error.field)
    if not match or "number" in error.facts:
        return error.say()
    field = match["field"]
    message = error.at(field).say()
    named = message if field in message else f"{field}: {message}"
    return f"Entry {match['number']} of this game cannot be read: {named}"


def _review_import(export: list[dict[str, Any]]) -> str | tuple[str, int]:
    """Return the page that shows what the game would become here, before anything is saved."""
    preview = recording.read_export(export)
    if isinstance(preview, recording.Refused):
        return _import_page(_explain_faults(preview)), 422
    game = preview.game
    return render_template(
        "import.html",
        game=game,
        headline=headline(game),
        heading=heading(preview),
        places=standings(game),
        settled=[*settlement_lines(game), *filter(None, (pool_words(game),))],
        odd=[*fault_lines(preview), *warnings_of(game, range(1, preview.seen + 1))],
        known=next((record for record in access.get_games_here() if recording.is_same_so_far(record, preview)), None),
        sheet=score_sheet(preview),
        record=json.dumps({"log": export}, ensure_ascii=False, separators=(",", ":")),
        former=request.form.get("former", ""),
    )


def _import(export: list[dict[str, Any]]) -> Response | tuple[str, int]:
    if not usable_submission(request.form.get("submission", "")):
        raise BadInput("This page was sent without its name. Choose the file again.", "submission")
    access.require_room()
    result = recording.import_game(export, access.own_submission(request.form["submission"]), access.name())
    if code := access.remember_start(result):
        former = request.form.get("former", "")
        if former in access.games() and not recording.open_game(former):
            access.move_stored(former, code)
        return to_the_game(code)
    otherwise = "This page has already imported another game. Choose the file once more."
    return _import_page(_explain_faults(result) or [otherwise]), 422


def _explain_faults(refused: recording.Refused | recording.StartResult) -> list[str]:
    return [explain(fault, refused.game.variant).text for fault in refused.faults]


def _import_page(faults: Sequence[str]) -> str:
    return render_template("import.html", faults=faults, pasted=request.form.get("pasted", ""))


def _form() -> tuple[NewGameForm, str]:
    """Return the form for a new game, filled in from the line of names, and that line."""
    names = request.form.get("names", "")
    listed = [name for name in _SEPARATORS.split(names) if name.strip()]
    contents = MultiDict(request.form.items(multi=True))
    contents.update({f"players-{row}-name": name for row, name in enumerate(listed)})
    contents["dealer"] = str(_find_dealer(contents.get("dealt_first", ""), listed))
    form = as_typed(contents)
    return (for_another_variant(contents) if form.asks_of_another else form), names


def _find_dealer(text: str, names: Sequence[str]) -> int:
    """Return the row of who dealt first, by name or number; -1 for nobody at the table. Blank means the first."""
    people = [identify(name) for name in names]
    if identify(text) in people:
        return people.index(identify(text))
    number = whole_typed(text or "1", digits=2)
    return -1 if number is None else number - 1


def _is_in_future(day: str, form: NewGameForm) -> bool:
    """Return whether a day has not begun at the table."""
    zone = days.known_zone(form.zone.data or "")
    return days.on_the_wall(days.noon(day, zone) or "", zone)[:10] > days.today(zone)


def _sheet(players: int) -> Sheet:
    """Return the grid as sent, including blank rows after the last one with anything in it.

    The button “not dealt in” of one cell fills that cell.
    """
    seats = range(1, players + 1)
    absent = request.form.get("do", "").removeprefix("absent-")
    rows = [
        {
            seat: ABSENT if f"{row}-{seat}" == absent else folded(request.form.get(f"cell-{row}-{seat}"))
            for seat in seats
        }
        for row in range(sum(f"cell-{row}-1" in request.form for row in range(MOST_ROWS)))
    ]
    written = {seat: request.form.get(f"written-{seat}", "").strip() for seat in seats}
    day, ends, cards_alone = request.form.get("day", ""), "ends" in request.form, "cards_alone" in request.form
    return Sheet(tuple(rows), day, ends, written, cards_alone)


def _with_blank_rows(sheet: Sheet, least: int, *, more: bool) -> Sheet:
    wanted = len(sheet.rows) + ROWS_MORE if more else max(len(sheet.rows), least)
    blanks: list[SheetRow] = [{}] * (min(wanted, MOST_ROWS) - len(sheet.rows))
    return sheet._replace(rows=(*sheet.rows, *blanks))


def _differs(copy: CopiedSheet, sheet: Sheet) -> dict[int, str]:
    """Return a sentence by seat for each total on the paper that differs from what the hands add up to.

    None is compared before every row is right.
    """
    return {
        player.seat: f"{player.name}: the paper says {written}, the hands make {player.total}."
        for player in copy.game.players.values()
        if not copy.has_wrong_row and (written := sheet.written.get(player.seat))
        if read_signed_points(written) != player.total
    }


def _save(form: NewGameForm, copy: CopiedSheet, day: str) -> str:
    """Return the code of the game made from the sheet, now or before; empty if this page has made another game."""
    submission = access.own_submission(form.submission.data or "")
    zone = recording.zone_of(copy.entries) or days.server_zone()
    at = (days.noon(day, zone) if day else None) or days.last_noon(zone)  # paper has no time of day
    by = access.name()
    log = [{"event": to_json(event), "at": at, "by": by} for _number, event in copy.entries]
    result = recording.import_game(log, submission, by)
    return code_of(result, form, "This page has already saved another sheet. Save again to make one more game.")


def _sheet_page(form: NewGameForm, names: str, sheet: Sheet, copy: CopiedSheet | None) -> str:
    rows: list[tuple[SheetRow, JudgedRow | None]] = []
    if copy:
        rows = [
            *((row.source, row) for row in copy.rows),
            *((sheet_row, None) for sheet_row in sheet.rows[len(copy.rows) :]),
        ]
    context = {"form": form, "names": names, "sheet": sheet, "copy": copy, "rows": rows, "numbers": _numbers(rows)}
    context["can_repeat"] = "again" not in request.args and bool(last_players())
    context["is_to_come"] = _is_in_future(sheet.day, form)
    differs = _differs(copy, sheet) if copy else {}
    rules = copy.game.variant if copy else form.played
    context |= {"differs": differs, "variant": form.played, "rules": rules, "dearest": _most_in_cell(rules)}
    return render_template("copy.html", **context)


def _most_in_cell(rules: Variant) -> int:
    """Return the most points that a loser's cell can say, or 0 where a cell can hold more than a sum."""
    if rules.scoring == "winner_collects" or rules.has_calls:
        return 0
    return max_points_left(rules, max(rules.dealt)) * rules.kalooki_times + rules.kalooki_points


def _numbers(rows: Sequence[tuple[SheetRow, JudgedRow | None]]) -> list[int | None]:
    """Return the number of each row's hand, None for a row that is not a hand; rows not judged yet pass for hands."""
    last_judged = max(
        (place for place, (source, judged) in enumerate(rows) if judged and any(source.values())), default=-1
    )
    numbers: list[int | None] = []
    hand = 0
    for place, (_source, judged) in enumerate(rows):
        is_hand = place > last_judged or (judged is not None and bool(judged.number or judged.faults))
        hand += is_hand
        numbers.append(hand if is_hand else None)
    return numbers
