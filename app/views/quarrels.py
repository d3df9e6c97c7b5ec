"""Quarrels settled: search, list, and step by step when something went wrong."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from flask import Blueprint, abort, redirect, render_template, request, url_for

from app.i18n import N_, _, gettext
from app.kalooki.rules.answers import found, settled
from app.kalooki.rules.disputes import GROUPS, Answer, rule_answers
from app.kalooki.rules.mishaps import HEADINGS, Case, principles
from app.views import access
from app.views.game.one_tap import press, to_the_game
from app.views.rules import asked_variant, whose

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from app.kalooki.variants import Variant
    from app.table.recording import Table

blueprint = Blueprint("quarrels", __name__)

PROMINENT = 3
"""The answers found that are shown in full; the others are unfolded."""

GROUP_TITLES = {
    "deal": N_("The deal"),
    "draw": N_("Drawing"),
    "lay": N_("Melds and building"),
    "jokers": N_("Jokers"),
    "out": N_("Throwing and going out"),
    "score": N_("Score and money"),
    "mishaps": N_("Something went wrong"),
}
HEADING_TITLES = {
    "deal": (N_("The deal"), N_("Wrong dealer, wrong number, a card shown")),
    "draw": (N_("Drawing"), N_("Out of turn, two cards, a card seen")),
    "lay": (N_("Laying and building"), N_("A wrong meld, opened too low, a joker kept")),
    "out": (N_("Throwing, going out"), N_("Two thrown, none thrown, not really out")),
    "talk": (N_("Talk"), N_("Cards shown, advice, a wrong warning")),
    "score": (N_("The score"), N_("Counted wrong, somebody leaves, wrong rules")),
}
MOMENT_TITLES = {
    "before_first_draw": N_("Before anybody’s first draw"),
    "before_next_draw": N_("Before the next player has drawn"),
    "later": N_("Later"),
    "any": N_("Whenever it is noticed"),
}


@blueprint.get("/disputes", defaults={"code": None})
@blueprint.get("/g/<code>/disputes")
def disputes(code: str | None) -> str:
    """The usual quarrels, settled for one variant or one game.

    `q` searches them and the rules; `answer` is the slug of the one to unfold.
    """
    table, variant = asked_of(code)
    question = request.args.get("q", "").strip()
    every = settled(variant, gettext)
    groups = {group: [answer for answer in every if answer.group == group] for group in GROUPS}
    may_keep = table is not None and access.may_write(table.code)
    return render_template(
        "quarrels/disputes.html",
        keeper="keep-answer" if may_keep else "",
        submission=uuid4(),
        question=question,
        found=found(question, variant, gettext) if question else (),
        prominent=PROMINENT,
        groups=groups,
        opened=request.args.get("answer", ""),
        **whose(variant, table),
    )


@blueprint.get("/wrong", defaults={"code": None, "heading": "", "slug": "", "when": ""})
@blueprint.get("/wrong/<heading>", defaults={"code": None, "slug": "", "when": ""})
@blueprint.get("/wrong/<heading>/<slug>", defaults={"code": None, "when": ""})
@blueprint.get("/wrong/<heading>/<slug>/<when>", defaults={"code": None})
@blueprint.get("/g/<code>/wrong", defaults={"heading": "", "slug": "", "when": ""})
@blueprint.get("/g/<code>/wrong/<heading>", defaults={"slug": "", "when": ""})
@blueprint.get("/g/<code>/wrong/<heading>/<slug>", defaults={"when": ""})
@blueprint.get("/g/<code>/wrong/<heading>/<slug>/<when>")
def wrong(code: str | None, heading: str, slug: str, when: str) -> str:
    """Something went wrong: choose a heading, what happened and when it was noticed; then comes the ruling."""
    table, variant = asked_of(code)
    if heading and heading not in HEADINGS:
        abort(404)
    answers = _mishaps(variant, heading)
    mishap = _of(answers, slug) if slug else None
    case = _case(mishap, when) if mishap else None
    return _wrong_page(table, variant, heading=heading, answers=answers, mishap=mishap, case=case)


@blueprint.get("/shown/<kind>/<slug>", defaults={"code": None})
@blueprint.get("/g/<code>/shown/<kind>/<slug>")
def shown(code: str | None, kind: str, slug: str) -> str:
    """One ruling, as large as the screen; `when` is the moment of a mishap."""
    table, variant = asked_of(code)
    answer = next((each for each in settled(variant, gettext) if (each.kind, each.slug) == (kind, slug)), None)
    if answer is None:
        abort(404)
    case = _case(answer, request.args.get("when", answer.cases[0].when)) if answer.cases else None
    ruling, remedy = (case.ruling, case.remedy) if case else (answer.ruling, answer.remedy)
    back = url_for("quarrels.disputes", code=code, variant=None if code else variant.id, answer=slug, _anchor=slug)
    return render_template(
        "quarrels/shown.html",
        title=answer.title,
        answer=answer,
        ruling=ruling,
        more="" if case else answer.more,
        remedy=remedy,
        back=back,
        variant=variant,
        table=table,
    )


@blueprint.post("/g/<code>/disputes")
def keep_answer(code: str) -> ResponseReturnValue:
    """Keep an answer as a ruling: its question and its first sentence, as the button says (`dispute/ace-low`)."""
    variant = access.scorers_table(code).game.played_for
    kind, _slash, slug = request.form.get("answer", "").partition("/")
    every = (*settled(variant, gettext), *rule_answers(variant, gettext))
    answer = next((each for each in every if (each.kind, each.slug) == (kind, slug)), None) or abort(400)
    if press(code, {"kind": "ruling", "claim": answer.title, "verdict": answer.ruling}, _("The ruling is kept.")):
        return to_the_game(code)
    return redirect(request.full_path, HTTPStatus.SEE_OTHER)


@blueprint.post("/g/<code>/wrong/<heading>/<slug>/<when>")
def keep(code: str, heading: str, slug: str, when: str) -> ResponseReturnValue:
    """Keep the ruling in the log, or charge a player the table's price, as the button says (`charge-2`)."""
    table = access.scorers_table(code)
    variant = table.game.variant
    mishap = _of(_mishaps(variant, heading), slug)
    case = _case(mishap, when)
    if case is None or when != case.when:
        abort(404)
    do, _dash, seat = request.form.get("do", "").partition("-")
    if do == "charge" and variant.mishap_points and seat.isdecimal() and int(seat) in table.game.players:
        price = {"kind": "penalty", "seat": int(seat), "points": variant.mishap_points, "rule": slug}
        kept = press(code, price | {"reason": mishap.title}, _("The price is charged."))
    elif do == "keep":
        ruling = {"kind": "ruling", "mishap": slug, "noticed": when, "verdict": case.ruling, "note": mishap.title}
        kept = press(code, ruling, _("The ruling is kept."))
    else:
        abort(400)
    if kept:
        return to_the_game(code)
    return redirect(request.path, HTTPStatus.SEE_OTHER)


def asked_of(code: str | None) -> tuple[Table | None, Variant]:
    """The game and its rules; without a game, the variant in the address, or that of the last game here."""
    if code:
        table = access.table_or_404(code)
        return table, table.game.played_for
    return None, asked_variant()


def _mishaps(variant: Variant, heading: str) -> list[Answer]:
    """The mishaps under a heading, or all of them."""
    every = (answer for answer in settled(variant, gettext) if answer.kind == "mishap")
    return [answer for answer in every if heading in ("", answer.heading)]


def _of(answers: list[Answer], slug: str) -> Answer:
    return next((answer for answer in answers if answer.slug == slug), None) or abort(404)


def _case(mishap: Answer, when: str) -> Case | None:
    """The case for that moment, or the only one; None if the page must ask for the moment."""
    if not when:
        return mishap.cases[0] if len(mishap.cases) == 1 else None
    return next((case for case in mishap.cases if case.when == when), None) or abort(404)


def _wrong_page(table: Table | None, variant: Variant, **asked: Any) -> str:
    may_write = table is not None and access.may_write(table.code)
    return render_template(
        "quarrels/wrong.html",
        headings=HEADINGS,
        principles=principles(variant, gettext),
        may_write=may_write,
        may_void=may_write and table is not None and not table.game.finish and len(table.game.playing) > 1,
        submission=uuid4(),
        named=None if table else variant.id,
        **asked,
        **whose(variant, table),
    )
