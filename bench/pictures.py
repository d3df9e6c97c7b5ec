"""`pictures`: the screens README shows, photographed from a sample game on the product's own server.

A game on a phone, a ruling on a phone, and the sheet it prints, written to `static/screens/`. No ratio: it runs only
when it is named.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from app.bootstrap import ROOT
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
CLAIM = {"check": "meld", "variant": "european", "cards": "QH KH AH 2H"}


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
        play(table)
        for name, path in (("game", ""), ("ruling", f"/check?{urlencode(CLAIM)}")):
            page = table.scorer(path, device_scale_factor=2)
            page.wait_for_load_state("networkidle")
            page.screenshot(path=folder / f"{name}.png")
        sheet = table.context().request.get(f"/api/v1/games/{table.code}/sheet.png")
        (folder / "sheet.png").write_bytes(sheet.body())
        browser.close()
    return [path.name for path in folder.glob("*.png")]


def play(table: Any) -> None:
    """Record the hands; whoever is out declines to buy in."""
    for winner, ending, left in HANDS:
        held = {str(seat): {"cards": cards} for seat, cards in left.items()}
        table.record({"kind": "hand", "winner": winner, "ending": ending, "left": held})
