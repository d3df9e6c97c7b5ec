"""A short evening in Firefox and in WebKit: a game on two phones, a hand by keyboard, a correction, a check.

What only Safari on a phone could still show: touch itself, the bars that come and go, its own keyboard, sharing.
"""

import pytest

from tests.browser.engines import ENTER, Phone, engine

pytestmark = [pytest.mark.browser, pytest.mark.long]


@pytest.fixture(params=["firefox", "webkit"])
def phones(request, server):
    """A function that makes a phone; all of them are of one engine."""
    browser = engine(request.param)
    yield lambda: Phone(browser.tab(), server)
    browser.close()


SETTLED = "performance.now() > 400 + (window.toldAt ??= performance.now())"
"""A key that bounces saves nothing: for that long after the review opened, no key does."""


def start_of_three(phone):
    phone.goto("/")
    phone.tap("main a", "New game")
    phone.until("document.querySelector('[data-variant]').hidden")  # the script has come
    phone.tap("#players-0-name")
    phone.type(f"Ann{ENTER}Ben{ENTER}Cat")
    phone.tap("button", "Start the game")
    phone.shows(".player-name > span:first-child", "Ann", "Ben", "Cat")
    return phone.path


def keys(phone, *names):
    if phone.ask("!!document.querySelector('[data-show-keys]:not([hidden])')"):
        phone.tap("[data-show-keys]")  # a mouse is offered the keyboard first
    for name in names:
        phone.tap(f"[data-keypad] > :not([hidden]) [data-key='{name}']")


def shows_what_saving_does(phone, *names):
    """Wait until the read-out has come, and names those whose totals change."""
    phone.shows(":not([aria-busy=true]) > [data-ok] li:not(.is-same) .outlook-name", *names)


def shows_totals(phone, *totals):
    phone.shows(".player-total", *(f"Total: {total}" for total in totals))
    assert not phone.is_too_wide


def test_an_evening_on_two_phones(phones):
    scorer = phones()
    game = start_of_three(scorer)
    other = phones()
    other.goto(game)
    shows_totals(other, 0, 0, 0)

    scorer.tap("a", "Record hand 1")
    scorer.tap(".winner .choice", "Ann")
    keys(scorer, *"28", "3")
    scorer.goto(f"{game}/hand")
    scorer.until("!!document.querySelector('.is-live')")
    typed = scorer.ask("[2, 3].map(seat => document.getElementById(`left-${seat}`).value)")
    assert typed == ["28", "3"]  # it outlives the page
    shows_what_saving_does(scorer, "Ben", "Cat")
    scorer.tap("#left-3")
    keys(scorer, "back", *"35")
    shows_what_saving_does(scorer, "Ben", "Cat")
    assert not scorer.is_too_wide
    scorer.tap("[data-save]")
    shows_totals(scorer, 0, 28, 35)
    shows_totals(other, 0, 28, 35)

    # Ann a king and a five, 10 + 5; Cat a queen and a seven, 10 + 7
    scorer.tap("a", "Record hand 2")
    scorer.tap(".winner .choice", "Ben")
    keys(scorer, "mode", "card K", "card 5", "next", "card Q", "card 7", "next")
    scorer.tap("[data-save]")
    shows_totals(other, 15, 28, 52)

    scorer.tap("a", "Record hand 3")
    scorer.tap(".winner .choice", "Ann")
    scorer.until("document.activeElement.id === 'left-2'")
    scorer.type(f"10+5{ENTER}12.5{ENTER}")
    scorer.shows(".loser .error", "“12.5” cannot be read.")
    scorer.until("document.activeElement.id === 'left-3'")
    scorer.type(f"۱۲{ENTER}")  # over what was refused
    shows_what_saving_does(scorer, "Ben", "Cat")
    scorer.until(SETTLED)
    scorer.type(ENTER)  # saves what is told
    shows_totals(other, 15, 43, 64)

    scorer.until("!!document.querySelector('.hands')")
    scorer.tap(".hands th a", "1")
    scorer.tap(".page .button", "Correct")
    scorer.tap("#left-2")
    keys(scorer, "back", "back", *"38")
    scorer.tap("[data-save]")
    shows_totals(other, 15, 53, 64)

    other.goto(f"{game}/check")
    for rank, suit in ("KS", "KH", "KD"):
        other.tap(f"[data-rank='{rank}']")
        other.tap(f"[data-suit='{suit}']")
    other.until("!!document.querySelector('#verdict .verdict-legal')")
    assert not other.is_too_wide
