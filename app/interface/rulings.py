"""Claims answered as JSON: the ruling of every check, with the fields each check adds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from app.i18n import gettext
from app.interface.schemas import RULES_FROM
from app.interface.state import fault_json, line_json
from app.kalooki import claims
from app.kalooki.cards import parse, require_colours, write
from app.kalooki.decided_by import broken, decided_by
from app.kalooki.faults import Fault
from app.kalooki.readers import Schema
from app.kalooki.referee.building import BuildVerdict
from app.kalooki.referee.checks import legal_in
from app.kalooki.referee.jokers import JokerVerdict
from app.kalooki.referee.melds import Meld, points
from app.kalooki.referee.opening import OpeningVerdict
from app.kalooki.referee.turn import TurnVerdict
from app.kalooki.referee.turn_steps import Step
from app.kalooki.referee.verdict import Verdict, pack_faults, rules_applied
from app.kalooki.rules.rulebook import explain
from app.kalooki.scoring import all_at_once_lines, left_lines
from app.kalooki.variants import Variant

Raw = Mapping[str, Any]


def answer(check: str, raw: Raw, variant: Variant, warnings: Iterable[Fault] = ()) -> dict[str, Any]:
    """The ruling on a claim: `check` is a key of claims.CHECKS. Raises Malformed for what cannot be read."""
    verdict = claims.check(check, raw, variant)
    told = _common(verdict, variant, [*warnings, *strange(check, raw)])
    deciders = [decider._asdict() for decider in decided_by(check, raw, variant, verdict)]
    return told | {"decided_by": deciders} | MORE[check](verdict, raw, variant)


def count(raw: Raw, variant: Variant, warnings: Iterable[Fault] = ()) -> dict[str, Any]:
    """What cards left in a hand count, line by line; doubled if the winner bent the table."""
    asked = claims.CLAIMS["count"].read(raw, "")
    cards, bent = asked["cards"], asked["bending"]
    if variant.colour_scores:
        require_colours(cards, "cards")
    bends = variant.kalooki_ending == "bending"
    lines = left_lines(cards, variant)
    lines += all_at_once_lines(lines, variant.kalooki_times, 0) if bent and bends else ()
    faults = pack_faults(cards, variant)
    rules = rules_applied((line.rule for line in lines), faults)
    odd = [*warnings, *strange("count", raw), *([Fault("bending-ignored")] if bent and not bends else [])]
    told = _common(Verdict(faults=faults, rules=rules), variant, odd)
    return told | {"points": sum(line.points for line in lines), "lines": [*map(line_json, lines)]}


def solve(raw: Raw, variant: Variant, warnings: Iterable[Fault] = ()) -> dict[str, Any]:
    """The best lay-down for a goal, with the steps of its turn."""
    verdict = claims.solve(raw, variant)
    best = verdict.laydown
    return _common(verdict, variant, [*warnings, *strange("solve", raw)]) | {
        "possible": best.possible,
        "melds": [str(meld) for meld in best.melds],
        "builds": [{"on": each.on, "cards": write(each.cards), "end": each.end} for each in best.builds],
        "released": [{"on": each.on, "give": write(each.give)} for each in best.releases],
        "left": write(best.left),
        "points_left": best.points_left,
        "discard": str(best.discard) if best.discard else None,
        "steps": [_step_json(step) for step in best.steps],
    }


_CARDS_OF = {"free_joker": "give", "discard": "card"}


def _step_json(step: Step) -> dict[str, Any]:
    """A step in the shape the turn check takes."""
    told: dict[str, Any] = {"do": step.do, _CARDS_OF.get(step.do, "cards"): write(step.cards)}
    told |= {"on": step.on} if step.do in ("build", "free_joker") else {}
    return told | ({"end": step.end} if step.do == "build" else {})


def strange(check: str, raw: Raw) -> list[Fault]:
    """Warnings about names in a claim that are ignored; with a game, its own variant and house rules count."""
    meant = {"game"} if "game" in raw else RULES_FROM.keys()
    told = {name: value for name, value in raw.items() if name not in meant}
    return [
        Fault("key-ignored", facts={"key": name[:60]})
        for name in dict.fromkeys(_unknown(told, claims.CLAIMS[check].shape))
    ]


def _unknown(raw: Any, schema: Schema) -> Iterator[str]:
    """The names in a JSON value, already read, that its schema does not know."""
    schema = schema["anyOf"][0] if "anyOf" in schema else schema  # the other is null
    if isinstance(raw, list):
        for item in raw:
            yield from _unknown(item, schema["items"])
    elif isinstance(raw, dict):
        known = (claims.STEPS[raw["do"]].shape if schema == claims.STEP.schema else schema)["properties"]
        for name, value in raw.items():
            yield from _unknown(value, known[name]) if name in known else [name]


def _common(verdict: Verdict, variant: Variant, odd: Iterable[Fault]) -> dict[str, Any]:
    """The part every ruling has: legal or not, rules broken, rules applied, what to ask, what is odd but allowed."""
    asked = verdict.ask
    return {
        "ok": verdict.ok,
        "decided_by": [decider._asdict() for decider in broken(verdict.faults, variant)],
        "faults": [fault_json(fault, variant) | _where(fault) for fault in verdict.faults],
        "rules": list(verdict.rules),
        "ask": {"question": gettext(asked.text), "choices": list(asked.choices)} if asked else None,
        "warnings": [explain(fault, variant, gettext).text for fault in (*odd, *verdict.warnings)],
    }


def _where(fault: Fault) -> dict[str, Any]:
    """The step of the turn that broke the rule (null: before the turn), and the meld on the table it concerns."""
    return {name: fault.facts[name] for name in ("step", "on") if name in fault.facts}


def _meld(verdict: Verdict, raw: Raw, variant: Variant) -> dict[str, Any]:
    return {"readings": _readings(verdict, variant), "legal_in": list(legal_in(parse(raw["cards"])))}


def _opening(verdict: OpeningVerdict, _: Raw, variant: Variant) -> dict[str, Any]:
    contract = {"sets": verdict.contract[0], "runs": verdict.contract[1]} if verdict.contract else None
    return {
        "points": verdict.points,
        "needed": verdict.needed,
        "contract": contract,
        "readings": _readings(verdict, variant),
    }


def _build(verdict: BuildVerdict, *_: object) -> dict[str, Any]:
    return {"result": _notation(verdict.result), "closed": verdict.closed}


def _joker(verdict: JokerVerdict, *_: object) -> dict[str, Any]:
    return {"released": verdict.released, "result": _notation(verdict.result), "closed": verdict.closed}


def _turn(verdict: TurnVerdict, _: Raw, variant: Variant) -> dict[str, Any]:
    return {
        "ending": verdict.ending,
        "why": explain(verdict.why, variant, gettext).text if verdict.why else None,
        "hand": write(verdict.hand),
        "table": [{"cards": write(meld.cards), "owner": meld.owner} for meld in verdict.table],
    }


def _readings(verdict: Verdict, variant: Variant) -> list[dict[str, Any]]:
    return [{"kind": meld.kind, "cards": str(meld), "points": points(meld, variant)} for meld in verdict.readings]


def _notation(meld: Meld | None) -> str | None:
    return str(meld) if meld else None


MORE: Mapping[str, Callable[..., dict[str, Any]]] = {
    "meld": _meld,
    "opening": _opening,
    "build": _build,
    "joker": _joker,
    "turn": _turn,
    "out": _turn,
    "deck": lambda *_: {},
}
"""The fields each check adds to the common part."""
