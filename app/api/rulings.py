"""Rulings on claims as JSON: the fields that all checks share, and those that each check adds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from app.api.requests import RULES_FROM
from app.api.rulebook import FAULT, Broken
from app.api.state import CONTRACT
from app.api.writers import COUNT, FLAG, TEXT, Writer, fields, listed, one_of, or_null, record
from app.kalooki import claims, readers
from app.kalooki.cards import write
from app.kalooki.decided_by import JudgedClaim, MeldReading
from app.kalooki.faults import Fault
from app.kalooki.readers import Schema
from app.kalooki.referee.brief import OpeningVerdict
from app.kalooki.referee.building import BuildVerdict
from app.kalooki.referee.checks import legal_in
from app.kalooki.referee.jokers import JokerVerdict
from app.kalooki.referee.turn import TurnVerdict
from app.kalooki.referee.turn_steps import Step
from app.kalooki.referee.verdict import JokerQuestion
from app.kalooki.solver.laydown import Laydown
from app.kalooki.variants import Variant


def answer(check: str, raw: Mapping[str, Any], variant: Variant, warnings: Iterable[Fault] = ()) -> dict[str, Any]:
    """Return the ruling on a claim; `check` is a key of claims.CLAIMS. Raises BadInput if it cannot be read."""
    claim = claims.CLAIMS[check].read(raw, "")
    odd = (*warnings, *warn_of_ignored_names(check, raw))
    ruling: dict[str, Any] = RULINGS[check](JudgedClaim(claim, variant, claims.judge(claim, variant), odd))
    return ruling


def warn_of_ignored_names(check: str, raw: Mapping[str, Any]) -> list[Fault]:
    """Return warnings about ignored names in a claim; with `game`, `variant` and `house` are ignored too."""
    of_rules = {"game"} if "game" in raw else RULES_FROM.keys()
    others = {name: value for name, value in raw.items() if name not in of_rules}
    return [
        Fault("key-ignored", facts={"key": name[:60]})
        for name in dict.fromkeys(_unknown(others, claims.CLAIMS[check].shape))
    ]


def _unknown(raw: Any, schema: Schema) -> Iterator[str]:
    """Yield the names in a valid JSON value that its schema does not have."""
    schema = schema["anyOf"][0] if "anyOf" in schema else schema  # the other one is null
    if isinstance(raw, list):
        for item in raw:
            yield from _unknown(item, schema["items"])
    elif isinstance(raw, dict):
        properties = (claims.STEPS[raw["do"]].shape if schema == claims.STEP.schema else schema)["properties"]
        for name, value in raw.items():
            yield from _unknown(value, properties[name]) if name in properties else [name]


_CARDS_OF = {"free_joker": "give", "discard": "card"}


def _step(step: Step) -> dict[str, Any]:
    """Return a step in the form that the check of a turn takes."""
    raw: dict[str, Any] = {"do": step.do, _CARDS_OF.get(step.do, "cards"): write(step.cards)}
    raw |= {"on": step.on} if step.do in ("build", "free_joker") else {}
    return raw | ({"end": step.end} if step.do == "build" else {})


_RULING = fields(
    JudgedClaim,
    "decided_by warnings",
    ok="verdict.ok",
    rules="verdict.rules",
    faults=listed(FAULT).of(lambda judged: [Broken(fault, judged.variant) for fault in judged.verdict.faults]),
    ask=or_null(record(fields(JokerQuestion, "choices", question=TEXT.of("text")))).of("verdict.ask"),
)
_KIND = one_of("run", "set").of("meld.kind")
_READINGS = {"readings": listed(record(fields(MeldReading, "", cards="meld", kind=_KIND, points=COUNT)))}
_LEGAL_IN = listed(Writer(readers.variant_id.schema)).of(lambda judged: legal_in(judged.claim.cards))
_RESULT = fields(BuildVerdict, "result closed", "verdict")
_TURN = fields(TurnVerdict, "ending hand table", "verdict") | fields(JudgedClaim, "why")
_LAYDOWN = fields(
    Laydown,
    "melds builds left points_left discard",
    "verdict.laydown",
    possible=or_null(FLAG).about("Null: undecided within the steps it may take."),
    released="releases",
    steps=listed(Writer(claims.STEP.schema, _step)).about("The turn, as the check of a turn is told it."),
)
_MORE: Mapping[str, Mapping[str, Writer]] = {
    "meld": _READINGS | {"legal_in": _LEGAL_IN},
    "opening": _READINGS | fields(OpeningVerdict, "needed", "verdict", points=COUNT, contract=CONTRACT),
    "build": _RESULT,
    "joker": _RESULT | fields(JokerVerdict, "released", "verdict"),
    "turn": _TURN,
    "out": _TURN,
    "count": fields(claims.CountVerdict, "lines", "verdict", points=COUNT),
    "deck": {},
    "solve": _LAYDOWN,
}
RULINGS = {check: record({**_RULING, **more}) for check, more in _MORE.items()}
"""The response of each check: the fields that all share, and its own."""
