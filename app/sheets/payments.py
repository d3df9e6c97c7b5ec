"""Who pays whom over several games, as a list to print and tick off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.history.formats import region_of, write_amount
from app.history.phrases import heading, names_of
from app.history.record import History
from app.history.settling import WhoPaysWhom, pays
from app.kalooki.game.evening import bills
from app.sheets.paper import Paper

TYPE_SIZES = (16, 14, 12, 11, 10, 9)


class Payments(NamedTuple):
    """The games counted, each with its players and what they played when; the payments by currency."""

    games: tuple[tuple[str, str], ...]
    bills: tuple[tuple[str, tuple[WhoPaysWhom, ...]], ...]

    @property
    def title(self) -> str:
        return "Who pays whom"


def payments_of_games(histories: Sequence[History]) -> Payments:
    """Return the payments that settle all that can be settled of some games."""
    counted = [history for history in histories if history.game.can_be_settled]
    region = region_of(counted[0].game) if counted else ""
    listed = (
        (bill.currency, [(bill.names[each.payer], bill.names[each.to], each.amount) for each in bill.payments])
        for bill in bills([history.game for history in counted])
    )
    return Payments(
        games=tuple((names_of(history.game, history.game.order), heading(history)) for history in counted),
        bills=tuple(
            (
                currency.name,
                tuple(
                    WhoPaysWhom(pays(payer, to), write_amount(amount, currency, region), is_paid=False)
                    for payer, to, amount in owed
                ),
            )
            for currency, owed in listed
        ),
    )


def payment_sizes(paper: Paper) -> tuple[str, ...]:
    """Return the CSS for several type sizes, the largest first; none below the least of the paper."""
    sizes = (*(size for size in TYPE_SIZES if size > paper.least), paper.least)
    return tuple(f"html {{ font-size: {size}pt }}" for size in sizes)
