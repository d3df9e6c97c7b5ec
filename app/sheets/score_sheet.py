"""The score sheet of a game as rows: players across, hands down, running totals, payments at the foot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.i18n import _, gettext, ngettext
from app.kalooki.game.corrections import standing
from app.kalooki.game.events import Start
from app.kalooki.game.play import Game, recorded_variant
from app.kalooki.money import balances, settlement, written
from app.kalooki.rules.rulebook import explain
from app.kalooki.rules.wording import called, names, value_words
from app.kalooki.variants import meanings
from app.sheets.chart import Chart, chart
from app.sheets.footnotes import notes_of, numbered, summary
from app.sheets.formats import currency, stakes_words
from app.sheets.paper import A4, MOST_UPRIGHT, Paper, on_its_side
from app.sheets.rows import DEALT, WON, Page, Row, Totals, figures, files_of, pages_of, rows_of
from app.table.recording import Table


class Foot(NamedTuple):
    """A line below the hands with a value for every player."""

    label: str
    values: tuple[str, ...]
    strong: bool = False
    struck: tuple[bool, ...] = ()


@dataclass(frozen=True)
class ScoreSheet:
    """One file of a game's score sheet, every value as it is printed."""

    code: str
    name: str
    date: str
    facts: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    has_contracts: bool
    pages: tuple[Page, ...]
    tallies: tuple[Foot, ...]
    ledger: tuple[Foot, ...]
    pool: str
    result: tuple[str, ...]
    settlement: tuple[str, ...]
    house_rules: tuple[str, ...]
    notes: tuple[str, ...]
    faults: tuple[str, ...]
    chart: Chart | None
    paper: Paper
    part: int
    parts: int
    hands: str
    legend: str

    @property
    def foot(self) -> tuple[Foot, ...]:
        """All lines below the hands."""
        return self.tallies + self.ledger

    @property
    def is_last(self) -> bool:
        return self.part == self.parts


def score_sheet(table: Table, paper: Paper = A4, part: int = 1) -> ScoreSheet:
    """The sheet of a game, or one part of it when it has more than HANDS_A_FILE hands."""
    game = table.game
    page = on_its_side(paper) if len(game.order) > MOST_UPRIGHT else paper
    notes, marks = numbered(notes_of(table))
    every = files_of([*rows_of(game, marks)])
    rows = every[part - 1]
    before = every[part - 2][-1] if part > 1 else None
    last = part == len(every)
    named = {row.entry for row in rows}
    tallies, ledger = (tuple(_tallies(game)), tuple(_ledger(game))) if last else ((), ())
    return ScoreSheet(
        code=table.code,
        name=game.variant.name,
        date=table.day,
        facts=tuple(_facts(table)),
        players=tuple(game.name(seat) for seat in game.order),
        has_contracts=bool(game.variant.contracts),
        pages=tuple(pages_of(rows, page, before, len(tallies) + len(ledger))),
        tallies=tallies,
        ledger=ledger,
        pool=_pool(game),
        result=tuple(_result(game)) if last else (),
        settlement=tuple(settlement_lines(game)) if last else (),
        house_rules=tuple(house_rules(table)),
        notes=tuple(note.text for note in notes if note.entry in named or (last and note.is_loose)),
        faults=tuple(fault_lines(table)) if last else (),
        chart=_chart(game, rows, before.after if before else None),
        paper=page,
        part=part,
        parts=len(every),
        hands=_first_and_last(rows),
        legend=_legend(game),
    )


def parts_of(game: Game) -> int:
    """The number of files the sheet of a game takes."""
    return len(files_of([*rows_of(game, {})]))


def _first_and_last(rows: Sequence[Row]) -> str:
    numbers = [row.label for row in rows if row.is_hand]
    return f"{numbers[0]}–{numbers[-1]}" if numbers else ""


def _facts(table: Table) -> Iterator[tuple[str, str]]:
    game = table.game
    yield _("Date"), table.day
    yield _("Game"), table.code
    yield _("Hands"), _state(game)
    if game.stakes:
        yield _("Stakes"), stakes_words(game.stakes)
        yield _("Paid"), _("thrown on the table") if game.settle == "cash" else _("on account")


def _state(game: Game) -> str:
    played = sum(not hand.is_void for hand in game.hands)
    if game.finish:
        return _("{n}, finished").format(n=played)
    return _("{n}, still playing").format(n=played)


def _tallies(game: Game) -> Iterator[Foot]:
    """The totals, and how often everybody won and how."""
    players = [game.players[seat] for seat in game.order]
    out = tuple(not player.playing and not player.has_left for player in players)
    yield Foot(_("Total"), figures(tuple(player.total for player in players)), strong=True, struck=out)
    for ending in game.variant.endings:
        counted = _counted(game, ending)
        won = [hand.winner for hand in game.hands if hand.ending in counted]
        yield Foot(_ending(game, ending), tuple(str(won.count(seat)) for seat in game.order))


def _ledger(game: Game) -> Iterator[Foot]:
    """What everybody paid and received, kind by kind, and the balance."""
    if not game.stakes:
        return
    for why in names("postings"):
        sums = balances(movement for movement in game.movements if movement.why == why)
        if sums:
            cells = (written(sums[seat], plus=True) if sums.get(seat) else "" for seat in game.order)
            yield Foot(called("postings", why, "sum", gettext), tuple(cells))
    owed = game.balances
    yield Foot(_("Balance"), tuple(written(owed[seat], plus=True) for seat in game.order), strong=True)


def _counted(game: Game, ending: str) -> tuple[str, ...]:
    """The endings one line counts: where no call-up is paid, the hands won are all of them."""
    of_all = ending != game.variant.kalooki_ending and not game.variant.stake_call_up
    return tuple(game.variant.endings) if of_all else (ending,)


def _ending(game: Game, ending: str) -> str:
    if ending != game.variant.kalooki_ending:
        return _("Call-ups won") if game.variant.stake_call_up else _("Hands won")
    return _("Bent the table") if ending == "bending" else _("Kalookis won")


def _pool(game: Game) -> str:
    return f"{written(game.pool)} {currency(game)}" if game.stakes and not game.finish else ""


def _result(game: Game) -> Iterator[str]:
    names = _(" and ").join(game.name(seat) for seat in game.winners)
    if names:
        yield ngettext("{names} wins the game.", "{names} tie for first place.", len(game.winners)).format(names=names)
    if game.finish and game.finish.pool != "winners":
        yield _("The game was broken off.")
    if game.shares:
        shares = ", ".join(f"{game.name(seat)} {written(amount)}" for seat, amount in game.shares.items())
        yield _("Out of the pool: {shares} {currency}.").format(shares=shares, currency=currency(game))


def settlement_lines(game: Game) -> Iterator[str]:
    """Who pays whom in words, or why nobody does."""
    if not game.stakes:
        return
    if game.settle == "cash":
        yield _("Money was thrown on the table as it fell due: nothing is left to settle.")
        return
    if not game.finish:
        yield _("The game goes on: it is settled at its end.")
        return
    payments = settlement(game.balances)
    for payment in payments:
        yield _("{payer} pays {to} {amount} {currency}").format(
            payer=game.name(payment.payer),
            to=game.name(payment.to),
            amount=written(payment.amount),
            currency=currency(game),
        )
    if not payments:
        yield _("Nobody owes anything.")


def house_rules(table: Table) -> Iterator[str]:
    """What the table plays otherwise than the variant, with what the variant says."""
    start = table.entries[0].event
    assert isinstance(start, Start)  # noqa: S101 - a log begins with it
    variant, preset = table.game.variant, recorded_variant(start)
    for key, meaning in meanings().items():
        if key in variant.house:
            yield _("{rule}: {own} (usually {preset})").format(
                rule=_(meaning.label),
                own=value_words(variant, key, gettext),
                preset=value_words(preset, key, gettext),
            )


def fault_lines(table: Table) -> Iterator[str]:
    """What no longer makes sense after a correction."""
    game, stands = table.game, dict(standing(table.entries))
    for number, fault in game.faults:
        text = explain(fault, game.variant, gettext).text
        yield _("Does not count: {what}. {text}").format(what=summary(game, stands[number]), text=text)


def _chart(game: Game, rows: Sequence[Row], before: Totals | None) -> Chart | None:
    """The totals from before the first of some hands on; the game starts at nothing."""
    played = [row for row in rows if row.is_hand and row.entry and not row.text]
    if not played:
        return None
    late = {change.seat for change in game.changes if change.why == "joined"}
    starts = before or tuple(None if seat in late else 0 for seat in game.order)
    lines = [(game.name(seat), _known(played, place, starts[place])) for place, seat in enumerate(game.order)]
    return chart(_("The totals after each hand"), lines, game.variant.limit, int(played[0].label) - 1)


def _known(rows: Sequence[Row], place: int, start: int | None) -> list[int | None]:
    """A player's total before and after each row; None before he joined and once he is out for good."""
    last = max((at for at, row in enumerate(rows) if row.cells[place].total), default=-1)
    return [start, *(row.after[place] if at <= last else None for at, row in enumerate(rows))]


def _legend(game: Game) -> str:
    """What the signs on the sheet mean, those that can occur in this game."""
    variant = game.variant
    told = [
        (_("{sign} shuffled") if variant.plays_first == "highest_card" else _("{sign} dealt")).format(sign=DEALT),
        _("{sign} won the hand").format(sign=WON),
        _("K Kalooki, all at once") if variant.kalooki_ending == "kalooki" else _("B bent the table"),
    ]
    if variant.limit is not None and variant.scoring == "losers":
        told.append(_("struck through: out"))
    if variant.limit is not None and variant.buy_ins:
        told.append(_("circled: bought in at this score"))
    return " · ".join(told)
