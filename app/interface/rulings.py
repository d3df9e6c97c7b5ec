"""Claims answered as JSON: the ruling of every check, with the fields each check adds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from app.interface.requests import RULES_FROM
from app.interface.rules import FAULT, Broken
from app.interface.state import CONTRACT
from app.interface.writers import COUNT, FLAG, OURS, Writer, fields, listed, one_of, or_null, record
from app.kalooki import claims, readers
from app.kalooki.cards import parse, write
from app.kalooki.decided_by import DecidingRule, broken, decided_by
from app.kalooki.faults import Fault
from app.kalooki.readers import Schema
from app.kalooki.referee.brief import OpeningVerdict
from app.kalooki.referee.building import BuildVerdict
from app.kalooki.referee.checks import legal_in
from app.kalooki.referee.jokers import JokerVerdict
from app.kalooki.referee.melds import points
from app.kalooki.referee.turn import TurnVerdict
from app.kalooki.referee.turn_steps import Step
from app.kalooki.referee.verdict import JokerQuestion, Verdict
from app.kalooki.rules.rulebook import explain
from app.kalooki.solver.laydown import Laydown
from app.kalooki.variants import Variant

Raw = Mapping[str, Any]


class JudgedClaim(NamedTuple):
    """A claim and its verdict; `odd` are warnings besides those of the verdict."""

    check: str
    raw: Raw
    variant: Variant
    verdict: Verdict
    odd: tuple[Fault, ...]

    @property
    def broken(self) -> list[Broken]:
        return [Broken(fault, self.variant) for fault in self.verdict.faults]

    @property
    def decided_by(self) -> tuple[DecidingRule, ...]:
        """What decided a claim; a question of points or of the best lay-down is decided by what is wrong with it."""
        if self.check in claims.CHECKS:
            return decided_by(self.check, self.raw, self.variant, self.verdict)
        return broken(self.verdict.faults, self.variant)

    @property
    def warnings(self) -> list[str]:
        return [explain(fault, self.variant).text for fault in (*self.odd, *self.verdict.warnings)]

    @property
    def readings(self) -> list[MeldReading]:
        return [MeldReading(meld.kind, str(meld), points(meld, self.variant)) for meld in self.verdict.readings]

    @property
    def why(self) -> str | None:
        """Why the hand ends as it does, if a turn ends it."""
        why = self.verdict.why if isinstance(self.verdict, TurnVerdict) else None
        return explain(why, self.variant).text if why else None


class MeldReading(NamedTuple):
    """A legal reading of some cards."""

    kind: str
    cards: str
    points: int


_JUDGES: Mapping[str, Callable[[Raw, Variant], Verdict]] = {"count": claims.count, "solve": claims.solve}


def answer(check: str, raw: Raw, variant: Variant, warnings: Iterable[Fault] = ()) -> dict[str, Any]:
    """The ruling on a claim: `check` is a key of claims.CLAIMS. Raises Malformed for what cannot be read."""
    verdict = _JUDGES[check](raw, variant) if check in _JUDGES else claims.check(check, raw, variant)
    ruling: dict[str, Any] = RULINGS[check](
        JudgedClaim(check, raw, variant, verdict, (*warnings, *strange(check, raw)))
    )
    return ruling


def strange(check: str, raw: Raw) -> list[Fault]:
    """Warnings about names in a claim that are ignored; with a game, its own variant and house rules count."""
    meant = {"game"} if "game" in raw else RULES_FROM.keys()
    others = {name: value for name, value in raw.items() if name not in meant}
    return [
        Fault("key-ignored", facts={"key": name[:60]})
        for name in dict.fromkeys(_unknown(others, claims.CLAIMS[check].shape))
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


_CARDS_OF = {"free_joker": "give", "discard": "card"}


def _step(step: Step) -> dict[str, Any]:
    """A step in the shape the turn check takes."""
    written: dict[str, Any] = {"do": step.do, _CARDS_OF.get(step.do, "cards"): write(step.cards)}
    written |= {"on": step.on} if step.do in ("build", "free_joker") else {}
    return written | ({"end": step.end} if step.do == "build" else {})


_RULING = fields(
    JudgedClaim,
    "decided_by warnings",
    ok="verdict.ok",
    rules="verdict.rules",
    faults=listed(FAULT).of("broken"),
    ask=or_null(record(fields(JokerQuestion, "choices", question=OURS.of("text")))).of("verdict.ask"),
)
_READINGS = {"readings": listed(record(fields(MeldReading, "cards", kind=one_of("run", "set"), points=COUNT)))}
_LEGAL_IN = listed(Writer(readers.variant_id.schema)).of(lambda judged: legal_in(parse(judged.raw["cards"])))
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
    "count": fields(claims.Counted, "lines", "verdict", points=COUNT),
    "deck": {},
    "solve": _LAYDOWN,
}
RULINGS = {check: record({**_RULING, **more}) for check, more in _MORE.items()}
"""What each check answers: the part all have in common, and its own."""
