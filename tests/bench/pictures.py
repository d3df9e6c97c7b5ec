"""`pictures`: photographs the screens in README and help, from a sample game on the product's own server.

They are a game and a ruling on a phone, the sheet printed at the end, and the screens in help, which have few colours
because each phone that opens help loads them. They are written to `static/screens/`. Runs only when named.
"""

from __future__ import annotations

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

from app.settings import ROOT
from tests.browser.phones import Table
from tests.conftest import CHROMIUM_ARGUMENTS, chromium_found
from tests.server import Server

SCREENS = ROOT / "static" / "screens"
STAKES = {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 100, "buy_in": 200}
HANDS = (
    (1, "going_out", {2: "KH QD 7C", 3: "AS 5D", 4: "10H 10C 4S"}),
    (3, "going_out", {1: "9S 9D", 2: "JC 8H 3D", 4: "* KD"}),
    (2, "kalooki", {1: "QS 6H 2C", 3: "AD AC 9H", 4: "7S 5S 5H"}),
    (4, "going_out", {1: "3H", 2: "KC KS", 3: "10D 8S"}),
    (1, "going_out", {2: "6D 6S 4H", 3: "JD JH 2S", 4: "QC"}),
)
TO_THE_END: tuple[dict[str, Any] | tuple[int, str, dict[int, str]], ...] = (
    (4, "going_out", {1: "QH JS 9C 4D", 2: "* KH KD QC JD 9C 8S", 3: "AH KS QD 8C 5H"}),
    {"kind": "decline", "seat": 2},
    (1, "going_out", {3: "* AD KC JH 7S 7D", 4: "JS 10S 9D 3C"}),
    {"kind": "buy_in", "seat": 3},
    (4, "kalooki", {1: "KH QC 6S 3D", 3: "AS AC KD JC 10H 5C"}),
    {"kind": "decline", "seat": 3},
    (1, "going_out", {4: "* QS JD 10C 8H"}),
)
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36"
HELP_SCREEN = {"width": 360, "height": 700}
HELP_COLOURS = 48
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
    with tempfile.TemporaryDirectory() as folder:
        server = Server(f"sqlite:///{folder}/pictures.db")
        server.environment |= {"BASE_URL": "https://cards.example"}
        server.start()
        try:
            taken = photographed(server, Path(folder) if tiny else SCREENS)
        finally:
            server.stop()
    print(f"{len(taken)} pictures: {', '.join(sorted(taken))}")
    return 0


def photographed(server: Server, folder: Path) -> list[str]:
    """Play the sample game and photograph it; the names of the files."""
    folder.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_found(), args=CHROMIUM_ARGUMENTS)
        table = Table(browser, server, players=["Ann", "Ben", "Cat", "Dan"], stakes=STAKES)
        scorer = table.scorer("", user_agent=ANDROID).context.request
        play(table, scorer, HANDS)
        for name, path in (("game", ""), ("ruling", f"/check?{urlencode(CLAIM)}")):
            page = table.scorer(path, device_scale_factor=2)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=folder / f"{name}.png")
        photograph_help(table, folder)
        play(table, scorer, TO_THE_END)
        sheet = table.context().request.get(f"/api/v1/games/{table.code}/sheet.pdf")
        pypdfium2.PdfDocument(sheet.body())[0].render(scale=SCALE).to_pil().save(folder / "sheet.png")
        browser.close()
    return [path.name for path in folder.glob("*.png")]


def photograph_help(table: Any, folder: Path) -> None:
    """The screens of help: a hand being typed, a ruling, a correction, the sheet."""
    for name, path in HELP.items():
        page = table.scorer(path, viewport=HELP_SCREEN, device_scale_factor=1.5)
        page.wait_for_load_state("networkidle")
        if name == "score":
            page.locator(".winner .choice").first.tap()
            for key in "24":
                page.locator(f"[data-key='{key}']:visible").tap()
        taken = Image.open(BytesIO(page.screenshot()))
        taken.convert("RGB").quantize(HELP_COLOURS).save(folder / f"help-{name}.png", optimize=True)


def play(table: Any, scorer: Any, told: Iterable[Any]) -> None:
    """Record hands as the scorer's phone does, and what is said about buying in."""
    for each in told:
        if isinstance(each, dict):
            table.record(each)
            continue
        winner, ending, left = each
        cards = {f"left-{seat}": held for seat, held in left.items()}
        hand = {"winner": str(winner), "ending": ending, "seen": str(table.state()["seen"]), "submission": str(uuid4())}
        table.post(scorer, f"{table.game}/hand", **hand, **cards, do="save")
