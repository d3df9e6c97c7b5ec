"""The other pages of a game: settling up, its history, mending, what happens between hands, and who may see it."""

from __future__ import annotations

from flask import Blueprint

from app.i18n import gettext
from app.kalooki.game.state import PlayedHand
from app.kalooki.rules.wording import say
from app.kalooki.variants import Value, meanings
from app.table.hindsight import can_be_looked_at
from app.views.game import entries, hindsight, history, more, points, settle, share

blueprint = Blueprint("table", __name__, url_prefix="/g/<code>")

for path, endpoint, view in (
    ("/settle", "settle", settle.show),
    ("/history", "history", history.show),
    ("/hands/<int:entry>/best", "hindsight", hindsight.show),
    ("/points/<int:entry>/<int:seat>", "points", points.show),
    ("/mend", "mend", more.mend),
    ("/more", "more", more.more),
    ("/share", "share", share.show),
    ("/qr/watch.svg", "watch_code", share.watch_code),
    ("/enter/<kind>", "enter", entries.enter),
    ("/enter/<kind>/<int:entry>", "enter", entries.enter),
    ("/enter/<kind>/look", "look", entries.look),
    ("/enter/<kind>/<int:entry>/look", "look", entries.look),
):
    blueprint.add_url_rule(path, endpoint, view)

for path, endpoint, view in (
    ("/settle", "note_payment", settle.note),
    ("/share", "give_right", share.change),
    ("/enter/<kind>", "send", entries.send),
    ("/enter/<kind>/<int:entry>", "send", entries.send),
):
    blueprint.add_url_rule(path, endpoint, view, methods=["POST"])


@blueprint.app_context_processor
def _enterable() -> dict[str, tuple[str, ...]]:
    """Which kinds of entry have a form that corrects them, for every page that offers it."""
    return {"enterable": entries.CORRECTABLE}


@blueprint.app_template_test("worth_a_look_back")
def worth_a_look_back(hand: PlayedHand) -> bool:
    """Whether a hand has cards of losers to look through."""
    return can_be_looked_at(hand)


@blueprint.app_template_filter("house_words")
def house_words(house: dict[str, Value]) -> list[tuple[str, str]]:
    """House rules as people say them: what it is about, and how this table plays it."""
    return [(gettext(meanings()[key].label), say(key, value, gettext)) for key, value in house.items()]
