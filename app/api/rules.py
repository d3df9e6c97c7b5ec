"""The JSON interface to the rules: variants, points and checks; open to everyone, and nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

from flask import jsonify, request
from flask.typing import ResponseReturnValue

from app.api.answers import (
    answer_json,
    comparison_json,
    judged_rules_json,
    reply_json,
    ruling_json,
    variant_in_short,
    variant_json,
)
from app.api.games import api, body
from app.api.openapi import document
from app.api.requests import RULE_SET, RULES_FROM, optional, required
from app.history.formats import region_of
from app.history.phrases import stakes_by_value
from app.kalooki import readers
from app.kalooki.cards import BadInput
from app.kalooki.claims import CLAIMS, judge
from app.kalooki.decided_by import JudgedClaim
from app.kalooki.faults import Fault
from app.kalooki.rules.answers import reply, settle_all
from app.kalooki.variants import Variant, all_variants, ignored_rules, judge_rules, load, with_house_rules
from app.views import access, limits


@api.get("/openapi.json")
def openapi() -> ResponseReturnValue:
    """Return the OpenAPI document of this interface."""
    return jsonify(document(request.script_root))


@api.get("/variants", endpoint="variants")
def every_variant() -> ResponseReturnValue:
    """Return every variant, in the order of the menus."""
    return jsonify([variant_in_short(each) for each in all_variants()])


@api.get("/variants/<variant_id>")
def variant(variant_id: str) -> ResponseReturnValue:
    """Return one variant: its values with their meanings, and the rules that apply."""
    return jsonify(variant_json(load(variant_id)))


@api.post("/variants/check")
def check_rules() -> ResponseReturnValue:
    """Return whether house rules can be played, and the values they lead to."""
    sent = RULE_SET.read(body(), "")
    return jsonify(judged_rules_json(judge_rules(load(sent["variant"]), sent["house"])))


@api.get("/compare")
def compare() -> ResponseReturnValue:
    """Return the values that two variants play differently."""
    a, b = (required(request.args, side, _variant) for side in ("a", "b"))
    return jsonify(comparison_json(a, b))


@api.get("/disputes")
def disputes() -> ResponseReturnValue:
    """Return disputes and irregularities, answered by the rules of a variant or a game."""
    return jsonify(disputes=[answer_json(each) for each in settle_all(*_rules_and_stakes())])


@api.get("/find")
def find() -> ResponseReturnValue:
    """Return the answers to a question in players' own words, best first."""
    limits.take("questions")
    question = required(request.args, "q", _question)
    variant, amounts = _rules_and_stakes()
    return jsonify(reply_json(reply(question, variant, amounts)))


def _rules_and_stakes() -> tuple[Variant, dict[str, str]]:
    """Return the rules that settle a dispute, and a game's stakes in words.

    The rules are those of a variant, or of a game with its house rules.
    """
    if "game" in request.args:
        game = access.get_game(request.args["game"]).game
        return game.explained_variant, stakes_by_value(game.stakes, region_of(game))
    return rules_for(request.args)[0], {}


def _question(raw: object, path: str) -> str:
    question = str(raw).strip()
    if not question:
        raise BadInput("{field}: say in a few words what it is about.", path)
    return question


def _variant(raw: object, path: str) -> Variant:
    return load(readers.variant_id(raw, path))


def rules_for(raw: Mapping[str, Any]) -> tuple[Variant, tuple[Fault, ...], int]:
    """Return the rules of `game`, or of `variant` with `house` rules; raises BadInput.

    Also returns warnings about house rules that mean nothing there, and the number of the hand in play.
    """
    if "game" in raw:
        code = readers.text(1, 60)(raw["game"], "game")
        game = access.get_game(code).game
        return game.variant, (), game.claimed_hand
    plain = required(raw, "variant", _variant)
    house = optional(raw, "house", readers.house, {})
    record, ignored = with_house_rules(plain, house)
    return record, ignored_rules(record, ignored), 1


_ABOUT_A_HAND = {check for check, claim in CLAIMS.items() if "hand_number" in claim.shape["properties"]}
"""The checks that depend on the number of the hand."""


@api.post("/check/<any(meld, opening, build, joker, turn):check>")
@api.post("/count", endpoint="count", defaults={"check": "count"})
@api.post("/deck", endpoint="deck", defaults={"check": "deck"})
@api.post("/solve", endpoint="solve", defaults={"check": "solve"})
def rule_on_claim(check: str) -> ResponseReturnValue:
    """Return the ruling on a claim; with a game, it is about the hand in play unless it names another one."""
    limits.take("checks", limits.SOLUTION_COST if check == "solve" else 1)
    raw = dict(body())
    variant, warnings, hand = rules_for(raw)
    if check in _ABOUT_A_HAND and raw.get("hand_number") is None:
        raw["hand_number"] = hand
    claim = CLAIMS[check].read(raw, "")
    odd = (*warnings, *warn_of_ignored_names(check, raw))
    with limits.heavy_slot() if check == "solve" else nullcontext():
        return jsonify(ruling_json(check, JudgedClaim(claim, variant, judge(claim, variant), odd)))


def warn_of_ignored_names(check: str, raw: Mapping[str, Any]) -> list[Fault]:
    """Return warnings about ignored names in a claim; with `game`, `variant` and `house` are ignored too."""
    of_rules = {"game"} if "game" in raw else RULES_FROM.keys()
    others = {name: value for name, value in raw.items() if name not in of_rules}
    return [Fault("key-ignored", facts={"key": name[:60]}) for name in dict.fromkeys(CLAIMS[check].ignored(others))]
