"""The rows of a score sheet: hands and everything between them; and its foot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from app import days
from app.history.formats import money_format, plural, region_of, show_currency, write_day
from app.history.phrases import whole
from app.history.record import Gain, History
from app.history.standings import place_words
from app.history.timeline import NOT_DEALT_IN, HistoryItem, carried_over, describe_correction, effective_timeline
from app.kalooki.game.apply import if_ended
from app.kalooki.game.events import BuyIn, First, Hand, Insert, Join, NewFace, Paid, Rename, Start
from app.kalooki.game.play import Game
from app.kalooki.game.state import PlayedHand, Score
from app.kalooki.money import CARRIED, balances
from app.kalooki.rules import wording
from app.kalooki.variants import Variant
from app.sheets.paper import shortened

WON, ALL_AT_ONCE = "✓", {"kalooki": "K", "bending": "B"}
DEALT = "•"
_COMING_IN = ("buy-in", "join")
"""Changes that begin a player's total, so that no difference says anything; the row names who comes in."""
_UNPRINTED = (First, NewFace, Paid, Rename)
"""What changes no total, and what the head of the sheet or the settlement says."""
SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
LONGEST_NAMES, LONGEST_TEXT = 10, 70
"""The most characters of the names in a row's label, and of a text across all columns."""


class Cell(NamedTuple):
    """A player's points and total; `marks` are CSS classes: won, out (struck), bought (circled), absent."""

    points: str = ""
    total: str = ""
    marks: str = ""


class Row(NamedTuple):
    """A hand, or what happened between hands; a `text` spans all columns in place of the cells.

    `after` are the totals after it, in the order of the columns; None for a player who has none. `number` is the number
    of the hand, 0 between hands. `mark` refers to the `notes` on its entry.
    """

    label: str
    cells: tuple[Cell, ...]
    after: tuple[int | None, ...]
    entry: int = 0
    number: int = 0
    contract: str = ""
    text: str = ""
    mark: str = ""
    notes: tuple[str, ...] = ()

    @property
    def is_fifth(self) -> bool:
        """Whether it gets a stronger line below, to help the eye count."""
        return bool(self.number) and self.number % 5 == 0


class Foot(NamedTuple):
    """A line below the hands with a value for every player; the columns in `struck` are struck through."""

    label: str
    values: tuple[str, ...]
    strong: bool = False
    struck: frozenset[int] = frozenset()


def rows_of(history: History) -> Iterator[Row]:
    """Yield hands and what came between them, in the order they count, then the contracts still to be played."""
    game, noted = history.game, 0
    totals: dict[int, int] = {}
    for bought, group in groupby(_printed_items(history), key=lambda item: isinstance(item.effective, BuyIn)):
        items = [*group]
        # consecutive buy-ins share a row
        for together in [items] if bought else [[item] for item in items]:
            row = _row(game, together, totals)
            notes = [note for item in together if (note := _note(history, item, row))]
            marks = [str(noted + place).translate(SMALL) for place in range(1, len(notes) + 1)]
            noted += len(notes)
            hand = f"Hand {row.number}: " if row.number else ""
            marked = tuple(f"{mark} {hand}{note}" for mark, note in zip(marks, notes, strict=True))
            yield row._replace(mark=" ".join(marks), notes=marked)
    for number in range(game.number, len(game.variant.contracts_played) + 1 if not game.finish else 0):
        yield _plain(game, str(number), totals)._replace(number=number, contract=contract_words(game.variant, number))


def _printed_items(history: History) -> Iterator[HistoryItem]:
    for item in effective_timeline(history):
        if not isinstance(item.event, _UNPRINTED) and (item.entry > 1 or history.game.carried):
            yield item


def _row(game: Game, together: Sequence[HistoryItem], totals: dict[int, int]) -> Row:
    item = together[0]
    gained = [gain for each in together for gain in each.gains if gain.total is not None]
    totals |= {gain.seat: gain.total for gain in gained if gain.total is not None}
    if item.hand and not item.hand.is_void:
        return _hand_row(game, item.hand, totals)
    if gained:
        cells = {gain.seat: _change_cell(gain) for gain in gained}
        row = _plain(game, _change_label(game, gained), totals)
        return row._replace(cells=tuple(cells.get(seat, Cell()) for seat in game.order), entry=item.entry)
    label = "pending" if item.is_pending else ""
    return _plain(game, label, totals)._replace(entry=item.entry, text=shortened(_in_full(item), LONGEST_TEXT))


def _in_full(item: HistoryItem) -> str:
    """Return all that an entry says."""
    timing = f"{item.timing}: " if item.is_pending else ""
    between = " " if item.title[-1] in ".!?" else " · "
    return timing + between.join(filter(None, (item.title, " · ".join(fact.text for fact in item.facts))))


def _note(history: History, item: HistoryItem, row: Row) -> str:
    """Return what an entry says that its row does not, and how it came to be as it is."""
    return " ".join(filter(None, (_sentence(_unsaid(item, row)), *_corrections(history, item))))


def _unsaid(item: HistoryItem, row: Row) -> str:
    event = item.event
    if isinstance(event, Hand):
        return event.note
    if isinstance(event, Start) and event.carried:
        return "; ".join(carried_over(item.history.game, event.carried))
    is_named = isinstance(event, (BuyIn, Join)) and not row.text  # the label says who comes in, the total at what
    return "" if is_named or row.text == _in_full(item) else _in_full(item)


def _sentence(text: str) -> str:
    """Return a text with a full stop at its end, so that another can follow."""
    return f"{text}." if text and text[-1].isalnum() else text


def _corrections(history: History, item: HistoryItem) -> Iterator[str]:
    recorded = history.entries[item.entry - 1].event
    if isinstance(recorded, Insert):
        yield f"Missed at first, recorded at {_when(history, item.entry)}."
    if item.amended_by:
        changed = describe_correction(history.game, recorded.inner, item.event) or "nothing that counts"
        yield f"Corrected at {_when(history, item.amended_by)}: {changed}."


def _when(history: History, number: int) -> str:
    """Return when an entry was recorded by the clock at the table, and by whom; with the day if on another evening."""
    at, by = history.stamps[number - 1]
    clock = (
        at[11:]
        if days.day_at_table(at) == days.day_at_table(history.stamps[0].at)
        else write_day(at, region_of(history.game))
    )
    return f"{clock} ({by})" if by else clock


def _plain(game: Game, label: str, totals: Mapping[int, int]) -> Row:
    return Row(label, (Cell(),) * len(game.order), _after(game, totals))


def _change_label(game: Game, gained: Sequence[Gain]) -> str:
    """Return the kind of change, with the names of players who join or buy in."""
    kind = gained[0].kind
    if kind not in _COMING_IN:
        return wording.called("changes", kind).lower()
    words = plural("{names} buys in", "{names} buy in", len(gained)) if kind == "buy-in" else "{names} joins"
    seats = {gain.seat for gain in gained}
    names = ", ".join(game.name(seat) for seat in game.order if seat in seats)
    return words.format(names=shortened(names, LONGEST_NAMES))


def _change_cell(gain: Gain) -> Cell:
    total = whole(gain.total or 0)
    if gain.kind in _COMING_IN:
        return Cell("", total, "bought" if gain.kind == "buy-in" else "")
    points = "" if gain.kind == CARRIED else whole(gain.points or 0, plus=True)
    return Cell(points, total, "out" if gain.out else "")


def _hand_row(game: Game, hand: PlayedHand, totals: Mapping[int, int]) -> Row:
    scores = hand.scores
    return Row(
        str(hand.number),
        tuple(_cell(hand, seat, scores.get(seat)) for seat in game.order),
        _after(game, totals),
        entry=hand.entry,
        number=hand.number,
        contract=contract_words(game.variant, hand.number),
    )


def _cell(hand: PlayedHand, seat: int, score: Score | None) -> Cell:
    words = [DEALT] if seat == hand.dealer else []
    if seat in hand.absent:
        return Cell(" ".join([*words, NOT_DEALT_IN]), marks="absent")
    if score is None:
        return Cell()
    won = seat == hand.winner
    if won:
        words.append(ALL_AT_ONCE.get(hand.ending or "", WON))
    if score.lines:  # what the winner collects is theirs alone
        words.append(_points(score))
    marks = [mark for mark, holds in (("won", won), ("out", score.out)) if holds]
    return Cell(" ".join(words), whole(score.total), " ".join(marks))


def _points(score: Score) -> str:
    """Return the points of a hand; the penalty for too many calls follows a plus sign."""
    calls = sum(line.points for line in score.lines if line.rule == "calls")
    return f"{whole(score.points - calls)}{whole(calls, plus=True)}" if calls else whole(score.points)


def contract_words(variant: Variant, number: int) -> str:
    """Return the contract of a hand in a few words; empty if it has none."""
    contract = variant.contract(number)
    return wording.contract_words(variant, *contract) if contract else ""


def _after(game: Game, totals: Mapping[int, int]) -> tuple[int | None, ...]:
    return tuple(totals.get(seat) for seat in game.order)


def figures(totals: Iterable[int | None]) -> tuple[str, ...]:
    """Return totals as printed; blank for a player who has none."""
    return tuple("" if total is None else whole(total) for total in totals)


def totals(game: Game) -> Foot:
    """Return the last totals; those of players who are out are struck through."""
    players = [game.players[seat] for seat in game.order]
    out = (column for column, player in enumerate(players) if not player.playing and not player.has_left)
    return Foot("Total", figures(player.total for player in players), strong=True, struck=frozenset(out))


def tallies(game: Game) -> Iterator[Foot]:
    """Yield each player's place, and how often they won in each way; ways in which nobody won are left out."""
    if any(not hand.is_void for hand in game.hands):
        places = place_words(game)
        yield Foot("Place", tuple(places[seat] or "left" for seat in game.order))
    for ending in game.variant.endings:
        counted = _counted_endings(game, ending)
        won = [hand.winner for hand in game.hands if hand.ending in counted]
        if won:
            yield Foot(_ending(game, ending), tuple(str(won.count(seat) or "") for seat in game.order))


def ledger_below(game: Game) -> Iterator[Foot]:
    """Yield the ledger as printed below the tallies; each label names the currency, lest money be taken for a count."""
    name = show_currency(game.currency.name, region_of(game))
    for line in ledger(game):
        yield line._replace(label=f"{line.label}, {name}")


def ledger(game: Game) -> Iterator[Foot]:
    """Yield what each player paid and received, kind by kind, and last the balance; nothing in a game without money.

    A game in play is shown as if it ended now. Cash payments come below “Won and lost”: they settle those amounts and
    do not change them.
    """
    if not game.stakes:
        return
    label, game = "Balance" if game.finish else "If it ended now", if_ended(game)
    for why in wording.names("postings"):
        sums = balances(movement for movement in game.movements if movement.why == why)
        if any(sums.values()):
            if why == "paid":
                yield _sums(game, "Won and lost", game.won)
            cells = (money_format(game).number(sums[seat], plus=True) if sums.get(seat) else "" for seat in game.order)
            yield Foot(wording.called("postings", why, "sum"), tuple(cells))
    yield _sums(game, label, game.balances)


def _sums(game: Game, label: str, amounts: Mapping[int, int]) -> Foot:
    return Foot(label, tuple(money_format(game).number(amounts[seat], plus=True) for seat in game.order), strong=True)


def _counted_endings(game: Game, ending: str) -> tuple[str, ...]:
    """Return the endings that one line counts: without call-ups, “Hands won” counts both."""
    of_all = ending != game.variant.kalooki_ending and not game.variant.stake_call_up
    return tuple(game.variant.endings) if of_all else (ending,)


def _ending(game: Game, ending: str) -> str:
    if ending != game.variant.kalooki_ending:
        return "Call-ups won" if game.variant.stake_call_up else "Hands won"
    return "Bent the table" if ending == "bending" else "Kalookis won"
