"""The referee's page: a claim, its verdict with the reasons, and the ruling a game keeps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.forms import claim as claims
from app.forms.entry import RulingForm
from app.games.recording import Table
from app.interface import rulings
from app.kalooki.cards import Malformed, parse, parse_left
from app.kalooki.claims import CHECKS, asks_about
from app.kalooki.game.state import Game
from app.kalooki.rules.rulebook import Explained, rule_in_words
from app.kalooki.rules.sources import document_of
from app.kalooki.variants import Variant, load
from app.views import access, limits
from app.views.game.workflow import address_of, press, to_the_game
from app.views.rules import anywhere, asked_variant, place_of, to_rules

blueprint = Blueprint("referee", __name__)

_CARD = re.compile(r"\b(10|[2-9AJQK])([SHDC])\b")
_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}

TABS: Mapping[str, str] = {
    "meld": "Meld",
    "opening": "Opening",
    "build": "Build",
    "joker": "Joker",
    "out": "Going out",
    "count": "Count a hand",
    "turn": "Turn",
    "solve": "Best lay-down",
}


class _Asked(NamedTuple):
    """What the address asks, by whose rules, and the ruling on it.

    The ruling is as the JSON interface gives it, or says what is `missing` so far, or why it is `unreadable`, in words.
    """

    table: Table | None
    variant: Variant
    kind: str
    claim: dict[str, Any]
    ruling: dict[str, Any]

    @property
    def is_judged(self) -> bool:
        return "faults" in self.ruling


@anywhere(blueprint, "/check")
def check(code: str | None = None) -> str:
    """One claim of any kind, judged by a variant's or a game's rules; the address carries all of it."""
    asked = _asked(code)
    return _page(asked, RulingForm(asked.table.game) if asked.table else None)


@anywhere(blueprint, "/check/shown")
def shown(code: str | None = None) -> ResponseReturnValue:
    """The verdict on the claim in the address, as large as the screen; without a verdict, the claim again."""
    asked = _asked(code)
    back = _address(request.args)
    if not asked.is_judged:
        return redirect(back)
    claim = asked.claim
    laid = [*claim.get("melds", ()), *(claim.get(name) for name in ("on", "cards", "give", "hand", "thrown"))]
    return render_template("check/shown.html", back=back, cards=list(filter(None, laid)), **_reasons(asked))


@blueprint.post("/g/<code>/check")
def keep(code: str) -> ResponseReturnValue:
    """Keep the ruling on the claim in the address; points or money are previewed first."""
    table = access.scorers_table(code)
    contents = MultiDict(request.form)
    contents["query"] = request.query_string.decode("utf-8", "replace")
    form = RulingForm(table.game, contents)
    asked = _asked(code)
    if asked.kind not in CHECKS:
        abort(404)
    if not form.validate() or not asked.is_judged:
        return _page(asked, form), 422
    if form.costs:
        address = address_of(url_for("game_pages.show_preview", code=code, kind="ruling"), contents, "preview")
        return redirect(address or abort(414), 303)
    kept = press(table, form.event() | _as_kept(asked.kind, asked.claim, asked.ruling), "The ruling is kept.")
    return to_the_game(code) if kept else (_page(asked, form), 422)


def judged(address: MultiDict[str, str], game: Game) -> dict[str, Any]:
    """The claim in the address and its verdict, as a ruling records them; raises Malformed if there is none."""
    check = address.get("check", "meld")
    claim = claims.claim(check, claims.at_table(address, game)) if check in TABS and check in CHECKS else None
    if claim is None or claims.missing(check, claim):
        raise Malformed("{field} is missing.", "claim")
    return _as_kept(check, claim, rulings.answer(check, claim, game.variant))


def _as_kept(check: str, claim: dict[str, Any], ruling: dict[str, Any]) -> dict[str, Any]:
    faults = list(dict.fromkeys(fault["rule"] for fault in ruling["faults"]))
    verdict = {"ok": ruling["ok"], "rules": ruling["rules"], "faults": faults}
    return {"check": check, "claim": claim, "verdict": verdict}


def _asked(code: str | None) -> _Asked:
    table = access.table_or_404(code) if code else None
    variant = table.game.variant if table else asked_variant()
    kind = request.args.get("check", "meld")
    if kind not in TABS:
        abort(404)
    claim = claims.claim(kind, _address_of(table))
    return _Asked(table, variant, kind, claim, _ruling(kind, claim, variant))


def _address_of(table: Table | None) -> MultiDict[str, str]:
    """The query string, completed for its table if there is one."""
    return claims.at_table(request.args, table.game) if table else request.args


def _ruling(kind: str, body: dict[str, Any], variant: Variant) -> dict[str, Any]:
    try:
        if missing := claims.missing(kind, body):
            return {"missing": missing}
        return _laydown(body, variant) if kind == "solve" else rulings.answer(kind, body, variant)
    except Malformed as error:
        return {"unreadable": claims.in_words(error)}


def _laydown(body: dict[str, Any], variant: Variant) -> dict[str, Any]:
    """The best lay-down, and in `with` the one after taking the discard."""
    limits.queue_up()
    taken = claims.with_discard(request.args, body)
    answer = rulings.answer("solve", body, variant)
    return answer | {"with": rulings.answer("solve", taken, variant) if taken else None}


def _page(asked: _Asked, form: RulingForm | None) -> str:
    table, variant, kind, ruling = asked.table, asked.variant, asked.kind, asked.ruling
    may_keep = table is not None and kind in CHECKS and asked.is_judged and access.may_write(table.code)
    if table and form:
        form.seen.data = str(table.seen)
    return render_template(
        "check/page.html",
        tabs=TABS,
        address=_address_of(table),
        rows=claims.rows,
        next_step=claims.next_step,
        choices_found=_choices(kind, ruling, variant),
        elsewhere=[load(each) for each in ruling.get("legal_in", []) if each != variant.id],
        form=form if may_keep else None,
        to_shown=_address(request.args, "referee.shown") if asked.is_judged else "",
        **_reasons(asked),
    )


def _reasons(asked: _Asked) -> dict[str, Any]:
    """A ruling with the rules behind it, and where they stand."""
    deciders = [decider["rule"] for decider in asked.ruling.get("decided_by", [])]
    return {
        **asked._asdict(),
        "applied": _applied(asked.ruling.get("rules", []), asked.variant),
        "deciders": _applied(deciders, asked.variant),
        "source": document_of(asked.variant).title,
        "to_rules": to_rules(asked.variant, asked.table),
        "place": place_of(asked.variant, asked.table),
        "parse": parse_left if asked.kind == "count" else parse,
        "signs": signs,
    }


def signs(text: str) -> str:
    """A sentence with its cards as players write them: 10♦ for 10D."""
    return _CARD.sub(lambda card: card[1] + _SIGNS[card[2]], text)


def _applied(slugs: list[str], variant: Variant) -> list[Explained]:
    """The rules behind a ruling that have a text in this variant."""
    rules = [rule_in_words(slug, variant) for slug in slugs]
    return [rule for rule in rules if rule.text]


def _choices(kind: str, ruling: dict[str, Any], variant: Variant) -> list[tuple[str, str | None]]:
    """What a joker may be, each with the address of the claim that says so (None: notation cannot express it)."""
    choices = (ruling.get("ask") or {"choices": []})["choices"]
    laid = enumerate(claims.laid(kind, request.args)) if choices else ()
    asked = next((number for number, cards in laid if asks_about(kind, cards, choices, variant)), None)
    if asked is None:
        return [(choice, None) for choice in choices]
    return [(choice, _address(claims.declared(kind, request.args, asked, choice))) for choice in choices]


def _address(claim: MultiDict[str, str], endpoint: str = "referee.check") -> str:
    """A page about a claim, in the game of this address if it has one."""
    code = (request.view_args or {}).get("code")
    return f"{url_for(endpoint, code=code)}?{urlencode([*claim.items(multi=True)])}"
