"""Quick answers: a few taps settle a quarrel, each with an address that people can share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, abort, redirect, render_template, request, url_for

from app.i18n import gettext
from app.kalooki.rules.quick import NO, YES, settled_by, titles
from app.views.quarrels import asked_of
from app.views.referee import TABS, quick_answers
from app.views.rules import whose

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from app.kalooki.rules.quick import Settled
    from app.kalooki.variants import Variant
    from app.table.recording import Table

blueprint = Blueprint("quick", __name__)


@blueprint.get("/quick", defaults={"code": None})
@blueprint.get("/g/<code>/quick")
def index(code: str | None) -> str:
    """The quarrels a few taps can settle."""
    table, variant = asked_of(code)
    return render_template(
        "check/quick.html", tabs=TABS, quick=quick_answers(variant), kind="", **whose(variant, table)
    )


@blueprint.get("/quick/<slug>", defaults={"code": None})
@blueprint.get("/g/<code>/quick/<slug>")
def ask(code: str | None, slug: str) -> str:
    """The next question, or the ruling; the address carries the answers so far."""
    table, variant = asked_of(code)
    settled = _settled(slug, variant)
    place, said = _place(table, variant, slug), [*_said(settled).items()]
    asked_again = {name: url_for("quick.ask", **place, **dict(said[:before])) for before, (name, _) in enumerate(said)}
    answers = {
        answer: url_for("quick.ask", **place | dict(said) | {settled.question.name: answer})
        for answer in (YES, NO)
        if settled.question
    }
    return render_template(
        "quarrels/quick.html",
        slug=slug,
        settled=settled,
        said=dict(said),
        answers=answers,
        asked_again=asked_again,
        to_shown=url_for("quick.shown", **place, **dict(said)),
        **whose(variant, table),
    )


@blueprint.get("/quick/<slug>/shown", defaults={"code": None})
@blueprint.get("/g/<code>/quick/<slug>/shown")
def shown(code: str | None, slug: str) -> ResponseReturnValue:
    """The ruling as large as the screen; without one, the question again."""
    table, variant = asked_of(code)
    settled = _settled(slug, variant)
    back = url_for("quick.ask", **_place(table, variant, slug), **_said(settled))
    if settled.ruling is None:
        return redirect(back)
    return render_template(
        "quarrels/shown.html",
        title=settled.title,
        ok=settled.ok,
        answer=settled.ruling,
        ruling=settled.ruling.ruling,
        more=settled.ruling.more,
        remedy=settled.ruling.remedy,
        back=back,
        variant=variant,
        table=table,
    )


def _settled(slug: str, variant: Variant) -> Settled:
    if slug not in titles(variant):
        abort(404)
    return settled_by(request.args, slug, variant, gettext)


def _place(table: Table | None, variant: Variant, slug: str) -> dict[str, Any]:
    return {"slug": slug, "code": table.code if table else None, "variant": None if table else variant.id}


def _said(settled: Settled) -> dict[str, Any]:
    return {question.name: question.said for question in settled.answered}
