"""The pages of one club, whose addresses all begin with the club's."""

from __future__ import annotations

from flask import Blueprint, render_template

from app import days
from app.games.clubs import RecordedClub
from app.history.club import ClubWords
from app.history.formats import territory_of
from app.views import access

pages = Blueprint("clubs", __name__, url_prefix="/c/<code>")
access.load_game(pages, to_look=access.get_club, to_change=access.get_club_to_keep)


def words_of(record: RecordedClub) -> ClubWords:
    """Return what puts this club into words, as its region writes them, or else this device's."""
    region = territory_of(record.zone) or access.region()
    return ClubWords(record.club, record.played, region, days.today(record.zone))


def page_of(record: RecordedClub, template: str, **context: object) -> str:
    """Render a page of a club with the context that all of them need, and `context` of its own."""
    if next(iter(access.clubs()), "") != record.code:
        access.remember_club(record.code)
    usual = {
        "table": None,
        "record": record,
        "club": record.club,
        "words": words_of(record),
        "keeps": access.may_write(record.code),
    }
    return render_template(template, **(usual | context))
