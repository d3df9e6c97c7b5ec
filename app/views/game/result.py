"""The result of a game, ready to be sent: a picture, a text to copy, and messages that are written already."""

from __future__ import annotations

from urllib.parse import quote

from flask import render_template

from app.sheets.export import chat_text
from app.sheets.facts import headline
from app.views import access
from app.views.game import pages
from app.views.links import address


@pages.get("/result")
def result(code: str) -> str:
    """The result as a picture and as text, with every way to send it."""
    table = access.table_or_404(code)
    text = chat_text(table, address("games.show", code=code)).strip()
    told = quote(text)
    messages = {
        "sms": f"sms:?&body={told}",
        "whatsapp": f"whatsapp://send?text={told}",
        "mail": f"mailto:?subject={quote(headline(table.game))}&body={told}",
    }
    return render_template("table/result.html", table=table, game=table.game, code=code, text=text, messages=messages)
