"""The four rooms of a game, to which the bar at the foot of its pages leads."""

from __future__ import annotations

ROOMS = (
    ("Score", "games.show", "♠"),
    ("Referee", "disputes.index", "♥"),
    ("Money", "game_pages.settle", "♦"),
    ("More", "game_pages.more", "♣"),
)
"""The name of each room, the endpoint of its first page, and the suit shown with it."""
ROOM_OF_BLUEPRINT = {
    **dict.fromkeys(("games", "live", "hands", "corrections", "counts"), "Score"),
    **dict.fromkeys(("disputes", "referee", "rules"), "Referee"),
}
ROOM_OF_PAGE = {"game_pages.settle": "Money", "game_pages.hand": "Score", "game_pages.hindsight": "Score"}


def room_of(endpoint: str | None) -> str:
    """Return the room that a page of a game belongs to; empty for an address without a page.

    >>> room_of("rules.game"), room_of("game_pages.settle"), room_of("sheets.html"), room_of(None)
    ('Referee', 'Money', 'More', '')
    """
    name = endpoint or ""
    return ROOM_OF_PAGE.get(name) or ROOM_OF_BLUEPRINT.get(name.partition(".")[0], "More" if name else "")
