"""Claims: what each check is asked, read from JSON, judged by the core and answered as `api.md` says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from app.kalooki import reading
from app.kalooki.building import Ends, check_build
from app.kalooki.cards import MOST_CARDS, Card, Malformed, parse, parse_left, write
from app.kalooki.faults import Fault
from app.kalooki.jokers import check_joker
from app.kalooki.melds import Meld, points
from app.kalooki.opening import check_opening
from app.kalooki.referee import check_deck, check_meld, legal_in
from app.kalooki.replay import OnTable, Step, TurnClaim
from app.kalooki.rulebook import explain
from app.kalooki.scoring import all_at_once_lines, left_lines
from app.kalooki.turn import check_turn
from app.kalooki.variants import Variant
from app.kalooki.verdict import Verdict, pack_faults
from app.rulings import ruling
from app.state import line_json
from app.views.api import optional, required
from app.words import gettext

MOST_MELDS = 60
MOST_STEPS = 60
MOST_HANDS = 99
RULES_FROM = frozenset({"variant", "house", "game"})
"""What a claim says about whose rules it is judged by."""

Raw = Mapping[str, Any]
Judged = tuple[Verdict, dict[str, Any]]


class Check(NamedTuple):
    """One check: the names its claim may use beside those of the rules, and what judges it."""

    names: frozenset[str]
    judge: Callable[[Raw, Variant], Judged]


def answer(check: str, raw: Raw, variant: Variant, warnings: Iterable[Fault] = ()) -> dict[str, Any]:
    """The ruling on a claim as JSON; raises Malformed for what nobody can read."""
    names, judge = CHECKS[check]
    verdict, more = judge(raw, variant)
    asked = {"question": gettext(verdict.ask.text), "choices": list(verdict.ask.choices)} if verdict.ask else None
    odd = [*warnings, *verdict.warnings, *strange(raw, names)]
    return ruling(variant, verdict.faults, verdict.rules, ask=asked, warnings=odd) | more


def strange(raw: Raw, names: frozenset[str]) -> list[Fault]:
    """The names in a claim that mean nothing in it: left out, never silently."""
    return [Fault("key-ignored", facts={"key": key[:60]}) for key in raw if key not in names | RULES_FROM]


def _meld(raw: Raw, variant: Variant) -> Judged:
    cards = required(raw, "cards", parse)
    verdict = check_meld(cards, variant)
    return verdict, {"readings": _readings(verdict.readings, variant), "legal_in": list(legal_in(cards))}


def _opening(raw: Raw, variant: Variant) -> Judged:
    verdict = check_opening(
        required(raw, "melds", _melds),
        optional(raw, "builds", _builds, []),
        variant,
        optional(raw, "hand_number", reading.whole(1, MOST_HANDS), 1),
        optional(raw, "kalooki", reading.flag, default=False),
    )
    contract = {"sets": verdict.contract[0], "runs": verdict.contract[1]} if verdict.contract else None
    return verdict, {
        "points": verdict.points,
        "needed": verdict.needed,
        "contract": contract,
        "readings": _readings(verdict.readings, variant),
    }


def _build(raw: Raw, variant: Variant) -> Judged:
    verdict = check_build(
        required(raw, "on", parse),
        required(raw, "cards", parse),
        variant,
        optional(raw, "opened", reading.flag, default=True),
        optional(raw, "built_this_turn", _ends, Ends()),
    )
    return verdict, {"result": _meld_json(verdict.result), "closed": verdict.closed}


def _joker(raw: Raw, variant: Variant) -> Judged:
    on, give = required(raw, "on", parse), required(raw, "give", parse)
    verdict = check_joker(on, give, variant, optional(raw, "opened", reading.flag, default=True))
    result = _meld_json(verdict.result)
    return verdict, {"released": verdict.released, "result": result, "closed": verdict.closed}


def _turn(raw: Raw, variant: Variant) -> Judged:
    told = {name: read(raw[name], name) for name, read in _OF_A_TURN.items() if name in raw}
    told |= {name: required(raw, name, _OF_A_TURN[name]) for name in ("hand", "steps")}
    claim = TurnClaim(**told)
    verdict = check_turn(claim, variant)
    return verdict, {
        "ending": verdict.ending,
        "why": explain(verdict.why, variant, gettext).text if verdict.why else None,
        "hand": write(verdict.hand),
        "table": [{"cards": write(meld.cards), "owner": meld.owner} for meld in verdict.table],
    }


def _deck(raw: Raw, variant: Variant) -> Judged:
    holdings = required(raw, "holdings", lambda told, path: _each(parse_left, told, path))
    return check_deck(holdings, variant), {}


def _count(raw: Raw, variant: Variant) -> Judged:
    cards = required(raw, "cards", lambda told, path: parse_left(told, path, variant.colour_scores))
    bending = optional(raw, "bending", reading.flag, default=False)
    bends = variant.kalooki_ending == "bending"
    lines = left_lines(cards, variant)
    lines += all_at_once_lines(lines, variant.kalooki_times, 0) if bending and bends else ()
    verdict = Verdict(
        faults=pack_faults(cards, variant),
        rules=tuple(dict.fromkeys(line.rule for line in lines)),
        warnings=(Fault("bending-ignored"),) if bending and not bends else (),
    )
    return verdict, {"points": sum(line.points for line in lines), "lines": [*map(line_json, lines)]}


def _readings(found: Iterable[Meld], variant: Variant) -> list[dict[str, Any]]:
    return [{"kind": meld.kind, "cards": str(meld), "points": points(meld, variant)} for meld in found]


def _meld_json(meld: Meld | None) -> str | None:
    return str(meld) if meld else None


def _each(read: reading.Read, raw: object, path: str, most: int = MOST_MELDS) -> list[Any]:
    """Every item of a list, read one by one; the path of an item is that of the list and its index."""
    if not isinstance(raw, list):
        raise Malformed("{field}: “{word}” is no list.", path, raw)
    if len(raw) > most:
        raise Malformed("{field}: {count} are too many; {most} at most.", path, count=len(raw), most=most)
    return [read(item, f"{path}.{number}") for number, item in enumerate(raw)]


def _melds(raw: object, path: str) -> list[tuple[Card, ...]]:
    melds: list[tuple[Card, ...]] = _each(parse, raw, path)
    return _no_more_than_packs(melds, path)


def _no_more_than_packs(melds: list[Any], path: str, size: Callable[[Any], int] = len) -> list[Any]:
    """The melds, if two packs can hold all their cards."""
    count = sum(map(size, melds))
    if count > MOST_CARDS:
        raise Malformed("{count} cards are more than two packs hold.", path, count=count)
    return melds


def _builds(raw: object, path: str) -> list[tuple[Sequence[Card], Sequence[Card]]]:
    builds = _each(_one_build, raw, path)
    return _no_more_than_packs(builds, path, lambda build: len(build[0]) + len(build[1]))


def _one_build(raw: object, path: str) -> tuple[Sequence[Card], Sequence[Card]]:
    told = _object(raw, path, {"on", "cards"})
    return parse(_part(told, path, "on"), f"{path}.on"), parse(_part(told, path, "cards"), f"{path}.cards")


def _ends(raw: object, path: str) -> Ends:
    told = _object(raw, path, {"low", "high"})
    whole = reading.whole(0, MOST_CARDS)
    return Ends(**{end: whole(count, f"{path}.{end}") for end, count in told.items()})


def _on_table(raw: object, path: str) -> OnTable:
    told = _object(raw, path, {"cards", "owner"})
    owner = reading.whole(0, reading.MOST_SEATS)(told.get("owner", 0), f"{path}.owner")
    return OnTable(parse(_part(told, path, "cards"), f"{path}.cards"), owner)


def _table(raw: object, path: str) -> tuple[OnTable, ...]:
    return tuple(_no_more_than_packs(_each(_on_table, raw, path), path, lambda meld: len(meld.cards)))


def _one_card(raw: object, path: str) -> tuple[Card, ...]:
    cards = parse(raw, path)
    if len(cards) != 1:
        raise Malformed("{field}: write one card, not “{word}”.", path, raw)
    return cards


_ON = ("on", "on", reading.whole(0, MOST_MELDS + MOST_STEPS))
_STEPS: Mapping[str, tuple[tuple[str, str, reading.Read], ...]] = {
    "draw": (("from", "source", reading.choice("stock", "discard")), ("card", "cards", _one_card)),
    "meld": (("cards", "cards", parse),),
    "build": (_ON, ("cards", "cards", parse)),
    "free_joker": (_ON, ("give", "cards", parse)),
    "discard": (("card", "cards", _one_card),),
}
"""Each step of a turn: the names of its JSON, the fields of Step they fill, and how they are read."""


def _step(raw: object, path: str) -> Step:
    told = reading.mapping(raw, path)
    do = reading.choice(*_STEPS)(_part(told, path, "do"), f"{path}.do")
    parts = _STEPS[do]
    may = {"end"} if do == "build" else set()
    reading.only(told, {"do", *may, *(name for name, _, _ in parts)}, path)
    values = {field: read(_part(told, path, name), f"{path}.{name}") for name, field, read in parts}
    end = reading.optional(reading.choice("low", "high"))(told.get("end"), f"{path}.end")
    return Step(do, end=end, **values)


def _steps(raw: object, path: str) -> tuple[Step, ...]:
    return tuple(_each(_step, raw, path, MOST_STEPS))


_OF_A_TURN: Mapping[str, reading.Read] = {
    "hand": parse,
    "table": _table,
    "me": reading.whole(1, reading.MOST_SEATS),
    "opened": reading.flag,
    "first_turn": reading.flag,
    "held_after_last_turn": reading.whole(0, MOST_CARDS),
    "warned": reading.flag,
    "calls": reading.whole(0, reading.MOST_CALLS),
    "hand_number": reading.whole(1, MOST_HANDS),
    "steps": _steps,
}


def _object(raw: object, path: str, names: set[str]) -> Raw:
    """An object that holds only such names."""
    told = reading.mapping(raw, path)
    reading.only(told, names, path)
    return told


def _part(told: Raw, path: str, name: str) -> object:
    """A named part that must be there."""
    if name not in told:
        raise Malformed("{field} is missing.", f"{path}.{name}")
    return told[name]


CHECKS: Mapping[str, Check] = {
    "meld": Check(frozenset({"cards"}), _meld),
    "opening": Check(frozenset({"melds", "builds", "hand_number", "kalooki"}), _opening),
    "build": Check(frozenset({"on", "cards", "opened", "built_this_turn"}), _build),
    "joker": Check(frozenset({"on", "give", "opened"}), _joker),
    "turn": Check(frozenset(_OF_A_TURN), _turn),
    "count": Check(frozenset({"cards", "bending"}), _count),
    "deck": Check(frozenset({"holdings"}), _deck),
}
