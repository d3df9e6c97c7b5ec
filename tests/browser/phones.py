"""Phones around one table, each with its own browser context."""

import re
import time
from contextlib import contextmanager
from urllib.request import HTTPCookieProcessor, build_opener
from uuid import uuid4

from tests.browser.phone_pool import OPTIONS, PATIENCE, is_closed, is_lent, lend, take_back
from tests.phone import ask

TOKEN = r'name="csrf_token" value="([^"]+)"'
START = {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None}
WATCH = """text => {
    const seen = () => document.querySelector("main").innerText.includes(text);
    window.shown = new Promise(done => {
        const look = () => seen() && done(performance.timeOrigin + performance.now());
        new MutationObserver(look).observe(document.body, {childList: true, subtree: true, characterData: true});
    });
}"""
SHOWN = """() => Promise.race([window.shown, new Promise((_, fail) => setTimeout(() => fail("not shown"), 60000))])"""

QUIET = """() => new Promise(done => {
    const ended = () => Math.max(...performance.getEntriesByType("resource").map(each => each.responseEnd));
    const look = () => performance.now() - ended() > 500 ? requestAnimationFrame(done) : setTimeout(look, 50);
    look();
})"""
"""Resolves when nothing has arrived for half a second."""


def watch(phones, text):
    """Make each phone note when it first shows a text."""
    for phone in phones:
        phone.evaluate(WATCH, text)


WAITING = "document.getAnimations().filter(each => each.animationName === 'waits')"
ANSWERS = f"() => !{WAITING}.length"
"""Whether the buttons of a new page have waited long enough for a second tap that was meant for the last page."""
HOLD = """() => {
    window.held = new CSSStyleSheet();
    held.replaceSync('* { animation-play-state: paused !important }');
    document.adoptedStyleSheets.push(held);
}"""
GO_ON = "() => { document.adoptedStyleSheets = document.adoptedStyleSheets.filter(each => each !== held); }"
"""On a busy machine the second tap may come late: the buttons wait for it."""


def tap_twice(phone, button):
    """Tap twice, like a nervous thumb: the second tap comes as soon as the next page shows its buttons."""
    phone.add_init_script(f"({HOLD})()")
    with phone.expect_navigation(wait_until="commit"):
        middle = tap_where_it_stands(phone, button)
    phone.locator(".waits .button").first.wait_for()
    phone.touchscreen.tap(*middle)
    phone.evaluate(GO_ON)


def tap_where_it_stands(phone, button):
    """Tap without scrolling, like a thumb; returns where."""
    phone.wait_for_function(ANSWERS)  # waiting for the button itself would scroll
    box = button.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    phone.touchscreen.tap(*middle)
    return middle


def held_back(page, address):
    """What the page asks for next at an address is not answered; returns what waits for it, to let it go on."""
    held = []
    page.route(address, lambda route: held.append(route), times=1)  # noqa: PLW0108 - a list's own method cannot be marked

    def asked_for():
        while not held:
            page.wait_for_timeout(10)
        return held[0]

    return asked_for


def hold_clock(phone):
    """From its next page on, the clock of a device of this test's own stands at 19:40 in UTC until it is moved."""
    assert not is_lent(phone.context)  # it would stand still for the next test too
    phone.clock.install(time="2026-11-26T18:40:00Z")
    phone.clock.pause_at("2026-11-26T19:40:00Z")
    return phone


SEEN = """state => {
    Object.defineProperty(document, 'visibilityState', {value: state, configurable: true});
    document.dispatchEvent(new Event('visibilitychange'));
}"""


@contextmanager
def asleep(phone):
    """A phone nobody looks at: it gets no updates until it wakes."""
    phone.evaluate(SEEN, "hidden")
    yield
    phone.evaluate(SEEN, "visible")


class Game:
    """A game on a running server; `record` is alice, who scores by script."""

    secret = ""

    def __init__(self, server, **start):
        self.server = server
        made = self.ask("/api/v1/games", start | {"submission": str(uuid4())})
        self.code, self.secret = made["code"], made["scorer"]
        self.game = f"/g/{self.code}"

    def ask(self, path, body=None):
        status, answer = ask(f"{self.server.url}{path}", body, self.secret)
        assert status < 400, answer
        return answer

    def state(self):
        return self.ask(f"/api/v1/games/{self.code}")

    def record(self, *events):
        for event in events:
            body = {"seen": self.state()["seen"], "submission": str(uuid4()), "event": event}
            self.sent = time.time()
            self.ask(f"/api/v1/games/{self.code}/entries", body)


class Table(Game):
    """A game with phones around it."""

    def __init__(self, browser, server, **start):
        self.browser = browser
        self.contexts, self.lent = [], []
        super().__init__(server, **START | start)

    def hands(self):
        """Winner and typed points of every hand that counts."""
        return [
            (each["winner"], {seat: score["points"] for seat, score in each["scores"].items()})
            for each in self.state()["hands"]
        ]

    def context(self, **options):
        """A new device, with its own cookies; a test may do to it what it likes."""
        context = self.browser.new_context(base_url=self.server.url, **OPTIONS | options)
        self.contexts.append(context)
        return context

    def device(self, *, java_script_enabled=True, **options):
        """An empty page on a device with its own cookies; an ordinary phone is lent."""
        if options:
            page = self.context(java_script_enabled=java_script_enabled, **options).new_page()
            page.set_default_timeout(PATIENCE)
            return page
        page = lend(self.browser, self.server, script=java_script_enabled)
        self.contexts.append(page.context)
        self.lent.append(page.context)
        return page

    def phone(self, path="", **options):
        """A phone that has opened a page of the game."""
        page = self.device(**options)
        page.goto(f"{self.game}{path}")
        return page

    def opened(self, context, path):
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"{self.game}{path}")
        return page

    def scorer(self, path="/hand", **options):
        """A phone that may write."""
        page = self.device(**options)
        page.request.get(f"{self.game}/s/{self.secret}")
        page.goto(f"{self.game}{path}")
        return page

    def invitation(self):
        """The secret of the players' link, as the share page shows it."""
        alice = build_opener(HTTPCookieProcessor())

        def answer(path):
            return alice.open(f"{self.server.url}{self.game}{path}", timeout=60).read().decode()

        answer(f"/s/{self.secret}")
        return re.search(r"/p/(\w+)", answer("/share"))[1]

    def seated(self, seat, invitation=None, path="", **options):
        """A player's phone that has chosen its seat."""
        page = self.device(**options)
        self.post(page.request, f"{self.game}/p/{invitation or self.invitation()}", seat=str(seat))
        page.goto(f"{self.game}{path}")
        return page

    def post(self, request, path, **fields):
        """A form sent with the token of its page."""
        token = re.search(TOKEN, request.get(path).text())[1]
        answer = request.post(path, form={"csrf_token": token} | fields)
        assert answer.ok, answer.text()
        return answer

    def delays(self, phones):
        """Seconds from sending the last hand until each phone showed what it watches for."""
        return [phone.evaluate(SHOWN) / 1000 - self.sent for phone in phones]

    def close(self):
        for context in self.contexts:
            if context in self.lent:
                take_back(context)
            else:
                is_closed(context)
