"""Two writers tap whatever they like: every hand is in the log once."""

import random
import re
import time

import pytest
from playwright.sync_api import Error

from tests.browser.hand_entry import enter_hand, type_plainly
from tests.pages import FOUR

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture
def table(begin):
    return begin(players=FOUR)


def saved_at(table):
    return [(winner, {seat: str(points[seat]) for seat in points if points[seat]}) for winner, points in table.hands()]


class Writer:
    """A phone whose owner writes down the hands the table has played, and answers truthfully when asked."""

    TAPS = ("record", "record", "save", "save", "reload", "back", "forward", "to the game", "network")

    def __init__(self, table, chance, script):
        self.table, self.chance, self.script = table, chance, script
        self.phone = table.scorer("", java_script_enabled=script)
        self.typed = None
        self.meant = []  # what its owner has pressed Save for
        self.offline = False
        self.under_way = set()  # what this phone is fetching
        self.phone.on("request", self.begun)
        self.phone.on("requestfinished", self.ended)
        self.phone.on("requestfailed", self.ended)

    def begun(self, fetch):
        self.under_way.add(fetch)

    def ended(self, fetch):
        self.under_way.discard(fetch)

    def act(self, played):
        """One thing a person does; the last of the hands played is the one to be written down."""
        tap = self.chance.choice(self.TAPS)
        if self.offline and (not self.script or tap not in ("save", "network")):
            tap = "network"  # without a network another page is the browser's own
        if self.is_asked and tap in ("record", "save"):
            self.answer()
        elif tap == "record":
            self.record(played)
        else:
            self.do(tap)

    @property
    def is_asked(self):
        return self.phone.locator("[data-compare]").count() > 0

    def record(self, played):
        """The newest hand, where this owner does not see it in the log."""
        link = self.phone.get_by_role("link", name=re.compile("(Record|Resume) hand"))
        if not link.count():
            return
        link.tap()
        self.rest()
        is_empty = self.phone.locator("input[name=winner]:checked").count() == 0
        if self.is_asked or not is_empty or len(self.table.hands()) >= len(played):
            return
        self.typed = played[-1]
        winner, points = self.typed
        (enter_hand if self.script else type_plainly)(self.phone, FOUR[winner - 1], points)

    def do(self, tap):
        page = self.phone
        if tap == "network":
            self.offline = not self.offline
            page.context.set_offline(self.offline)
        elif tap == "reload":
            self.go(page.reload)
        elif tap == "back":
            self.go(page.go_back)
        elif tap == "forward":
            self.go(page.go_forward)
        elif tap == "to the game":
            self.go(page.goto, self.table.game)
        else:
            self.save()
        self.rest()

    def go(self, way, *where):
        """To another page, unless this one leaves by itself at the same moment, its hand being saved."""
        try:
            way(*where)
        except Error as overtaken:
            if not re.search("interrupted by another navigation|ERR_ABORTED", overtaken.message):
                raise
            self.phone.wait_for_load_state()

    def save(self):
        button = self.phone.locator("[data-save]:visible, [data-look]:visible, .action-bar [value=save]").first
        if self.phone.locator(".is-sent").count() or not button.count():
            return
        if button.get_attribute("value") == "save" and self.typed:
            self.meant.append(self.typed)
        button.tap()

    def answer(self):
        """Truthfully: what is saved already was played once."""
        if self.typed in saved_at(self.table):
            self.phone.get_by_role("link", name=re.compile("Discard mine|Theirs is right")).tap()
        else:
            self.phone.get_by_role("button", name="Save as hand").tap()
        self.rest()

    def rest(self):
        """Until what a tap set going has come to rest: the page has come, and fetches nothing but news."""
        until = time.monotonic() + 10
        while time.monotonic() < until:
            try:
                self.phone.wait_for_load_state()
                self.phone.wait_for_timeout(100)  # what a tap sets going begins a moment later
            except Error:
                continue  # the page left meanwhile
            if all(each.resource_type == "eventsource" for each in self.under_way):
                return

    def finish(self):
        """Online again: what waits is sent, and every question is answered."""
        if self.offline:
            self.do("network")
        for _ in range(5):
            self.go(self.phone.goto, f"{self.table.game}/hand")
            self.rest()
            if self.is_asked:
                self.answer()


@pytest.mark.parametrize("seed", range(2))
def test_whatever_two_writers_tap_every_hand_is_in_the_log_once(table, seed):
    """The hands saved are the hands meant: none twice, none lost, and none that was never played."""
    chance = random.Random(seed)
    writers = [Writer(table, chance, script=True), Writer(table, chance, script=seed != 1)]
    played = []
    for _round in range(4):
        winner = chance.randint(1, 4)
        sums = {str(seat): str(chance.randint(20, 37)) for seat in range(1, 5) if seat != winner}
        played.append((winner, sums))
        for _ in range(10):
            chance.choice(writers).act(played)
    for writer in writers:
        writer.finish()
    saved = saved_at(table)
    assert all(saved.count(each) == 1 for each in saved)
    assert all(each in played for each in saved)
    assert all(each in saved for writer in writers for each in writer.meant)
    assert any(writer.meant for writer in writers)
