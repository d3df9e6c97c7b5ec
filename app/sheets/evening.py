"""An evening on one sheet: several games side by side, everybody's numbers, and one settlement over all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from app.i18n import _
from app.kalooki.game.evening import Record, bills, in_pools, records
from app.kalooki.game.state import Game
from app.kalooki.money import Payment, written
from app.sheets.formats import currency, whole
from app.table.recording import Table

WIDTH, HEIGHT, MIDDLE = 300, 120, 62
TALLEST = 40
WIDEST = 40


class GameRow(NamedTuple):
    """One game: when, what, who won, and each player's final total and money; blank for who did not play."""

    date: str
    name: str
    hands: int
    won_by: str
    cells: tuple[tuple[str, str], ...]


class PlayerRow(NamedTuple):
    """A player's numbers over the evening, and a bar for every game he played."""

    name: str
    played: int
    won: int
    kalookis: int
    left: str
    money: str
    bars: tuple[Bar, ...]


class Bar(NamedTuple):
    """One game in a player's chart: the bar's box, its value and where that stands, and the game's number below."""

    x: float
    y: float
    width: float
    height: float
    value: str
    value_at: float
    game: str


class Evening(NamedTuple):
    """The whole sheet; `shows_money` says what the bars count: money won and lost, or final totals.

    `still_out` is what the pools of games hold that are still being played: in the players' money, but nobody's yet.
    """

    dates: str
    names: tuple[str, ...]
    games: tuple[GameRow, ...]
    players: tuple[PlayerRow, ...]
    settlements: tuple[tuple[str, tuple[str, ...]], ...]
    still_out: str
    has_money: bool
    shows_money: bool


def evening_sheet(tables: Sequence[Table]) -> Evening:
    """The games of an evening, in the order given; players of one name are one person."""
    games = [table.game for table in tables]
    played = [_played(game) for game in games]
    numbers = records(games)
    dates = sorted({table.day for table in tables})
    used = {currency(game).casefold() for game in games if game.stakes}
    shows_money = len(used) == 1
    scale = max((abs(each.value(seat, shows_money)) for each in played for seat in each.seats.values()), default=0)
    return Evening(
        dates=dates[0] if len(dates) == 1 else f"{dates[0]} – {dates[-1]}",
        names=tuple(record.name for record in numbers),
        games=tuple(_game_row(*each, numbers) for each in zip(tables, played, strict=True)),
        players=tuple(_player_row(record, played, shows_money, max(1, scale)) for record in numbers),
        settlements=tuple((bill.currency, tuple(_payments(bill.names, bill.payments))) for bill in bills(games)),
        still_out=", ".join(f"{written(amount)} {kind}" for kind, amount in in_pools(games).items()),
        has_money=bool(used),
        shows_money=shows_money,
    )


class _Played(NamedTuple):
    """A game with what is looked up in it for every player: the seats by name, what each has won."""

    game: Game
    seats: Mapping[str, int]
    won: Mapping[int, int]

    def seat(self, name: str) -> int | None:
        return self.seats.get(name.casefold())

    def value(self, seat: int, shows_money: bool) -> int:
        return self.won.get(seat, 0) if shows_money else self.game.players[seat].total


def _played(game: Game) -> _Played:
    return _Played(game, {game.name(seat).casefold(): seat for seat in game.order}, game.won)


def _game_row(table: Table, played: _Played, numbers: Sequence[Record]) -> GameRow:
    game = table.game
    winners = _(" and ").join(game.name(seat) for seat in game.winners)
    return GameRow(
        date=table.day,
        name=game.variant.name,
        hands=sum(not hand.is_void for hand in game.hands),
        won_by=winners or ("" if game.finish else _("still playing")),
        cells=tuple(_game_cell(played, played.seat(record.name)) for record in numbers),
    )


def _game_cell(played: _Played, seat: int | None) -> tuple[str, str]:
    if seat is None:
        return "", ""
    paid = written(played.won.get(seat, 0), plus=True) if played.game.stakes else ""
    return whole(played.game.players[seat].total), paid


def _player_row(record: Record, games: Sequence[_Played], shows_money: bool, scale: int) -> PlayerRow:
    tenths = record.left_in_tenths
    return PlayerRow(
        name=record.name,
        played=record.played,
        won=record.won,
        kalookis=record.kalookis,
        left="" if tenths is None else f"{tenths // 10}.{tenths % 10}",
        money=", ".join(f"{written(amount, plus=True)} {kind}" for kind, amount in sorted(record.money.items())),
        bars=tuple(_bars(record.name, games, shows_money, scale)),
    )


def _bars(name: str, games: Sequence[_Played], shows_money: bool, scale: int) -> Iterator[Bar]:
    """A bar for each game, gains up and losses down; all players' bars have the same scale."""
    step = WIDTH / max(1, len(games))
    for place, played in enumerate(games):
        seat = played.seat(name)
        if seat is None or (shows_money and not played.game.stakes):
            continue
        value = played.value(seat, shows_money)
        height = round(TALLEST * abs(value) / scale, 1)
        width = min(WIDEST, step * 0.7)
        top = MIDDLE - height if value >= 0 else MIDDLE
        yield Bar(
            x=round(step * (place + 0.5) - width / 2, 1),
            y=top,
            width=round(width, 1),
            height=max(height, 0.8),
            value=written(value, plus=True) if shows_money else whole(value),
            value_at=top - 4 if value >= 0 else top + height + 12,
            game=str(place + 1),
        )


def _payments(names: Sequence[str], payments: Sequence[Payment]) -> Iterator[str]:
    for payment in payments:
        yield _("{payer} pays {to} {amount}").format(
            payer=names[payment.payer], to=names[payment.to], amount=written(payment.amount)
        )
