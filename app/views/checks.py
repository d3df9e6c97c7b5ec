"""The JSON interface to the rules: variants, points and checks. Open to everyone, nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from flask import jsonify, request
from flask.typing import ResponseReturnValue

from app import variants_json
from app.kalooki import reading
from app.kalooki.cards import Malformed, beyond_pack, parse_left
from app.kalooki.faults import Fault
from app.kalooki.scoring import all_at_once_lines, left_lines
from app.kalooki.variants import Variant, load, meanings, with_house_rules
from app.rulings import ruling
from app.state import line_json
from app.views import access
from app.views.api import blueprint, body, optional, required

__all__ = ["blueprint"]


@blueprint.get("/variants")
def variants() -> ResponseReturnValue:
    """Every variant, in the order of the menus."""
    return jsonify(variants_json.menu())


@blueprint.get("/variants/<variant_id>")
def variant(variant_id: str) -> ResponseReturnValue:
    """One variant: its values with their meaning, and the rules that apply."""
    return jsonify(variants_json.variant_json(load(variant_id)))


@blueprint.get("/compare")
def compare() -> ResponseReturnValue:
    """The values two variants play differently."""
    a, b = (_variant(request.args.get(side), side) for side in ("a", "b"))
    return jsonify(variants_json.comparison(a, b))


def _variant(raw: object, path: str) -> Variant:
    if raw is None:
        raise Malformed("{field} is missing.", path)
    try:
        return load(str(raw))
    except Malformed as unknown:
        raise Malformed(unknown.message, path, unknown.word) from unknown


RULES_FROM = frozenset({"variant", "house", "game"})


def rules_for(raw: Mapping[str, Any], known: Set[str]) -> tuple[Variant, tuple[Fault, ...]]:
    """The rules a claim is judged by, and what is odd about it: house rules without use, names not `known`.

    The rules are those of `game`, or of `variant` with the table's `house` rules. Raises Malformed.
    """
    strange = tuple(Fault("key-ignored", facts={"key": key[:60]}) for key in raw if key not in known | RULES_FROM)
    if "game" in raw:
        code = reading.text(1, 60)(raw["game"], "game")
        return access.table_or_404(code).game.variant, strange
    plain = required(raw, "variant", _variant)
    house = optional(raw, "house", reading.house, {})
    table, ignored = with_house_rules(plain, house)
    useless = [Fault("house-rule-ignored", facts={"key": meanings()[key].label}) for key in ignored]
    return table, (*strange, *useless)


@blueprint.post("/count")
def count() -> ResponseReturnValue:
    """What cards left in a hand count, line by line; doubled where the winner bent the table."""
    raw = body()
    variant, warnings = rules_for(raw, {"cards", "bending"})
    cards = required(raw, "cards", lambda told, path: parse_left(told, path, variant.colour_scores))
    bending = optional(raw, "bending", reading.flag, default=False)
    lines = left_lines(cards, variant)
    if bending and variant.kalooki_ending == "bending":
        lines += all_at_once_lines(lines, variant.kalooki_times, variant.kalooki_points)
    elif bending:
        warnings += (Fault("bending-ignored"),)
    over = beyond_pack(cards, variant.packs, variant.jokers)
    faults = [Fault("more-than-the-pack", over)] if over else []
    shared = ruling(variant, faults, [line.rule for line in lines], warnings=warnings)
    return jsonify(shared | {"points": sum(line.points for line in lines), "lines": [*map(line_json, lines)]})
