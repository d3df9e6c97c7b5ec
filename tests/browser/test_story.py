"""Whole evenings through the pages alone, on a phone.

Every figure is worked out by hand from the rules of the variant, in the comments beside it.
"""

import io
import re

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from tests.browser.phone_pool import OPTIONS, PATIENCE
from tests.server import eventually

pytestmark = pytest.mark.browser

SCROLLS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


OUTLOOK = ":not([aria-busy='true']) > [data-ok]"
"""What saving does, of what is typed now."""


class Evening:
    """One game on the scorer's phone, told as people would tell it; every page is looked at for sideways scroll."""

    def __init__(self, phone):
        self.phone = phone

    def tap(self, *names):
        """Links and buttons tapped one after the other, each by its words."""
        for name in names:
            place = self.phone.get_by_role("link", name=name).or_(self.phone.get_by_role("button", name=name))
            place.first.wait_for()
            assert not self.phone.evaluate(SCROLLS), self.phone.url
            place.first.tap()

    def start(self, variant, *players):
        """From the front page to the form of a new game, with its players."""
        self.phone.goto("/")
        self.tap("New game")
        # the form's script hides the button for a variant's questions, which no page before has
        self.phone.locator("[data-variant][hidden]").wait_for(state="attached")
        self.phone.get_by_label("Which version?").select_option(label=variant)
        self.phone.locator(".variant-note.notice").wait_for()
        for place, name in enumerate(players):
            seat = self.phone.locator(".seat-name").nth(place)
            if not seat.count():
                self.tap("Add a player")
            seat.fill(name)

    def begin(self):
        self.tap("Start the game")
        self.phone.wait_for_url(re.compile(r"/g/\w+$"))
        self.game = self.phone.url

    def write(self, winner, held, ending="", calls=None):
        """The hand on the open page, up to what saving would do; that text is returned."""
        self.phone.locator(".hand-form.is-live").wait_for()
        self.phone.locator(".winner .choice", has_text=winner).tap()
        if ending:
            self.phone.locator(".ending .choice", has_text=ending).tap()
        for name, made in (calls or {}).items():
            for _ in range(made):
                self.tap(f"{name}: one call more")
        for name, left in held.items():
            self.hold(name, left)
        self.look()
        outlook = self.phone.locator(OUTLOOK)
        outlook.wait_for()
        return " ".join(outlook.inner_text().split())

    def hold(self, name, held):
        """A sum such as 35, or cards such as "A K Q", in place of a sum that stands there."""
        row = self.phone.locator(".loser", has_text=name)
        # a sum that could have no digit more has moved on to the next player by itself
        if "is-active" not in row.get_attribute("class"):
            row.locator(".loser-left input").tap()
        is_sum = isinstance(held, int)
        for _ in row.locator(".loser-left input").input_value():
            self.press("back")
        # the key that changes between the two names the other one
        if (self.key("mode").inner_text() == "Cards") != is_sum:
            self.press("mode")
        self.press(*(str(held) if is_sum else [f"card {card}" for card in held.split()]))

    def look(self):
        """A last digit may be waiting for another: "done" shows what saving does."""
        if self.key("next").is_visible():
            self.press("next")

    def key(self, key):
        return self.phone.locator(f"[data-keypad]:not([hidden]) > :not([hidden]) [data-key='{key}']")

    def press(self, *keys):
        for key in keys:
            self.key(key).tap()

    def hand(self, winner, held, ending="", calls=None):
        """The next hand recorded, from the game's page and back to it."""
        self.tap("Record hand")
        told = self.write(winner, held, ending, calls)
        self.tap("Save hand")
        self.phone.wait_for_url(self.game)
        return told

    def shows(self, **totals):
        """The totals on the game's page, in the order of seats; at the end with their places, without the winner."""
        expect(self.phone.locator(".player-total")).to_have_text(
            [re.compile(rf"Total: {total}$") for total in totals.values()]
        )
        expect(self.phone.locator(".player-name > span:first-child")).to_have_text(
            [re.compile(rf"^(\d+\.)?\s*{name}$") for name in totals]
        )

    def player(self, name):
        return self.phone.locator(".player", has=self.phone.locator(".player-name", has_text=name))

    def pdf(self):
        """The words of the A4 sheet as its link downloads it."""
        address = self.phone.get_by_role("link", name="PDF, A4").get_attribute("href")

        def made():
            """The file, once the server is not too busy to make it, for which it waits a minute."""
            answer = self.phone.request.get(address, timeout=2 * PATIENCE)
            return answer if answer.status != 503 else None

        answer = eventually(made)
        assert answer.headers["content-type"] == "application/pdf"
        pages = PdfReader(io.BytesIO(answer.body())).pages
        return " ".join(" ".join(page.extract_text() for page in pages).split())


@pytest.fixture
def evening(browser, house):
    context = browser.new_context(base_url=house.url, **OPTIONS)
    phone = context.new_page()
    phone.set_default_timeout(PATIENCE)
    yield Evening(phone)
    context.close()


@pytest.mark.both_engines
def test_a_european_game_from_the_first_deal_to_the_printed_sheet(evening):
    phone = evening.phone
    evening.start("European Kalooki", "Ann", "Ben", "Cat", "Dan")
    phone.get_by_role("radio", name="10c").check()
    evening.begin()
    # suggested stakes 1 : 2 : 5 : 5, so call-up 0.10, Kalooki 0.20, initial stake 0.50, buy-in 0.50; pool 4 × 0.50
    evening.shows(Ann=0, Ben=0, Cat=0, Dan=0)
    expect(phone.locator(".next")).to_contain_text("Ann deals")
    expect(phone.locator(".next-pool")).to_contain_text("2.00")

    # Dan's ace, king and queen count 11 + 10 + 10 = 31
    told = evening.hand("Ann", {"Ben": 60, "Cat": 45, "Dan": "A K Q"})
    assert "Ann wins hand 1" in told
    assert "Each pays Ann €0.10" in told
    evening.shows(Ann=0, Ben=60, Cat=45, Dan=31)

    # a Kalooki: 20 from each instead of the call-up
    told = evening.hand("Dan", {"Ann": 30, "Ben": 40, "Cat": 50}, ending="Kalooki")
    assert "Each pays Dan €0.20" in told
    evening.shows(Ann=30, Ben=100, Cat=95, Dan=31)

    # out at 150: Ben 100 + 50, Cat 95 + 60; the highest total of those still under it is Dan's 31 + 20 = 51
    told = evening.hand("Ann", {"Ben": 50, "Cat": 60, "Dan": 20})
    assert "Ben 100 + 50 = 150 out – may buy in at 51 for €0.50" in told
    assert "Cat 95 + 60 = 155 out – may buy in at 51 for €0.50" in told
    evening.phone.locator(".action-bar").get_by_role("button", name=re.compile("Buy in.*Ben")).tap()
    evening.shows(Ann=30, Ben=51, Dan=51, Cat=155)  # who may buy in stands last
    # named again beside the next hand, so that nobody is dropped by haste
    evening.tap("Record hand")
    expect(phone.locator("main")).to_contain_text("Cat has not answered the offer to buy in")
    evening.tap("Answer first")
    decline = evening.phone.get_by_role("button", name=re.compile("Decline.*Cat"))
    decline.tap()
    expect(decline).to_be_hidden()  # saved: the next form knows of it
    evening.tap("Record hand")
    expect(phone.get_by_role("heading", level=1)).to_have_text("Hand 4")
    told = evening.write("Dan", {"Ann": 45, "Ben": 15})
    assert "Each pays Dan €0.10" in told
    evening.tap("Save hand")
    # Ann 30 + 45, Ben 51 + 15; the pool 2.00 + Ben's 0.50
    evening.shows(Ann=75, Ben=66, Cat=155, Dan=51)
    expect(phone.locator(".next-pool")).to_contain_text("2.50")

    correct_hand_1(evening)
    end_of_the_game(evening)
    settle_up(evening)
    sheet(evening)


def correct_hand_1(evening):
    """Ben held 40 in the first hand, not 60: 40 + 40 + 50 = 130, so he was never out and had nothing to buy."""
    phone = evening.phone
    evening.tap("Hand 1", "Correct")
    evening.phone.locator(".hand-form.is-live").wait_for()
    evening.hold("Ben", 40)
    evening.look()
    outlook = phone.locator(OUTLOOK)
    # without the buy-in 130 + 15 = 145
    expect(outlook).to_contain_text(re.compile(r"Ben\s*66\s*→\s*145"))
    # he gets back the 0.50 of his buy-in
    expect(outlook).to_contain_text("+€0.50")
    expect(outlook).to_contain_text("This would no longer make sense")
    evening.tap("Save hand")

    evening.shows(Ann=75, Ben=145, Cat=155, Dan=51)
    senseless = phone.locator(".notice-fault")
    expect(senseless).to_contain_text("won’t count until you fix it")
    expect(senseless).to_contain_text("Ben")
    senseless.get_by_role("link", name="Undo “Ben buys in”").tap()
    evening.tap("Undo “Ben buys in”")
    expect(phone.locator(".notice-fault")).to_have_count(0)
    evening.shows(Ann=75, Ben=145, Cat=155, Dan=51)
    expect(phone.locator(".next-pool")).to_contain_text("2.00")
    # hand 1 Ann, 2 Ben, 3 Cat, 4 Dan, 5 Ann again
    expect(phone.locator(".next")).to_contain_text("Ann deals")


def end_of_the_game(evening):
    # Ann 75 + 40; Ben 145 + 20 = 165 is out, at 115 he may come back, and lets it lapse
    told = evening.hand("Dan", {"Ann": 40, "Ben": 20})
    assert "Ben 145 + 20 = 165 out – may buy in at 115" in told
    evening.phone.locator(".action-bar").get_by_role("button", name="Decline").tap()
    evening.shows(Ann=115, Ben=165, Cat=155, Dan=51)
    expect(evening.phone.locator(".next")).to_contain_text("Dan deals")

    # Ann 115 + 40 = 155: fewer than two are left, so nobody may buy in and the game is over
    told = evening.hand("Dan", {"Ann": 40}, ending="Kalooki")
    assert "This ends the game. Dan wins." in told
    # ranked: who went out later stands before who went out earlier
    evening.shows(Ann=155, Ben=165, Cat=155)
    expect(evening.phone.locator(".finale")).to_contain_text("Dan won with 51 points, the last player left")


def settle_up(evening):
    """In cents, stake first: Ann -50 +30 -20 +30 -10 -10 -20 = -50; Ben -50 -10 -20 -10 -10 -10 = -110;
    Cat -50 -10 -20 -10 = -90; Dan -50 -10 +60 -10 +20 +20 +20 = 50 and the pool of 200 = 250."""
    phone = evening.phone
    evening.tap("Money")
    pays = ["Ann pays Dan €0.50", "Ben pays Dan €1.10", "Cat pays Dan €0.90"]
    expect(phone.locator(".settled")).to_contain_text(pays)
    for payer in ("Ann", "Ben", "Cat"):
        evening.tap(re.compile(f"Paid.*{payer} to Dan"))
        expect(phone.locator(".settled-done")).to_contain_text([f"{payer} paid Dan"])
    expect(phone.locator("main")).to_contain_text("Nobody owes anything any more.")
    won = ["−€0.50", "−€1.10", "−€0.90", "+€2.50"]
    expect(phone.locator(".panel > .fold > summary strong")).to_have_text(won)


def sheet(evening):
    phone = evening.phone
    phone.goto(evening.game)
    evening.tap("More", re.compile("^Print"))
    paper = evening.pdf()
    for name in ("Ann", "Ben", "Cat", "Dan", "European Kalooki"):
        assert name in paper
    # the running totals of the last hand, and who paid whom
    assert re.search(r"155\D+51\b", paper)
    for amount in ("0.50", "1.10", "0.90", "2.00"):
        assert amount in paper


# ---- Jamaican: nine contracts, calls, bending, aces by colour, a tie

CONTRACTS = ["3 threes", "2 threes + 1 four", "1 three + 2 fours", "3 fours", "4 threes"]
CONTRACTS += ["3 threes + 1 four", "2 threes + 2 fours", "1 three + 3 fours", "4 fours"]
# three cards a set and four a run
DEALT = [9, 10, 11, 12, 12, 13, 14, 15, 16]
BENDING = "Bending the table"


@pytest.mark.long
def test_a_jamaican_game_of_nine_hands_with_a_tie(evening):
    phone = evening.phone
    evening.start("Jamaican Kalooki", "Ann", "Ben", "Cat")
    evening.begin()
    for number, (played, totals) in enumerate(jamaican_hands()):
        expect(phone.locator(".next-contract")).to_have_text(CONTRACTS[number])
        expect(phone.locator(".next")).to_contain_text(f"{DEALT[number]} cards each")
        evening.hand(*played)
        evening.shows(**totals)
    expect(phone.locator(".board")).to_contain_text("The game is over. Ann and Ben share first place.")
    evening.tap("Ben won it")
    expect(phone.locator(".board")).to_contain_text("won with 196 points, after a deciding hand")
    evening.tap("Print")
    paper = evening.pdf()
    assert "Jamaican Kalooki" in paper
    assert "2 threes + 1 four" in paper or "2+1" in paper
    assert paper.count("196") >= 2


def jamaican_hands():
    """Winner, what the others hold, ending, calls; and the totals after it."""
    # Ann: black ace 15 + red ace 1 + king 10 = 26; Cat: joker 50 + 5
    yield ("Ben", {"Ann": "Ablack Ared K", "Cat": "* 5"}), {"Ann": 26, "Ben": 0, "Cat": 55}
    # doubled: Ben 2 × 20, Cat 2 × (1 + 9)
    yield ("Ann", {"Ben": 20, "Cat": "Ared 9"}, BENDING), {"Ann": 26, "Ben": 40, "Cat": 75}
    # the winner's fourth call costs her 50
    yield ("Cat", {"Ann": 10, "Ben": 5}, "", {"Cat": 4}), {"Ann": 36, "Ben": 45, "Cat": 125}
    # an over-caller's bending doubles nothing
    yield ("Cat", {"Ann": 12, "Ben": 30}, BENDING, {"Cat": 4}), {"Ann": 48, "Ben": 75, "Cat": 175}
    # Ann: 2 × 20 and two calls too many, 2 × 50, never doubled; Cat 2 × 7
    yield ("Ben", {"Ann": 20, "Cat": 7}, BENDING, {"Ann": 5}), {"Ann": 188, "Ben": 75, "Cat": 189}
    yield ("Ann", {"Ben": 40, "Cat": 6}), {"Ann": 188, "Ben": 115, "Cat": 195}
    yield ("Ann", {"Ben": 60, "Cat": 3}), {"Ann": 188, "Ben": 175, "Cat": 198}
    yield ("Ben", {"Ann": 7, "Cat": 2}), {"Ann": 195, "Ben": 175, "Cat": 200}
    # Ann 195 + a red ace = 196, Ben 175 + 21 = 196
    yield ("Cat", {"Ann": "Ared", "Ben": 21}), {"Ann": 196, "Ben": 196, "Cat": 200}


# ---- Kalooki 51: the first player is drawn, the table ends the game, the pool is split


@pytest.mark.long
def test_a_game_of_kalooki_51_ended_by_the_table(evening):
    phone = evening.phone
    evening.start("Kalooki 51", "Ann", "Ben", "Cat", "Dan")
    phone.get_by_role("radio", name="other").check()
    phone.get_by_role("textbox", name="Into the pool, each").fill("0.35")
    evening.begin()

    evening.tap("Cat")
    expect(evening.phone.locator(".next-facts").first).to_contain_text("Cat plays first")
    evening.hand("Ben", {"Ann": 20, "Cat": 40, "Dan": 60})
    evening.shows(Ann=20, Ben=0, Cat=40, Dan=60)

    evening.tap("Draw here")
    expect(phone.locator(".next-facts").first).to_contain_text("plays first")
    # +25 each: Ann 20 + 10 + 25, Cat 40 + (10 + 10 + 10 + 5) + 25 = 100, Dan 60 + 5 + 25
    evening.hand("Ben", {"Ann": 10, "Cat": "K K Q 5", "Dan": 5}, ending="Kalooki")
    evening.shows(Ann=55, Ben=0, Cat=100, Dan=90)

    # pool 4 × 0.35 = 1.40, a quarter 0.35; fewer than 100: Ann and Dan, 0.17 each; the rest, 1.06, is the winner's
    evening.tap("More", re.compile("^End the game"))
    expect(phone.locator(".preview-page")).to_contain_text("Ann €0.17, Ben €1.06, Dan €0.17")
    evening.tap("End the game")
    expect(phone.locator(".board")).to_contain_text("Ben won with 0 points, 55 ahead of Ann")
    evening.tap("Money")
    # Ann and Dan 0.17 - 0.35, Cat has nothing back
    for payment in ("Ann pays Ben €0.18", "Cat pays Ben €0.35", "Dan pays Ben €0.18"):
        expect(phone.locator("main")).to_contain_text(payment)
