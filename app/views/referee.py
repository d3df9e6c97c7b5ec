"""The referee's page: a claim, its verdict with the reasons, and the ruling recorded in a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from app.forms import claim as claims
from app.forms.claim import fields_of
from app.forms.entry import RulingForm
from app.games.recording import RecordedGame
from app.history import verdicts
from app.history.formats import region_of
from app.history.phrases import stakes_by_value
from app.history.verdicts import VerdictWords, conditions_of, lines_of
from app.kalooki.cards import JOKER, BadInput, Card, parse
from app.kalooki.claims import CHECKS, CLAIMS, SolveClaim, asks_about, judge
from app.kalooki.decided_by import JudgedClaim
from app.kalooki.game.state import Game
from app.kalooki.referee.building import BuildVerdict, JokerVerdict
from app.kalooki.referee.melds import JokerQuestion, Meld, Verdict, legal_in
from app.kalooki.referee.turn import OPENS, TurnVerdict, replay
from app.kalooki.rules.rulebook import Explained, rule_in_words
from app.kalooki.solver.solve import LaydownVerdict
from app.kalooki.variants import Variant, load
from app.views import access, limits
from app.views.game.workflow import address_of, record_action, to_the_game
from app.views.rules import place_of, requested_variant, route_with_and_without_game, to_my_game, to_rules

blueprint = Blueprint("referee", __name__)
access.load_game(blueprint)

CHECKS_OFFERED: Mapping[str, Mapping[str, str]] = {
    "Lay down": {"opening": ""},
    "Add to a meld": {"build": "Adds cards", "joker": "Takes the joker"},
    "A turn": {"turn": "The whole turn", "out": "Going out"},
    "My hand": {"solve": "What can I lay?", "count": "What does it count?"},
}
"""The checks that pages offer, each with the kinds of claims that it judges and what distinguishes these."""
_LAYING = next(iter(CHECKS_OFFERED))
NAMES: Mapping[str, str] = {kind: name for name, kinds in CHECKS_OFFERED.items() for kind in kinds} | {"meld": _LAYING}
"""The name of the check of each kind of claim; addresses made before Lay down may ask about one meld."""


class _Query(NamedTuple):
    """The claim in the address, whose rules apply, and the verdict; without, `message` says what is missing or wrong.

    `taking` is the verdict on the same hand after taking the discard.
    """

    record: RecordedGame | None
    variant: Variant
    kind: str
    body: dict[str, Any]
    judged: JudgedClaim | None = None
    taking: JudgedClaim | None = None
    message: str = ""

    @property
    def is_laid_out(self) -> bool:
        """Whether the answer is a lay-down instead of a ruling."""
        return self.kind == "solve" and self.judged is not None and self.judged.verdict.ok


@route_with_and_without_game(blueprint, "/check")
def check(record: RecordedGame | None = None) -> str:
    """Show a claim of any kind, judged by the rules of a variant or a game; the address contains all of it."""
    query = _read_query(record)
    return _page(query, RulingForm(query.record.game) if query.record else None)


@route_with_and_without_game(blueprint, "/check/shown")
def show_large(record: RecordedGame | None = None) -> ResponseReturnValue:
    """Show the verdict on the claim in the address in full screen; without a verdict, redirect to the claim."""
    query = _read_query(record)
    back = _address(request.args)
    if not query.judged:
        return redirect(back)
    claim, words = query.judged.claim, _reasons(query)
    return render_template(
        "check/shown.html",
        back=back,
        laid=lines_of(claim),
        conditions=conditions_of(claim, query.variant),
        lines=verdicts.lines_below_headline(query.judged, words["ruling"]),
        **words,
    )


@blueprint.post("/g/<code>/check")
def record_ruling(record: RecordedGame) -> ResponseReturnValue:
    """Record the ruling on the claim in the address; points or money are previewed first."""
    contents = MultiDict(request.form)
    contents["query"] = request.query_string.decode("utf-8", "replace")
    form = RulingForm(record.game, contents)
    query = _read_query(record)
    if query.kind not in CHECKS:
        abort(404)
    if not form.validate() or not query.judged:
        return _page(query, form), 422
    if form.costs:
        address = address_of(url_for("entries.show_preview", code=record.code, kind="ruling"), contents, "preview")
        return redirect(address or abort(414), 303)
    ruling = form.plain() | _ruling_fields(query.kind, query.body, query.judged)
    try:
        if record_action(record, ruling, "The ruling is noted on the sheet."):
            return to_the_game(record.code)
    except BadInput as error:
        form.blame(error, record.game.variant)
    return _page(query, form), 422


def read_ruling(address: MultiDict[str, str], game: Game) -> dict[str, Any]:
    """Return the claim in an address and its verdict, as recorded in a ruling; raises BadInput if there is none."""
    check = address.get("check", "meld")
    if check not in NAMES or check not in CHECKS:
        raise BadInput("{field} is missing.", "claim")
    body = claims.body(check, game.variant, claims.at_table(address, game))
    claim = claims.read(check, body)
    return _ruling_fields(check, body, JudgedClaim(claim, game.variant, judge(claim, game.variant)))


def _ruling_fields(check: str, body: dict[str, Any], judged: JudgedClaim) -> dict[str, Any]:
    """Return a claim and its verdict as recorded."""
    verdict: Verdict = judged.verdict
    faults = list(dict.fromkeys(fault.rule for fault in verdict.faults))
    return {
        "check": check,
        "claim": body,
        "verdict": {"ok": verdict.ok, "rules": list(verdict.rules), "faults": faults},
    }


def _read_query(record: RecordedGame | None) -> _Query:
    variant = record.game.variant if record else requested_variant()
    kind = request.args.get("check", "meld")
    if kind not in NAMES:
        abort(404)
    address = _at_table(request.args, record)
    body = claims.body(kind, variant, address)
    query = _Query(record, variant, kind, body)
    try:
        judged, with_discard = _judge(kind, body, variant), None
        if kind == "solve" and (with_card := claims.with_discard(request.args, body)):
            with_discard = _judge(kind, with_card, variant)
        return query._replace(judged=judged, taking=with_discard)
    except BadInput as error:
        return query._replace(message=claims.in_words(kind, variant, address, error))


def _at_table(address: MultiDict[str, str], record: RecordedGame | None) -> MultiDict[str, str]:
    """Return the query string, completed for the game if there is one."""
    return claims.at_table(address, record.game) if record else address


def _judge(kind: str, body: dict[str, Any], variant: Variant) -> JudgedClaim:
    claim = claims.read(kind, body)
    limits.take("checks", limits.SOLUTION_COST if kind == "solve" else 1)
    with limits.heavy_slot() if kind == "solve" else nullcontext():
        return JudgedClaim(claim, variant, judge(claim, variant))


def _page(query: _Query, form: RulingForm | None) -> str:
    record, kind = query.record, query.kind
    may_keep = record is not None and kind in CHECKS and query.judged is not None and access.may_write(record.code)
    meld = verdicts.only_meld(query.judged.claim) if query.judged else ()
    legal = legal_in(meld) if meld else ()
    if record and form:
        form.seen.data = str(record.seen)
    return render_template(
        "check/page.html",
        fields=fields_of(kind, query.variant, _at_table(request.args, record)),
        in_hand=_in_hand(query) if kind == "turn" else (),
        joker=_ask_joker(query),
        is_legal_nowhere=bool(meld) and not legal,
        siblings=CHECKS_OFFERED[NAMES[kind]],
        elsewhere=[load(each) for each in legal if each != query.variant.id],
        form=form if may_keep else None,
        to_my_game=to_my_game(),
        to_shown=_address(request.args, "referee.show_large") if query.judged and not query.is_laid_out else "",
        **_reasons(query),
    )


def _in_hand(query: _Query) -> tuple[Card, ...]:
    """Return the cards that no step of a turn has laid or thrown, including freed jokers; none if it is unreadable."""
    try:
        turn = replay(CLAIMS["turn"].read(claims.as_melds(query.body), ""), query.variant)
    except BadInput:
        return ()
    return (*turn.hand, *(JOKER for _freed in turn.loose))


def _reasons(query: _Query) -> dict[str, Any]:
    """Return the template context of a ruling: the ruling, the rules behind it, and where those are found."""
    is_empty = query.message == claims.NOTHING_YET
    not_judged = VerdictWords(None, *((query.message,) if is_empty else ("Not judged yet", ((query.message,),))))
    return {
        **query._asdict(),
        "table": query.record,
        "to_rules": to_rules(query.variant, query.record),
        "place": place_of(query.variant, query.record),
        **(_in_words(query, query.judged) if query.judged else {"ruling": not_judged}),
    }


def _in_words(query: _Query, judged: JudgedClaim) -> dict[str, Any]:
    """Return the verdict in words, with the rules that decided and those behind it."""
    kind, verdict = query.kind, judged.verdict
    applied = _applied(verdict.rules, query)
    deciders = _applied([decider.rule for decider in judged.decided_by], query)
    with_discard = verdicts.ruling_on(kind, query.taking) if query.taking else None
    return {
        "ruling": verdicts.ruling_on(kind, judged),
        "basis": verdicts.basis_of(judged, deciders, applied) if not query.is_laid_out else (),
        "applied": applied,
        "explains": bool(applied or judged.faults),
        "broken": [(each, fault.facts.get("step")) for each, fault in zip(judged.faults, verdict.faults, strict=True)],
        "doubts": verdicts.doubts_of(judged, deciders),
        "readings": verdicts.other_readings(kind, judged),
        "after": verdict.table if isinstance(verdict, TurnVerdict) and kind == "turn" and verdict.ok else (),
        "rows": _rows(judged),
        "rows_with": _rows(query.taking),
        "ruling_with": with_discard and with_discard._replace(why=with_discard.why[:1]),  # the cards stand next to it
    }


def _rows(judged: JudgedClaim | None) -> list[verdicts.LaydownRow]:
    """Return the rows of the best lay-down; empty if there is none."""
    verdict = judged.verdict if judged else None
    if not judged or not isinstance(verdict, LaydownVerdict) or not verdict.laydown.possible:
        return []
    claim = cast("SolveClaim", judged.claim)
    return verdicts.laydown_rows(verdict.laydown, claim.table)


def _applied(slugs: Iterable[str], query: _Query) -> list[Explained]:
    """Return the rules behind a ruling that have a text in its variant, with the stakes of its game."""
    game = query.record.game if query.record else None
    amounts = stakes_by_value(game.stakes, region_of(game)) if game else {}
    rules = [rule_in_words(slug, query.variant, amounts) for slug in slugs]
    return [rule for rule in rules if rule.text]


class _AskedJoker(NamedTuple):
    """What a joker may stand for: `counted_as` was chosen for the verdict, each of the `choices` may be meant instead.

    Each choice has the address of the claim that declares it, None if no field can.
    """

    question: str
    counted_as: tuple[Card, ...]
    choices: list[tuple[tuple[Card, ...], str | None]]


def _ask_joker(query: _Query) -> _AskedJoker | None:
    """Return the question about jokers in the claim, None if there is none."""
    verdict = query.judged.verdict if query.judged else None
    if not verdict or not verdict.ask:
        return None
    readings = {*verdict.readings[: 1 if query.kind == "meld" else None], getattr(verdict, "result", None)}
    choices = [*zip(map(parse, verdict.ask.choices), verdict.ask.choices, verdict.ask.melds, strict=True)]
    counted_as = next((cards for cards, _choice, meld in choices if meld in readings), ())
    others = [(cards, _declared(query, choice, meld)) for cards, choice, meld in choices if cards != counted_as]
    return _AskedJoker(verdict.ask.text, counted_as, others)


def _declared(query: _Query, choice: str, meld: Meld) -> str | None:
    """Return the address of the claim that declares a joker, legal or too little to open; None if no field can."""
    verdict = cast("JudgedClaim", query.judged).verdict
    question = cast("JokerQuestion", verdict.ask)
    if isinstance(verdict, BuildVerdict | JokerVerdict):
        before = next(way.before for way in verdict.ways if way.after == meld)
        built = tuple(card for card in meld.jokers if card not in before.jokers)
        answers = [claims.declare_on_table(query.kind, request.args, before.cards, built)]
    else:
        rows = enumerate(claims.laid_cards(query.kind, request.args))
        named = (number for number, cards in rows if asks_about(query.kind, cards, question.choices, query.variant))
        answers = [claims.declare_joker(query.kind, request.args, number, choice) for number in named]
    for address in answers:
        body = claims.body(query.kind, query.variant, _at_table(address, query.record))
        answered = judge(claims.read(query.kind, body), query.variant)
        if answered.ask != question and all(fault.rule in OPENS for fault in answered.faults):
            return _address(address)
    return None


def _address(claim: MultiDict[str, str], endpoint: str = "referee.check") -> str:
    """Return the address of a page about a claim, in the game of this request if it has one."""
    return f"{url_for(endpoint, code=access.code_in_address() or None)}?{urlencode([*claim.items(multi=True)])}"
