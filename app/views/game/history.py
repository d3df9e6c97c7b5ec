"""History: who recorded what and when, with every correction."""

from __future__ import annotations

from app import log
from app.views import access
from app.views.game import page_of, pages
from app.views.game.board import latest_correction
from app.views.game.messages import pen_appeals


@pages.get("/history")
def history(code: str) -> str:
    """Every entry in words, newest first."""
    table = access.whole_table(code)
    return page_of(
        table,
        "table/history.html",
        may_write=access.may_write(code),
        chapters=[*table.story.chapters.values()][::-1],
        hands={hand.entry: hand for hand in table.game.hands},
        correction=latest_correction(table),
        passed=pen_appeals(log.messages_of(code, table.edition)),
    )
