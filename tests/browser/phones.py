"""Phones around one table, each a browser context of its own."""

import json
import time
import urllib.request
from uuid import uuid4

PHONE = {"width": 360, "height": 740}
START = {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None}


WATCH = """text => {
    const seen = () => document.querySelector("main").innerText.includes(text);
    window.shown = new Promise(done => {
        const look = () => seen() && done(performance.timeOrigin + performance.now());
        new MutationObserver(look).observe(document.body, {childList: true, subtree: true, characterData: true});
    });
}"""
SHOWN = """() => Promise.race([window.shown, new Promise((_, fail) => setTimeout(() => fail("not shown"), 10000))])"""


def watch(phones, text):
    """Let each phone note when it first shows a text."""
    for phone in phones:
        phone.evaluate(WATCH, text)


class Table:
    """A game on a running server; `record` is alice, who keeps it by script."""

    def __init__(self, browser, server, **start):
        self.browser, self.server = browser, server
        self.contexts = []
        game = self.ask("/api/v1/games", START | start | {"submission": str(uuid4())})
        self.code, self.secret = game["code"], game["scorer"]
        self.game = f"/g/{self.code}"

    def ask(self, path, body=None):
        request = urllib.request.Request(f"{self.server.url}{path}", json.dumps(body).encode() if body else None)
        request.add_header("Content-Type", "application/json")
        request.add_header("Authorization", f"Bearer {getattr(self, 'secret', '')}")
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)

    def state(self):
        return self.ask(f"/api/v1/games/{self.code}")

    def hands(self):
        """Winner and typed points of every hand that counts."""
        return [
            (each["winner"], {seat: score["points"] for seat, score in each["scores"].items()})
            for each in self.state()["hands"]
        ]

    def record(self, event):
        body = {"seen": self.state()["seen"], "submission": str(uuid4()), "event": event}
        self.sent = time.time()
        self.ask(f"/api/v1/games/{self.code}/entries", body)

    def phone(self, path="", **options):
        """A phone of its own that has opened a page of the game."""
        options = {"viewport": PHONE, "has_touch": True, "service_workers": "block"} | options
        context = self.browser.new_context(base_url=self.server.url, **options)
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.goto(f"{self.game}{path}")
        return page

    def scorer(self, path="/hand", **options):
        """A phone that may write."""
        page = self.phone(f"/s/{self.secret}", **options)
        page.goto(f"{self.game}{path}")
        return page

    def invitation(self):
        """The secret of a link for players, made on the scorer's page for sharing."""
        page = self.scorer("/share")
        page.get_by_role("button", name="Show the players’ code").click()
        link = page.locator(".share-link a", has_text="/p/").inner_text()
        page.context.close()
        return link.rsplit("/", 1)[1]

    def seated(self, name, invitation=None, **options):
        """A player's phone, on the game page."""
        page = self.phone(f"/p/{invitation or self.invitation()}", **options)
        page.get_by_role("button", name=name).click()
        page.wait_for_url(f"**{self.game}")
        return page

    def delays(self, phones):
        """Seconds from the moment the last hand was sent until each phone showed what it watches for."""
        return [phone.evaluate(SHOWN) / 1000 - self.sent for phone in phones]

    def close(self):
        for context in self.contexts:
            context.close()
