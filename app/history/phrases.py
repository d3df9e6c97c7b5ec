"""Phrases about a game that pages, paper and files share: who won, what was played when, the stakes; plain numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any, NamedTuple

from app.days import time_at_table
from app.history.formats import MoneyFormat, money_format, number_of, plural, region_of, times, write_day
from app.history.record import History
from app.kalooki.game.apply import all_at_once
from app.kalooki.game.events import Hand, Insert, Void
from app.kalooki.game.finish import ahead, rank
from app.kalooki.game.play import Game
from app.kalooki.game.state import PlayedHand, Player
from app.kalooki.money import Currency, sign
from app.kalooki.rules.wording import called, contract_words
from app.kalooki.variants import STAKES, Variant


class GameLabel(NamedTuple):
    """What distinguishes a game from the others on a phone: where it is played, on which day, and when it began.

    A sheet copied from paper has no time.
    """

    place: str
    day: str
    time: str

    @property
    def began(self) -> str:
        """The day and the time, told as the beginning, lest it look like a clock."""
        return f"{self.day}, from {self.time}" if self.time else self.day

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.place, self.began)))


def label_of(history: History, today: str) -> GameLabel:
    """Return where a game is played and when it began, without the year if that is the year of `today`."""
    day, _, time = began_at(history).partition(" ")
    return GameLabel(history.game.place, write_day(day, region_of(history.game), today), time_at_table(time))


def began_at(history: History) -> str:
    """Return the evening and time a game began, such as 2026-11-21 19:05; only the day if corrected or from paper."""
    return history.game.day or f"{history.evening}{history.stamp(1).at[10:]}"


def no_buy_in(player: Player) -> str:
    """Return why a player who was knocked out may not buy in."""
    often = f"bought in {times(player.buy_ins)} already"
    why = {"few": "fewer than two players are still in", "often": often, "level": "they’d be out again at once"}
    return f"No buy-in: {why[player.no_offer]}."


def buying_in(game: Game, seat: int) -> str:
    """Return what an open offer does: “Buying in puts them on 110, level with Dan.”."""
    score, highest = game.offers[seat], max(player.total for player in game.playing)
    names = and_list(player.name for player in game.playing if player.total == highest)
    where = f"{score - highest} more than" if score > highest else "level with"
    return f"Buying in puts them on {score}, {where} {names}."


def headline(game: Game) -> str:
    """Return the line that people read first, even from a distance: who won, or who is in front."""
    winners = names_of(game, game.winners)
    if len(game.winners) == 1:
        return f"{winners} won"
    if winners:
        return f"{winners} share first place"
    leading = _leaders(game)
    if game.finish:
        return f"Ended early, {names_of(game, leading)} in front" if leading else "Ended early"
    return (
        f"{names_of(game, leading)} {plural('is', 'are', len(leading))} in front" if leading else "No hand played yet"
    )


def _leaders(game: Game) -> list[int]:
    """Return the seats in front; none before a hand is played."""
    return [] if all(hand.is_void for hand in game.hands) and not game.carried else ahead(game)


def outcome_words(game: Game) -> str:
    """Return who won a game that is over or, if nobody did, who was in front, as a sentence; empty if nobody was."""
    return f"{headline(game)}." if game.winners else _in_front(game, "was", "were")


def previewed_outcome_words(game: Game) -> str:
    """Return who wins if a game ends as previewed or, if nobody does, who is in front, as a sentence."""
    if not game.winners:
        return _in_front(game, "is", "are")
    return f"{names_of(game, game.winners)} {'wins' if len(game.winners) == 1 else 'share first place'}."


def _in_front(game: Game, one: str, several: str) -> str:
    leading = _leaders(game)
    if not leading:
        return ""
    total = whole(game.players[leading[0]].total)
    return f"{names_of(game, leading)} {plural(one, several, len(leading))} in front, on {total}."


def at_once_words(times: int, added: int) -> str:
    """Return how the losers’ cards count once somebody goes out all at once; empty if they count as always.

    >>> at_once_words(2, 0), at_once_words(3, 25), at_once_words(1, 25), at_once_words(1, 0)
    ('doubled', 'times 3, 25 added', '25 added', '')
    """
    multiplied = {1: "", 2: "doubled"}.get(times, f"times {times}")
    return ", ".join(filter(None, (multiplied, f"{added} added" if added else "")))


def counted_words(variant: Variant, hand: PlayedHand) -> str:
    """Return how the losers’ cards count in a hand won all at once; empty in any other."""
    return at_once_words(*all_at_once(variant, hand.event)) if isinstance(hand.event, Hand) else ""


def end_words(game: Game) -> str:
    """Return how a game ended, as a sentence: by its rules, or because the table stopped it."""
    return "The game ended early." if game.is_ended_early else "The game is over."


def winning_margin(game: Game) -> str:
    """Return how the only winner won: as the last player left, by so many points, or after a deciding hand."""
    winner = game.players[game.winners[0]] if len(game.winners) == 1 else None
    others = [player for player in game.playing if player is not winner]
    if not winner or not winner.playing or not others:
        return "the last player left" if winner and winner.playing else ""
    best = min(rank(game, player) for player in others)
    second = [player for player in others if rank(game, player) == best]
    points = abs(second[0].total - winner.total)
    return f"{points} ahead of {and_list(player.name for player in second)}" if points else "after a deciding hand"


def names_of(game: Game, seats: Iterable[int]) -> str:
    """Return the players in some seats as one phrase: “Ann and Ben”."""
    return and_list(game.name(seat) for seat in seats)


def and_list(names: Iterable[str]) -> str:
    """Return names as one phrase.

    >>> and_list(["Ann", "Ben"]), and_list(["Ann", "Ben", "Cat"]), and_list([])
    ('Ann and Ben', 'Ann, Ben and Cat', '')
    """
    listed = [*names]
    return " and ".join(filter(None, (", ".join(listed[:-1]), *listed[-1:])))


def time_played(minutes: int) -> str:
    """Return how long a game has lasted: “1 h 20 min played”; empty for less than a minute.

    >>> time_played(80), time_played(7), time_played(0)
    ('1 h 20 min played', '7 min played', '')
    """
    hours, left = divmod(minutes, 60)
    if hours:
        return f"{hours} h {left} min played"
    return f"{left} min played" if minutes else ""


def heading(history: History) -> str:
    """Return the variant, the evening, and how many hands were played."""
    day = write_day(history.evening, region_of(history.game))
    return " · ".join(filter(None, (history.game.variant.name, day, hands_words(history.game))))


def hands_words(game: Game) -> str:
    """Return how many hands were played, and that the game continues or, unless the headline says so, ended early."""
    played = sum(not hand.is_void for hand in game.hands)
    words = number_of(played, "hand")
    words += f" after {game.carried.hands} carried over" if game.carried else ""
    if not game.finish:
        return f"{words}, still playing"
    return f"{words}, ended early" if game.is_ended_early and game.winners else words


def table_facts(history: History, place: str = "") -> Iterator[str]:
    """Yield where and when a game was played, who kept the score, and its most important rules and stakes."""
    game = history.game
    yield from filter(None, (place or game.place, _clock(history), _keepers(history), f"game {history.code}"))
    if game.variant.opening_points:
        yield f"opening {game.variant.opening_points} points"
    if game.variant.limit is not None:
        yield limit_words(game.variant)
        buy_ins = game.variant.buy_ins
        yield f"up to {number_of(buy_ins, 'buy-in')} each" if buy_ins else "no buy-ins"
    if game.stakes:
        yield stakes_words(game.stakes, region_of(game))
        yield called("settle", game.settle).lower()
    else:
        yield "no money"


def limit_words(variant: Variant) -> str:
    """Return the total at which a player is out, or has won; without one, the number of hands, if that is fixed."""
    if variant.limit is None:
        return number_of(variant.game_hands, "hand") if variant.game_hands else "no limit"
    is_reached = variant.out_at == "limit"
    if variant.scoring == "losers":
        return f"out {'at' if is_reached else 'over'} {variant.limit}"
    return f"first {'to' if is_reached else 'over'} {variant.limit}"


def _clock(history: History) -> str:
    """Return at what times recording began and ended; empty if everything was entered at once, or from paper."""
    if history.is_from_paper:
        return ""
    hands = [number for number, event in history.entries if isinstance(event, (Hand, Void, Insert))]
    ends = [history.game.finish.entry] if history.game.finish else hands[-1:]
    start, *end = (history.stamps[number - 1].at[11:] for number in (1, *ends))
    return f"{start} to {end[0]}" if end and end[0] != start else ""


MOST_DEVICES = 3
"""The most devices that a sheet names; the players who recorded are all named."""


def _keepers(history: History) -> str:
    """Return which players recorded the hands, and on which devices hands were recorded that no player did."""
    recorders = (history.stamps[number - 1].by for number, event in history.entries if isinstance(event, (Hand, Void)))
    names = [name for name in dict.fromkeys(recorders) if name]
    players = {player.name for player in history.game.players.values()}
    people = ", ".join(name for name in names if name in players)
    devices = ", ".join([name for name in names if name not in players][:MOST_DEVICES])
    if not people:
        return f"recorded on: {devices}" if devices else ""
    return f"kept by {people}, also on: {devices}" if devices else f"kept by {people}"


def whole(number: int, *, plus: bool = False) -> str:
    """Return a whole number with a real minus sign, so that columns line up.

    >>> whole(163), whole(-20), whole(25, plus=True)
    ('163', '−20', '+25')
    """
    return f"{sign(number, plus=plus)}{abs(number)}"


def apart(number: int) -> str:
    """Return a number as a term of a sum, with its sign set apart.

    >>> apart(20), apart(-5), apart(0)
    ('+ 20', '− 5', '+ 0')
    """
    return f"{sign(number) or '+'} {abs(number)}"


def exact(game: Game, units: int) -> Decimal:
    """Return an amount of a game as a number for spreadsheets, with the decimals of its currency."""
    return Decimal(units).scaleb(-game.currency.decimals)


def stakes_words(stakes: Mapping[str, Any], region: str = "", least: int = 1) -> str:
    """Return the stakes a table plays for, leaving out those below `least` minor units.

    >>> stakes_words({"currency": "EUR", "call_up": 10, "kalooki": 0, "initial": 50}, "GB")
    'call-up €0.10, stake €0.50'
    """
    money_format = MoneyFormat(Currency.of(stakes), region)
    return ", ".join(
        f"{called('stakes', name, 'brief')} {money_format.amount(stakes[name])}"
        for name in STAKES
        if stakes.get(name) is not None and stakes[name] >= least
    )


def stakes_by_value(stakes: Mapping[str, Any] | None, region: str = "") -> dict[str, str]:
    """Return a table's stakes by the variant's keys, to replace its units in rules; empty without stakes.

    >>> words = stakes_by_value({"currency": "GBP", "call_up": 20, "kalooki": 100, "initial": 200, "buy_in": 500}, "GB")
    >>> words["stake_kalooki"], stakes_by_value(None)
    ('£1.00', {})
    """
    money_format = MoneyFormat(Currency.of(stakes), region)
    return {f"stake_{name}": money_format.amount(stakes[name]) for name in STAKES if name in stakes} if stakes else {}


class WrittenStakes(NamedTuple):
    """A table's stakes as its region writes them, on one line and by the variant's keys; both empty without stakes."""

    line: str = ""
    by_value: Mapping[str, str] = MappingProxyType({})


NO_STAKES = WrittenStakes()


def write_stakes(stakes: Mapping[str, Any] | None, region: str) -> WrittenStakes:
    """Return a table's stakes for paper.

    >>> write_stakes({"currency": "ZAR", "call_up": 250, "kalooki": 0, "initial": 0, "buy_in": 0}, "ZA").line
    'call-up R2,50'
    """
    return WrittenStakes(stakes_words(stakes, region), stakes_by_value(stakes, region)) if stakes else NO_STAKES


def known_here(about: str, game: Game) -> str:
    """Return what this game adds to a dispute or a rule; empty for nothing.

    `about` is the value of `here` in a dispute, or the name of a rule.
    """
    return HERE[about](game) if about in HERE else ""


def _contract(game: Game) -> str:
    if not game.variant.contracts:
        return ""
    contract = contract_words(game.variant, *game.variant.contracts[game.claimed_hand - 1])
    return f"Hand {game.claimed_hand} here: {contract}."


def _deal(game: Game) -> str:
    if game.finish:
        return ""
    dealt = f"{game.name(game.next_dealer)} deals hand {game.number} here."
    first = f"{game.name(game.first)} plays first." if game.first else ""
    return f"{dealt} {first}".strip()


def _out(game: Game) -> str:
    out = [seat for seat, player in game.players.items() if not player.playing]
    return f"Out of this game: {names_of(game, out)}." if out else ""


def _totals(game: Game) -> str:
    totals = (f"{game.name(seat)} {player.total}" for seat, player in game.players.items() if player.playing)
    return f"Here: {and_list(totals)}."


def _buy_ins(game: Game) -> str:
    counts = ((game.name(seat), player.buy_ins) for seat, player in game.players.items() if player.buy_ins)
    players = and_list(f"{name} {'once' if count == 1 else f'{count} times'}" for name, count in counts)
    price = game.stakes["buy_in"] if game.stakes and game.variant.buys_in else 0
    costs = f"A buy-in costs {money_format(game).amount(price)} here. " if price else ""
    return f"{costs}Bought in here so far: {players or 'nobody'}."


def _stakes(game: Game) -> str:
    return f"Here: {stakes_words(game.stakes, region_of(game))}." if game.stakes else ""


HERE: Mapping[str, Callable[[Game], str]] = {
    "contract": _contract,
    "deal": _deal,
    "out": _out,
    "totals": _totals,
    "buy_ins": _buy_ins,
    "stakes": _stakes,
}
"""What a game knows, by the word that disputes use for it or by the name of a rule."""
