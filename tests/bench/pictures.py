"""`pictures`: photographs the screens in README and help, from the sample game on the product's own server.

They are a game and a ruling on a phone, the sheet printed at the end, and the screens in help, which have few colours
because each phone that opens help loads them. They are written to `static/screens/`, and the words of each to
`tests/browser/pictured.json`: a test compares these with what the pages say. Runs only when named.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pypdfium2
from PIL import Image
from playwright.sync_api import sync_playwright

from app.games.recording import SAMPLE_HANDS, SAMPLE_PLAYERS, SAMPLE_STAKES
from app.settings import ROOT
from tests.browser.phone_pool import PATIENCE
from tests.browser.phones import Table
from tests.conftest import CHROMIUM_ARGUMENTS, chromium_found
from tests.server import Server

SCREENS = ROOT / "static" / "screens"
WORDS = ROOT / "tests" / "browser" / "pictured.json"
TO_THE_END: tuple[dict[str, Any], ...] = (
    {"winner": 4, "ending": "going_out", "left": {"1": "QH JS 9C 4D", "2": "9D 8S 3C", "3": "AH KS QD 8C 5H"}},
    {"winner": 1, "ending": "going_out", "left": {"2": "KH 7D", "3": "JC 10D 9H", "4": "AD KC 7S"}},
    {"winner": 2, "ending": "kalooki", "left": {"1": "KH QC 6S 3D", "3": "AS AC KD JC 10H 5C", "4": "3S 2S"}},
    {"kind": "buy_in", "seat": 3},
    {"winner": 4, "ending": "going_out", "left": {"1": "9S 8D", "2": "* KD QD JS 10C 9H 8H 4C", "3": "6H 5C"}},
    {"kind": "decline", "seat": 2},
    {"winner": 1, "ending": "going_out", "left": {"3": "* AS KC", "4": "QS 9C 2D"}},
    {"kind": "decline", "seat": 3},
    {"winner": 1, "ending": "going_out", "left": {"4": "* JD 10S"}},
)
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36"
HELP_SCREEN = {"width": 360, "height": 700}
HELP_COLOURS = 64
SCALE = 1.6
"""Dots of the picture for a point of the paper."""
CLAIM = {"check": "meld", "variant": "european", "cards": "QH KH AH 2H"}
HELP = {
    "score": "/hand",
    "dispute": f"/check?{urlencode(CLAIM)}",
    "correct": "/correct/3",
    "print": "/sheet",
}


def main(*, tiny: bool = False) -> int:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_found(), args=CHROMIUM_ARGUMENTS)
        words = photograph(browser, Path(folder) if tiny else SCREENS)
        browser.close()
    if not tiny:
        WORDS.write_text(json.dumps(words, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"{len(words)} pictures: {', '.join(sorted(words))}")
    return 0


def photograph(browser: Any, folder: Path) -> dict[str, str]:
    """Play the sample game to its end and photograph it into `folder`; returns the words of each picture."""
    with tempfile.TemporaryDirectory() as data:
        server = Server(f"sqlite:///{data}/pictures.db")
        server.environment |= {"BASE_URL": "https://cards.example"}
        with server:
            table = Table(browser, server, players=SAMPLE_PLAYERS, stakes=SAMPLE_STAKES | {"currency": "EUR"})
            texts = screens(table, folder) | help_screens(table, folder) | sheet(table, folder)
            table.close()
    return {name: words_that_stay(text, table.code) for name, text in texts.items()}


def words_that_stay(text: str, code: str) -> str:
    """The words of a page in one line, whatever the game's code, the day, and when it was played.

    What PDFium writes for a hyphen at the end of a line is a hyphen.
    """
    line = " ".join(text.replace(code, "CODE").replace("\ufffe", "-").split())
    return re.sub(r"\b[A-Z][a-z]{2} \d+ [A-Z][a-z]{2} \d{4}\b", "DAY", re.sub(r" \d+:\d+ to \d+:\d+ ·", "", line))


def screens(table: Any, folder: Path) -> dict[str, str]:
    """The screens in README: the game and a ruling."""
    play(table, SAMPLE_HANDS)
    texts = {}
    for name, path in (("game", ""), ("ruling", HELP["dispute"])):
        page = open_page(table, path, device_scale_factor=2)
        page.screenshot(path=folder / f"{name}.png")
        texts[name] = page.inner_text("body")
    return texts


def help_screens(table: Any, folder: Path) -> dict[str, str]:
    """The screens of help: a hand being typed, a ruling, a correction, the sheet."""
    texts = {}
    for name, path in HELP.items():
        page = open_page(table, path, viewport=HELP_SCREEN, device_scale_factor=1.5)
        if name == "score":
            page.locator(".winner .choice").first.tap()
            for key in "24":
                page.locator(f"[data-key='{key}']:visible").tap()
        taken = Image.open(BytesIO(page.screenshot()))
        taken.convert("RGB").quantize(HELP_COLOURS).save(folder / f"help-{name}.png", optimize=True)
        texts[f"help-{name}"] = page.inner_text("body")
    return texts


def sheet(table: Any, folder: Path) -> dict[str, str]:
    """The sheet of the finished game."""
    play(table, TO_THE_END)
    answer = table.context().request.get(f"/api/v1/games/{table.code}/sheet.pdf", timeout=2 * PATIENCE)
    page = pypdfium2.PdfDocument(answer.body())[0]
    page.render(scale=SCALE).to_pil().save(folder / "sheet.png")
    return {"sheet": page.get_textpage().get_text_range()}


def open_page(table: Any, path: str, **options: Any) -> Any:
    """A page of the game on the scorer's phone, with everything on it."""
    page = table.scorer(path, user_agent=ANDROID, **options)
    page.wait_for_load_state("networkidle")
    return page


def play(table: Any, events: Iterable[dict[str, Any]]) -> None:
    """Record hands as the scorer's phone does, and what is said about buying in."""
    scorer = table.scorer("", user_agent=ANDROID).context.request
    for event in events:
        if "kind" in event:
            table.record(event)
            continue
        left = {
            f"left-{seat}": str(each["points"]) if "points" in each else each for seat, each in event["left"].items()
        }
        fields = {"winner": str(event["winner"]), "ending": event["ending"], "submission": str(uuid4())} | left
        table.post(scorer, f"{table.game}/hand", **fields, seen=str(table.state()["seen"]), do="save")
