"""The referee's page: a claim laid down, the verdict with its reasons, and the ruling a game keeps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from flask import Blueprint, abort, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from app import rulings
from app.forms import claim as claims
from app.forms.ruling import RulingForm, ruling_form
from app.kalooki.cards import Malformed, parse
from app.kalooki.rulebook import is_usual, rule_in_words
from app.kalooki.variants import Variant, all_variants, ids, load
from app.views import access
from app.views.buttons import press, to_the_game
from app.words import N_, _, gettext

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from app.recording import Table

blueprint = Blueprint("referee", __name__)

_CARD = re.compile(r"\b(10|[2-9AJQK])([SHDC])\b")
_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

TABS: Mapping[str, str] = {
    "meld": N_("Meld"),
    "opening": N_("Opening"),
    "build": N_("Build"),
    "joker": N_("Joker"),
    "turn": N_("Turn"),
}


@blueprint.get("/check", defaults={"code": None})
@blueprint.get("/g/<code>/check")
def check(code: str | None) -> str:
    """One claim of any kind, judged by a variant's rules or by a game's; the address holds all of it."""
    table = access.table_or_404(code) if code else None
    return _page(table, ruling_form(table) if table else None)


@blueprint.post("/g/<code>/check")
def keep(code: str) -> ResponseReturnValue:
    """Keep the ruling on the claim in the address as an entry of the game."""
    access.require_scorer(code)
    table = access.table_or_404(code)
    form = ruling_form(table, request.form)
    kind, body = _claim(table)
    ruling = _ruling(kind, body, table.game.variant)
    if "faults" in ruling and form.validate() and _is_kept(code, form.event(kind, body, ruling)):
        return to_the_game(code)
    return _page(table, form), 422


def _is_kept(code: str, event: dict[str, Any]) -> bool:
    return press(code, event, _("The ruling is kept.")) is not None


def _claim(table: Table | None) -> tuple[str, dict[str, Any]]:
    """Which check the address asks for, and its claim."""
    kind = request.args.get("check", "meld")
    if kind not in TABS:
        abort(404)
    return kind, claims.claim(kind, _asked(table))


def _asked(table: Table | None) -> MultiDict[str, str]:
    """What the address says; at a table the hand is the one played there, if it names no other."""
    if table is None or not table.game.variant.contracts or "hand_number" in request.args:
        return request.args
    return MultiDict([*request.args.items(multi=True), ("hand_number", str(table.game.claimed_hand))])


def _ruling(kind: str, body: dict[str, Any], variant: Variant) -> dict[str, Any]:
    """The ruling as the JSON interface gives it, or `unreadable`: what is wrong, in words; nothing without cards."""
    if claims.is_blank(request.args):
        return {}
    try:
        return rulings.answer(kind, body, variant)
    except Malformed as error:
        return {"unreadable": claims.in_words(error)}


def _page(table: Table | None, form: RulingForm | None) -> str:
    variant = table.game.variant if table else _chosen()
    kind, body = _claim(table)
    ruling = _ruling(kind, body, variant)
    may_keep = table is not None and "faults" in ruling and access.may_write(table.code)
    return render_template(
        "check/page.html",
        signs=signs,
        kind=kind,
        tabs=TABS,
        address=_asked(table),
        claim=body,
        rows=claims.rows,
        table=table,
        variant=variant,
        variants=[*all_variants()],
        ruling=ruling,
        applied=_applied(ruling.get("rules", []), variant),
        choices_found=_choices(kind, ruling, variant),
        elsewhere=[load(each) for each in ruling.get("legal_in", []) if each != variant.id],
        to_rules=url_for("rules.game", code=table.code) if table else url_for("rules.variant", variant_id=variant.id),
        form=form if may_keep else None,
        parse=parse,
    )


def signs(text: str) -> str:
    """A sentence with its cards as a player writes them: 10♦ for 10D."""
    return _CARD.sub(lambda card: card[1] + _SIGNS[card[2]], text)


def _chosen() -> Variant:
    named = request.args.get("variant", "")
    if named and named not in ids():
        abort(404)
    return load(named) if named else next(all_variants())


def _applied(slugs: list[str], variant: Variant) -> list[dict[str, Any]]:
    """The rules a ruling rests on that say something in this variant."""
    told = [rule_in_words(slug, variant, gettext) for slug in slugs]
    return [rule._asdict() | {"usual": is_usual(rule.rule, variant)} for rule in told if rule.text]


def _choices(kind: str, ruling: dict[str, Any], variant: Variant) -> list[tuple[str, str | None]]:
    """What a joker may be, each with the address of the claim that says so (None: nothing can be written down)."""
    asked = ruling.get("ask") or {"choices": []}
    found = []
    for choice in asked["choices"]:
        said = claims.declared(kind, request.args, asked["choices"], choice, variant)
        found.append((choice, _address(said) if said is not None else None))
    return found


def _address(claim: MultiDict[str, str]) -> str:
    code = (request.view_args or {}).get("code")
    return f"{url_for('referee.check', code=code)}?{urlencode([*claim.items(multi=True)])}"
