"""Disputes with their answers: search, list, step by step after an irregularity, and in every variant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.games.recording import RecordedGame
from app.history.formats import region_of
from app.history.phrases import stakes_by_value
from app.kalooki.game.events import Event
from app.kalooki.game.play import Game
from app.kalooki.rules import answers
from app.kalooki.rules.answers import Answer, RuledCase, answer_of
from app.kalooki.rules.disputes import GROUPS, HEADINGS, of_kind
from app.kalooki.rules.find import cards_in, hand_in
from app.kalooki.variants import Variant, all_variants
from app.views import access, limits
from app.views.game.board import RULES, rules_tag
from app.views.game.workflow import address_of, button_value, record_action, to_the_game
from app.views.rules import anywhere, of_hand, place_of, requested_variant, to_my_game, whose

blueprint = Blueprint("disputes", __name__)


@anywhere(blueprint, "/disputes")
def index(code: str | None = None) -> Response:
    """Show the usual disputes, answered for one variant or one game.

    `q` searches them and the rules; `answer` is the slug of the one to unfold.
    """
    limits.take("questions")
    record, variant = _game_and_rules(code)
    question = request.args.get("q", "").strip()
    amounts = _amounts(record)
    reply = answers.reply(question, variant, amounts) if question else None
    asked_in, asked_by = record, variant
    if reply and reply.named:
        record, variant = None, reply.named
    every = answers.settled(variant, _amounts(record))
    page = render_template(
        "disputes/index.html",
        keeper="keep-answer" if record and access.may_write(record.code) else "",
        question=question,
        reply=reply,
        asked_in=asked_in,
        asked_by=asked_by,
        asked_place=place_of(asked_by, asked_in),
        laid=cards_in(question),
        hand=hand_in(question),
        of_hand=of_hand(variant, hand_in(question)),
        prominent=answers.PROMINENT,
        groups={group: [answer for answer in every if answer.group == group] for group in GROUPS},
        opened=request.args.get("answer", ""),
        headings=HEADINGS,
        rulings=_rulings(record) if record else (),
        principles=answers.principles(variant),
        **_whose(variant, record),
    )
    answer = make_response(page)
    if asked_in:
        answer.headers[RULES] = rules_tag(asked_in)
    return answer


@anywhere(blueprint, "/wrong")
@anywhere(blueprint, "/wrong/<heading>")
@anywhere(blueprint, "/wrong/<heading>/<slug>")
@anywhere(blueprint, "/wrong/<heading>/<slug>/<when>")
def wrong(code: str | None = None, heading: str = "", slug: str = "", when: str = "") -> ResponseReturnValue:
    """Ask what went wrong and when it was noticed, then show the ruling."""
    record, variant = _game_and_rules(code)
    if not heading:
        return redirect(url_for("disputes.index", **place_of(variant, record), _anchor="wrong"))
    if heading not in HEADINGS:
        abort(404)
    mishap = _mishap(variant, heading, slug, _amounts(record)) if slug else None
    may_write = record is not None and access.may_write(record.code)
    return render_template(
        "disputes/wrong.html",
        heading=heading,
        answers=[] if slug else _mishaps(variant, heading, _amounts(record)),
        mishap=mishap,
        case=_case(mishap, when) if mishap else None,
        principles=answers.principles(variant),
        may_write=may_write,
        may_void=may_write and record is not None and not record.game.finish and len(record.game.playing) > 1,
        **_whose(variant, record),
    )


@anywhere(blueprint, "/shown/<kind>/<slug>")
def show_large(kind: str, slug: str, code: str | None = None) -> str:
    """Show one ruling in full screen; `when` is the moment an irregularity was noticed."""
    record, variant = _game_and_rules(code)
    answer = (kind != "rule" and answer_of(kind, slug, variant, _amounts(record))) or abort(404)
    back = url_for("disputes.index", **place_of(variant, record), answer=slug, _anchor=slug)
    case = _case(answer, request.args.get("when", "")) or answer.cases[0]
    return render_template("disputes/shown.html", answer=answer, case=case, back=back, variant=variant, table=record)


@anywhere(blueprint, "/elsewhere/<kind>/<slug>")
def elsewhere(kind: str, slug: str, code: str | None = None) -> str:
    """Show one answer in every variant, side by side; in a game, first as this table plays it."""
    record, variant = _game_and_rules(code)
    every = {each: answer_of(kind, slug, each) for each in all_variants()}
    own = answer_of(kind, slug, variant, _amounts(record))
    answer = own or next(filter(None, every.values()), None) or abort(404)
    return render_template("disputes/elsewhere.html", answer=answer, own=own, every=every, **_whose(variant, record))


@blueprint.post("/g/<code>/disputes")
def keep_answer(code: str) -> ResponseReturnValue:
    """Record an answer as a ruling, by its question and first sentence; the button says which (`dispute/ace-low`)."""
    record = access.get_game_to_write(code)
    variant = record.game.played_for
    kind, _slash, slug = request.form.get("answer", "").partition("/")
    answer = answer_of(kind, slug, variant, _amounts(record)) or abort(400)
    if record_action(
        record, {"kind": "ruling", "claim": answer.title, "verdict": answer.ruling}, "The ruling is noted on the sheet."
    ):
        return to_the_game(code)
    return redirect(f"{request.script_root}{request.full_path}", 303)


@blueprint.post("/g/<code>/wrong/<heading>/<slug>/<when>")
def keep(code: str, heading: str, slug: str, when: str) -> ResponseReturnValue:
    """Record the ruling, or charge a player the table's price, as the button says (`charge-2`)."""
    record = access.get_game_to_write(code)
    variant = record.game.variant
    mishap = _mishap(variant, heading, slug, _amounts(record))
    case = _case(mishap, when) or abort(404)
    match button_value():
        case "charge", [seat] if variant.mishap_points and seat in record.game.players:
            price: dict[str, Any] = {
                "seat": seat,
                "points": variant.mishap_points,
                "rule": slug,
                "reason": mishap.title,
            }
            if _reaches_the_limit(record.game, seat):
                sent = {name: request.form.get(name, "") for name in ("seen", "submission")}
                preview_at = url_for("game_pages.show_preview", code=code, kind="penalty")
                return redirect(address_of(preview_at, MultiDict(price | sent), "preview") or abort(400), 303)
            waits = f"The price is charged after hand {record.game.number}."
            is_saved = record_action(record, {"kind": "penalty", "after_hand": True} | price, waits)
        case "keep", []:
            ruling = {"kind": "ruling", "mishap": slug, "noticed": when, "verdict": case.ruling, "note": mishap.title}
            is_saved = record_action(record, ruling, "The ruling is noted on the sheet.")
        case _:
            abort(400)
    return to_the_game(code) if is_saved else redirect(f"{request.script_root}{request.path}", 303)


def _reaches_the_limit(game: Game, seat: int) -> bool:
    """Return whether the price of an irregularity would put a player out, so that it matters if a hand is in play."""
    player, is_asked = game.players[seat], not game.pending and not game.finish
    return is_asked and player.playing and game.variant.is_out(player.total + game.variant.mishap_points)


def _game_and_rules(code: str | None) -> tuple[RecordedGame | None, Variant]:
    """Return the game and its rules; without a game, the variant in the address or that of the last game here."""
    if code:
        record = access.get_game(code)
        return record, record.game.played_for
    return None, requested_variant()


def _amounts(record: RecordedGame | None) -> Mapping[str, str]:
    """Return a game's stakes as amounts by key; empty without a game or money."""
    return stakes_by_value(record.game.stakes, region_of(record.game)) if record else {}


def _whose(variant: Variant, record: RecordedGame | None) -> dict[str, Any]:
    """Return whose rules a page shows, and the form to change them: for this game if possible, else for a new game."""
    place = {"rules": record.code} if record else place_of(variant, record)
    may_change = record is not None and access.may_write(record.code)
    form = url_for("game_pages.enter", code=record.code, kind="setup") if record and may_change else ""
    to_form = f"{form}?" if form else f"{url_for('start.new_game', **place)}&"
    return whose(variant, record) | {"to_form": to_form, "to_my_game": to_my_game()}


def _rulings(record: RecordedGame) -> list[Event]:
    """Return the rulings recorded in a game, as corrected, newest first."""
    return [event for number, event in record.effective.items() if number in record.game.rulings][::-1]


def _mishaps(variant: Variant, heading: str, amounts: Mapping[str, str]) -> list[Answer]:
    mishaps = of_kind("mishap").values()
    return [answers.settle(mishap, variant, amounts) for mishap in mishaps if mishap.group == heading]


def _mishap(variant: Variant, heading: str, slug: str, amounts: Mapping[str, str]) -> Answer:
    mishap = answer_of("mishap", slug, variant, amounts) or abort(404)
    return mishap if mishap.dispute and mishap.dispute.group == heading else abort(404)


def _case(mishap: Answer, when: str) -> RuledCase | None:
    """Return the case for that moment, or the only case; None if the page must ask for the moment."""
    if not when:
        return mishap.cases[0] if len(mishap.cases) == 1 else None
    return next((case for case in mishap.cases if case.when == when), None) or abort(404)
