"""Sending a game's result or its sheet: a picture, a text to copy, and links that open a ready-made message."""

from __future__ import annotations

from urllib.parse import quote

from flask import request, url_for

from app.kalooki.readers import whole_typed
from app.sheets.score_sheet import parts_of
from app.telling.chat import chat_text
from app.telling.phrases import headline
from app.views import access
from app.views.game import page_of, pages
from app.views.links import address, spelled_out


@pages.get("/result")
def result(code: str) -> str:
    """The result as a picture and as text, with every way to send it."""
    picture = url_for("sheets.result_picture", code=code)
    return _page(code, picture=picture, back=url_for("games.show", code=code))


@pages.get("/sheet/picture")
def sheet_picture(code: str) -> str:
    """The score sheet as a picture, with the same text; `part` chooses a sheet of a long game."""
    typed = whole_typed(request.args.get("part", ""), digits=3)
    part = typed if typed in range(1, parts_of(access.table_or_404(code).game) + 1) else None
    picture, back = (url_for(endpoint, code=code, part=part) for endpoint in ("sheets.png", "sheets.html"))
    return _page(code, picture=picture, back=back, is_sheet=True)


def _page(code: str, **shown: object) -> str:
    table = access.table_or_404(code)
    text = chat_text(table.story, spelled_out(address("games.show", code=code))).strip()
    told = quote(text)
    messages = {
        "sms": f"sms:?&body={told}",
        "whatsapp": f"whatsapp://send?text={told}",
        "mail": f"mailto:?subject={quote(headline(table.game))}&body={told}",
    }
    return page_of(table, "table/result.html", text=text, messages=messages, **shown)
