"""An evening on one sheet: everybody ranked over several games, and one settlement over all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, count, takewhile
from typing import NamedTuple

from app.kalooki.game.evening import Numbers, Ranked, bills, in_pools, ranked
from app.kalooki.game.state import Game
from app.kalooki.money import Currency
from app.plurals import plural
from app.sheets.chart import INKS, MARKS, Chart, Course, chart
from app.sheets.letters import POINT, ems, widest
from app.sheets.paper import Paper
from app.telling.phrases import and_list, hands_words, headline, names_of, spoken, whole
from app.telling.settling import WhoPaysWhom, pays
from app.telling.story import Story

MOST_GAMES_UPRIGHT = 5
"""With more games than this, the page is landscape."""
LARGEST, STEP, SMALLEST = 11.0, 0.5, 8.5
PADDING = 1.0
CHART = (120.0, 45.0)


class GameRow(NamedTuple):
    """One game: its number on the sheet, its code, the variant, how many hands were played, who won."""

    number: str
    code: str
    name: str
    hands: str
    won_by: str


class PlayerRow(NamedTuple):
    """A player's place, money and statistics; `games` are the money and the total of each game, blank if not played."""

    place: str
    name: str
    money: str
    games: tuple[tuple[str, str], ...]
    won: str
    kalookis: str
    left: str


class Evening(NamedTuple):
    """The whole sheet; `players` are ranked by money in the currency `money` or, if that is empty, by games won.

    `still_out` is what the pools of unfinished games hold: the players have paid it in, and nobody has won it yet.
    """

    headline: str
    dates: str
    money: str
    games: tuple[GameRow, ...]
    players: tuple[PlayerRow, ...]
    settlements: tuple[tuple[str, tuple[WhoPaysWhom, ...]], ...]
    still_out: str
    chart: Chart | None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    @property
    def title(self) -> str:
        """What it is, and of when as far as a time is known: games brought in may have none."""
        return f"Kalooki, {self.dates}" if self.dates else "Kalooki"


def evening_sheet(stories: Sequence[Story]) -> Evening:
    """The games of an evening, in the order given; players with the same name are one person."""
    games = [story.game for story in stories]
    everybody, money = ranked(games)
    days = [spoken(day) for day in sorted({story.day for story in stories} - {""})]
    return Evening(
        headline=_headline(everybody, money) or (headline(games[0]) if len(games) == 1 else "No game is won yet"),
        dates=" – ".join(dict.fromkeys((*days[:1], *days[-1:]))),
        money=money.name if money else "",
        games=tuple(_game_row(str(number), story) for number, story in enumerate(stories, 1)),
        players=tuple(_player_row(each, games, money) for each in everybody),
        settlements=tuple(_settlements(games)),
        still_out=", ".join(currency.amount(held) for currency, held in in_pools(games).items()),
        chart=_chart(everybody, games, money) if money and len(games) > 1 and len(everybody) <= len(MARKS) else None,
    )


def _headline(everybody: Sequence[Ranked], money: Currency | None) -> str:
    """Who is ahead; empty if without money nobody has won a game."""
    first = [each.numbers for each in everybody if each.place == 1]
    names, won = and_list(numbers.name for numbers in first), sum(first[0].money.values())
    if money:
        words = "{names}: {amount}" if won > 0 else "Nobody is ahead"
        return words.format(names=names, amount=money.amount(won, plus=True))
    games = plural("{n} game", "{n} games", first[0].won).format(n=first[0].won)
    words = "{names} won {games}" if len(first) == 1 else "{names} won {games} each"
    return words.format(names=names, games=games) if first[0].won else ""


def _game_row(number: str, story: Story) -> GameRow:
    game = story.game
    won_by = names_of(game, game.winners) or (headline(game) if game.finish else "")
    return GameRow(number, story.code, game.variant.name, hands_words(game), won_by)


def _seat(game: Game, numbers: Numbers) -> int | None:
    """The seat a person had in a game; None if they did not play."""
    return next((seat for seat, person in game.people.items() if person == numbers.person), None)


def _player_row(ranked: Ranked, games: Sequence[Game], money: Currency | None) -> PlayerRow:
    numbers = ranked.numbers
    tenths = numbers.left_in_tenths
    return PlayerRow(
        place=str(ranked.place),
        name=numbers.name,
        money=", ".join(_amounts(numbers, money)),
        games=tuple(_cell(game, _seat(game, numbers)) for game in games),
        won=str(numbers.won),
        kalookis=str(numbers.kalookis),
        left="" if tenths is None else f"{tenths // 10}.{tenths % 10}",
    )


def _amounts(numbers: Numbers, money: Currency | None) -> Iterator[str]:
    """What was won or lost in each currency; without its name if all games share one, which the column's head names."""
    for currency, amount in sorted(numbers.money.items()):
        yield (currency.written if money else currency.amount)(amount, plus=True)


def _cell(game: Game, seat: int | None) -> tuple[str, str]:
    if seat is None:
        return "", ""
    paid = game.currency.written(game.won.get(seat, 0), plus=True) if game.stakes else ""
    return paid, whole(game.players[seat].total)


def _settlements(games: Sequence[Game]) -> Iterator[tuple[str, tuple[WhoPaysWhom, ...]]]:
    for bill in bills(games):
        payments = (
            WhoPaysWhom(
                pays(bill.names[payment.payer], bill.names[payment.to]),
                bill.currency.amount(payment.amount),
                is_paid=False,
            )
            for payment in bill.payments
        )
        yield bill.currency.name, tuple(payments)


def _chart(everybody: Sequence[Ranked], games: Sequence[Game], money: Currency) -> Chart:
    """Each player's money after each game, starting from zero; a player who sat out a game keeps what they had.

    A line has the colour of the player's face in the last game they played in.
    """
    lines = []
    for numbers in (each.numbers for each in everybody):
        won = {part.game: part.amount for part in numbers.parts.get(money, ())}
        totals = [0, *accumulate(won.get(place, 0) for place in range(len(games)))]
        worn = [game.players[seat].face.colour for game in games if (seat := _seat(game, numbers))]
        lines.append(Course(numbers.name, totals, ink=INKS[worn[-1]]))
    drawn = chart(lines, None, 0, CHART, lambda amount: money.written(amount, plus=True))
    return drawn._replace(title="Money after each game")


def evening_fits(evening: Evening, paper: Paper) -> tuple[str, ...]:
    """The CSS for several type sizes, beginning with the largest at which every number fits its column."""
    games = [
        widest(["0", *chain(*of_players)]) for of_players in zip(*(each.games for each in evening.players), strict=True)
    ]
    money = widest((player.money for player in evening.players), bold=True)
    names = widest((word for name in evening.names for word in name.split()), bold=True)
    figures = sum(games) + money + names + sum(map(ems, ("Place", "Won", "Kalookis", "Left")))
    room = paper.across - 2 * PADDING * (6 + len(games))
    largest = min(LARGEST, room / (figures * POINT))
    sizes = takewhile(lambda size: size >= SMALLEST, count(largest - STEP, -STEP))
    return tuple(f"html {{ font-size: {size:.2f}pt }}" for size in (largest, *sizes))
