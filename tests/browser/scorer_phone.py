"""The scorer’s phone under one thumb: it taps, and counts its taps."""

from tests.browser.hand_entry import enter_hand
from tests.browser.phones import Game
from tests.pages import FOUR

KEYS = """() => [...document.querySelectorAll('[data-keypad] > :not([hidden]) button')].map(key => {
    const {x, y, width, height} = key.getBoundingClientRect();
    return [key.dataset.key, ...[x, y, width, height].map(Math.round)].join();
})"""

SETTLED = """place => new Promise(done => {
    const click = () => new MouseEvent('click', {cancelable: true});
    const look = () => place.dispatchEvent(click()) ? done() : setTimeout(look, 20);
    look();
})"""
"""Resolves when a tap there counts again."""


class Phone(Game):
    """The scorer's phone on one game; it counts its taps. What is recorded comes from elsewhere."""

    def __init__(self, page, server, variant="european", players=FOUR, **more):
        super().__init__(server, variant=variant, players=list(players), **more)
        self.page, self.taps = page, 0
        page.request.get(f"/g/{self.code}/s/{self.secret}")

    @property
    def totals(self):
        return [player["total"] for player in self.state()["players"]]

    def open(self, path="/hand"):
        self.page.goto(f"/g/{self.code}{path}")
        self.taps = 0

    def begin(self, winner):
        """Open the form of a hand, and tap who has won."""
        self.open()
        self.won(winner)

    def tap(self, place):
        place.tap()
        self.taps += 1

    def won(self, name):
        self.tap(self.page.locator(".winner .choice", has_text=name))

    def key(self, key):
        return self.page.locator(f"[data-keypad] > :not([hidden]) [data-key='{key}']")

    def press(self, *keys):
        for key in keys:
            self.tap(self.key(key))

    def cards(self, *cards):
        self.press(*(f"card {card}" for card in cards))

    def keys(self):
        """Every key that shows, with its place and size."""
        return tuple(self.page.evaluate(KEYS))

    def save(self, **how):
        self.page.locator("[data-save]").tap(**how)
        self.taps += 1

    def saved(self):
        """Wait for the game's page; the totals then."""
        self.page.wait_for_url(f"**/g/{self.code}")
        return self.totals

    def saves(self):
        """Save what is typed; the totals then."""
        self.save()
        return self.saved()

    @property
    def preview(self):
        return self.page.locator("[data-preview-region]")

    def points(self, seat):
        return self.page.locator(f"#left-{seat}")


FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"


def at_rest(place):
    """Where something is once the page no longer scrolls: nobody can tap what is moving."""
    before = None
    while (box := place.bounding_box()) != before:
        before = box
        place.page.evaluate(FRAMES)
    return box


def middle(place):
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def type_a_hand(phone):
    """The sums of `two_digit_sums` in the form just opened, where no tap is counted."""
    phone.open()
    enter_hand(phone.page, "Ann", {2: 28, 3: 35, 4: 47})


def two_digit_sums(phone):
    """Ann wins; Ben 28, Cat 35, Dan 47: each jumps on by itself, as no hand counts 280, 350 or more."""
    phone.won("Ann")
    phone.press(*"28", *"35", *"47")
