"""The rarer actions: what happens between hands, and what was set up wrongly."""

from __future__ import annotations

from app.kalooki.game.play import mended_start
from app.views import access
from app.views.game import page_of, pages


@pages.get("/more")
def more(code: str) -> str:
    """Penalties, players who leave or join, the end, the pen, the history, the setup, a rematch."""
    table = access.table_or_404(code)
    return page_of(
        table,
        "table/more.html",
        may_write=access.may_write(code),
        seat=access.seat(code),
        you=access.own_seat(code),
        lost=access.lost_pen(code),
        may_delete=access.may_delete(code),
    )


@pages.get("/mend")
def mend(code: str) -> str:
    """Names, dealer, stakes and house rules as they are, each with a way to correct it."""
    table = access.scorers_table(code)
    start = mended_start(table.entries)
    return page_of(table, "table/mend.html", start=start)
