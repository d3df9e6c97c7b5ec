"""The details of an entry, shown below its title."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from app.history.formats import money_format, region_of, write_day
from app.history.phrases import stakes_by_value, stakes_words, whole
from app.history.plurals import number_of
from app.history.verdicts import describe_claim, order_words
from app.kalooki.cards import BadInput, Card
from app.kalooki.claims import CLAIMS, judge
from app.kalooki.decided_by import JudgedClaim
from app.kalooki.game import events
from app.kalooki.game.play import Game
from app.kalooki.game.state import PlayedHand
from app.kalooki.readers import Carried, Stakes
from app.kalooki.rules.wording import Difference, called, differing
from app.kalooki.variants import Value, Variant, thaw

NOT_DEALT_IN = "not dealt in"


class Fact(NamedTuple):
    """One fact of an entry; in a hand, also what a `seat` had left: what it counts, the cards, the points as typed."""

    text: str
    seat: int = 0
    counts: int | None = None
    cards: tuple[Card, ...] = ()
    points_text: str = ""
    calls: str = ""


def facts_of(
    event: events.Event, game: Game, hand: PlayedHand | None = None, *, is_saved: bool = True
) -> tuple[Fact, ...]:
    """Return the facts of an entry in reading order; `hand` is the hand as it counts, if the entry is one that does."""
    event = event.inner
    if isinstance(event, events.Hand):
        return tuple(_of_hand(game, event, hand))
    if isinstance(event, events.Void):
        dealer = f"dealt by {game.name(hand.dealer)}" if hand else ""
        return tuple(Fact(text) for text in (dealer, event.reason) if text)
    if isinstance(event, events.Setup) and not is_saved:  # the preview shows the rules before and after
        event = replace(event, house={})
    describe = _FACTS_OF.get(type(event))
    return tuple(Fact(text) for text in describe(game, event) if text) if describe else ()


def _of_hand(game: Game, event: events.Hand, hand: PlayedHand | None) -> Iterator[Fact]:
    if word := ending_word(event.ending):
        yield Fact(word)
    for seat, left in event.left.items():
        counts = hand.scores[seat].points if hand and seat in hand.scores else None
        points = "" if left.points is None else str(left.points)
        points_text = (f"({points})" if points else "") if left.cards else points if left.points != counts else ""
        yield Fact(game.name(seat), seat, counts, left.cards, points_text, calls_word(event.calls.get(seat, 0)))
    for seat in hand.absent if hand else event.absent:
        yield Fact(f"{game.name(seat)} {NOT_DEALT_IN}")
    score = hand.scores.get(event.winner) if hand else None
    calls = calls_word(event.calls.get(event.winner, 0))
    if calls or (score and score.points):
        yield Fact(game.name(event.winner), event.winner, score.points if score else None, calls=calls)
    if event.note:
        yield Fact(event.note)


def ending_word(ending: str) -> str:
    """Return how a hand ended, as a word; empty for going out."""
    return called("endings", ending, "sign")


def calls_word(count: int) -> str:
    """Return how many calls a player made, such as “4 calls”; empty for none."""
    return number_of(count, "call") if count else ""


def _start(game: Game, event: events.Start) -> Iterator[str]:
    if event.carried:
        yield from carried_over(game, event.carried)
    yield f"{game.variant.name}: {', '.join(event.players)}"
    yield stakes_words(event.stakes or {}, region_of(game))
    yield from map(difference, (each for each in _house(game, event.house, event.stakes) if each.own != each.book))
    yield event.place
    yield event.note


def carried_over(game: Game, carried: Carried) -> Iterator[str]:
    """Yield what was played on paper before: hands, totals, buy-ins, and balances if there are stakes."""
    hands = number_of(carried.hands, "hand")
    yield f"Carried over from paper after {hands}: {_by_player(game, map(whole, carried.totals))}"
    if any(carried.buy_ins or ()):
        yield f"buy-ins: {_by_player(game, map(str, carried.buy_ins or ()))}"
    if carried.balances is not None and game.stakes:
        amounts = (money_format(game).amount(amount, plus=True) for amount in carried.balances)
        yield f"balances: {_by_player(game, amounts)}"


def _by_player(game: Game, column: Iterable[str]) -> str:
    return ", ".join(f"{name} {cell}" for name, cell in zip(game.names.values(), column, strict=False))


def _cost(game: Game, event: events.Penalty | events.Ruling) -> Iterator[str]:
    """Yield what a penalty or a ruling costs a player: points, then money."""
    if event.points < 0:
        yield f"a bonus of {number_of(-event.points, 'point')}"
    elif event.points:
        yield number_of(event.points, "point")
    if event.amount:
        yield f"{money_format(game).amount(event.amount)} into the pool"


def _ruling(game: Game, event: events.Ruling) -> Iterator[str]:
    """Yield what was decided (the words of a ruling, or a claim with its verdict) and what it costs."""
    verdict = event.verdict.get("ok") if isinstance(event.verdict, Mapping) else event.verdict
    if isinstance(verdict, bool):
        verdict = "legal" if verdict else "not legal"
    words = verdict if isinstance(verdict, str) else ""
    played_on = "the table played on anyway"
    if event.mishap or isinstance(event.claim, str):
        yield words if event.upheld else f"{words} ({played_on})".strip()
    else:
        raw = event.claim if isinstance(event.claim, Mapping) else {}
        claim = describe_claim(event.check, raw, game.variant)
        words = f"{words} {_order(event.check, raw, game.variant)}".strip() if words == "legal" else words
        yield ": ".join(filter(None, (claim, words if event.upheld else played_on)))
    if event.upheld:
        yield from _cost(game, event)
    yield "" if event.mishap else event.note


def _order(check: str, raw: Mapping[str, Any], variant: Variant) -> str:
    """Return in which order the cards of a claim are legal if they lie otherwise."""
    try:
        claim = CLAIMS[check].read(raw, "")
        return order_words(JudgedClaim(claim, variant, judge(claim, variant)))
    except (BadInput, KeyError):
        return ""


def _stop(game: Game, event: events.Stop) -> Iterator[str]:
    """Yield what happened to the pool, if there was one."""
    if event.pool or any(posting.why == "refund" for posting in game.postings):
        yield called("pools", event.outcome, "fact")


def _join(_game: Game, event: events.Join) -> Iterator[str]:
    if event.points is not None:
        yield f"at {number_of(event.points, 'point')}"
    yield "pays the stake" if event.stake else ""


def _setup(game: Game, event: events.Setup) -> Iterator[str]:
    if event.dealer:
        yield f"First dealer: {game.name(event.dealer)}"
    if not isinstance(event.stakes, str):
        # a setup may name only some stakes, without their currency
        stakes = {"currency": "", "decimals": game.currency.decimals, **(event.stakes or {})}
        yield stakes_words(stakes, region_of(game), least=0) if event.stakes is not None else "no money"
    if event.settle:
        yield called("settle", event.settle).lower()
    if event.day:
        yield f"Played on {write_day(event.day, region_of(game))}"
    if event.place is not None:
        yield f"Place: {event.place or '–'}"
    if event.note is not None:
        yield f"Note: {event.note or '–'}"
    named = event.stakes if isinstance(event.stakes, Mapping) else {}
    yield from map(difference, _house(game, event.house, {**(game.stakes or {}), **named}))


def differences(game: Game) -> tuple[Difference, ...]:
    """Return what the table plays differently from its variant."""
    return differing(game.variant, game.book, stakes_by_value(game.stakes, region_of(game)))


def _house(game: Game, house: Mapping[str, Value], stakes: Stakes | None) -> tuple[Difference, ...]:
    """Return the house rules that an entry names, including values that the variant has anyway.

    If the game is for money, `stakes` are what the table played for then.
    """
    table: Variant = replace(game.book, house=frozenset(house), **thaw(house))  # type: ignore[arg-type]
    return differing(table, game.book, stakes_by_value(stakes if game.stakes else None, region_of(game)))


def difference(each: Difference) -> str:
    """Return a house rule with the variant's own value: “Limit: 200 points (usually 150 points)”."""
    usual = "" if each.own == each.book else f" (usually {each.book})"
    return f"{each.label}: {each.own}{usual}"


_FACTS_OF: Mapping[type[Any], Callable[[Game, Any], Iterator[str]]] = {
    events.Start: _start,
    events.Penalty: lambda game, event: chain(_cost(game, event), [event.reason]),
    events.Ruling: _ruling,
    events.Join: _join,
    events.Setup: _setup,
    events.Paid: lambda game, event: iter([money_format(game).amount(event.amount)]),
    events.Stop: _stop,
    events.NewFace: lambda _game, event: iter([" ".join(filter(None, (event.emoji, called("colours", event.colour))))]),
    events.Rename: lambda _game, event: iter([f"seat {event.seat}"]),
}
