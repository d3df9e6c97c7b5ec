"""The pages of one club, whose addresses all begin with the club's."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from app import days
from app.games.clubs import RecordedClub
from app.history.club import ClubWords
from app.history.formats import territory_of
from app.kalooki.readers import whole_typed
from app.views import access

pages = Blueprint("clubs", __name__, url_prefix="/c/<code>")
access.load_game(pages, to_look=access.get_club, to_change=access.get_club_to_keep)


def words_of(record: RecordedClub) -> ClubWords:
    """Return what puts this club into words, as its region writes them, or else this device's."""
    region, today = territory_of(record.zone) or access.region(), days.today(record.zone)
    return record.once(("club", region, today), lambda: ClubWords(record.club, record.played, region, today))


TYPED = "typed-"
"""What the fields of a refused form are called in the address of the page that shows it again."""


RECORDED = "recorded"
"""What the entry recorded just now is called in the address of the page that offers to undo it."""


def typed_before() -> dict[str, dict[str, str]]:
    """Return the fields of the form, sent from this page, that was refused just now, by the kind of its event."""
    typed = {name.removeprefix(TYPED): text for name, text in request.args.items() if name.startswith(TYPED)}
    return {typed["kind"]: typed} if "kind" in typed else {}


def page_of(record: RecordedClub, template: str, **context: object) -> str:
    """Render a page of a club with the context that all of them need, and `context` of its own."""
    if next(iter(access.clubs()), "") != record.code:
        access.remember_club(record.code)
    recorded, keeps = whole_typed(request.args.get(RECORDED)), access.may_write(record.code)
    usual = {
        "table": None,
        "record": record,
        "club": record.club,
        "words": words_of(record),
        "typed_before": typed_before(),
        "keeps": keeps,
        "undoable": recorded if keeps and recorded not in record.club.undone_by else None,
    }
    return render_template(template, **(usual | context))
