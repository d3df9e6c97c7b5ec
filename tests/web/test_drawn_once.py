"""What all phones of a table ask for after a hand is drawn once, and each is shown what is meant for it."""

import gzip
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.store import games, grants
from app.views.game import board
from tests.json_scorer import Scorer
from tests.pages import all_hold

SIX = [f"P{seat}" for seat in range(1, 7)]


@pytest.fixture
def alice(client):
    alice = Scorer(client, {"variant": "kalooki-51", "players": SIX})
    alice.record(all_hold(7, 6))
    return alice


@pytest.fixture
def drawn(monkeypatch):
    """The boards put together from now on, by the newest entry they show."""
    made = []
    money = board.money  # asked for once a board, whoever it is for
    monkeypatch.setattr(board, "money", lambda game: made.append(len(game.hands)) or money(game))
    return made


def boards(app, code, phones):
    """The boards of so many phones that ask at the same time."""
    at_once = threading.Barrier(phones)

    def ask(_phone):
        own = app.test_client()
        at_once.wait(30)
        return own.get(f"/g/{code}/board")

    with ThreadPoolExecutor(phones) as pool:
        return list(pool.map(ask, range(phones)))


def test_all_who_watch_are_shown_one_board_of_an_edition(app, alice, drawn):
    for hands in (1, 2):
        answers = boards(app, alice.code, 12)
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.text for answer in answers}) == 1
        assert f"Hand {hands + 1}" in answers[0].text
        assert drawn == list(range(1, hands + 1))
        alice.record(all_hold(7, 6))


@pytest.mark.parametrize("address", ["/g/{}/board", "/api/v1/games/{}"])
def test_what_is_kept_packed_says_the_same_to_whoever_cannot_unpack_it(app, alice, address):
    phone, script = app.test_client(), app.test_client()
    packed = phone.get(address.format(alice.code), headers={"Accept-Encoding": "gzip"})
    plain = script.get(address.format(alice.code))
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert "Content-Encoding" not in plain.headers
    assert packed.mimetype == plain.mimetype
    for own, first in ((phone, packed), (script, plain)):
        encoding = "gzip" if own is phone else "identity"
        known = {"Accept-Encoding": encoding, "If-None-Match": first.headers["ETag"]}
        assert own.get(address.format(alice.code), headers=known).status_code == 304
    assert packed.headers["ETag"] == plain.headers["ETag"]


def test_nobody_is_shown_the_board_of_another_role(app, alice, drawn):
    watch, write, sit = (app.test_client() for _ in range(3))
    write.get(f"/g/{alice.code}/s/{alice.secret}")
    with app.app_context():
        sit.get(f"/g/{alice.code}/s/{grants.mint(alice.code, 'player', 3, 'phone')}")
    for _ in range(2):
        shown = {name: phone.get(f"/g/{alice.code}/board").text for name, phone in
                 (("watch", watch), ("write", write), ("sit", sit))}  # fmt: skip
        assert ["Record hand 2" in shown[name] for name in ("watch", "write", "sit")] == [False, True, True]
        assert ["You are watching" in shown[name] for name in ("watch", "write", "sit")] == [True, False, False]
        assert ["My cards" in shown[name] for name in ("watch", "write", "sit")] == [False, False, True]


def test_a_card_handed_in_makes_another_board(app, alice, drawn):
    watch = app.test_client()
    assert "cards sent" not in watch.get(f"/g/{alice.code}/board").text
    with app.app_context():
        games.hand_in(alice.code, 2, 2, "KH")
    assert "cards sent" in watch.get(f"/g/{alice.code}/board").text
    assert drawn == [1, 1]


def test_an_evening_of_thirty_three_hands_of_six_is_refused_to_none_of_twenty_phones(app, client):
    """As met: all phones ask for the board right after the save, while the scorer opens the form for the next hand."""
    alice = Scorer(client, {"variant": "kalooki-51", "players": SIX, "house": {"limit": None}})
    for _ in range(33):
        alice.record(all_hold(7, 6))
    scorer = app.test_client()
    scorer.get(f"/g/{alice.code}/s/{alice.secret}")
    for _ in range(3):
        alice.record(all_hold(7, 6))
        with ThreadPoolExecutor(1) as form:
            page = form.submit(scorer.get, f"/g/{alice.code}/hand")
            statuses = {answer.status_code for answer in boards(app, alice.code, 20)}
        assert (page.result().status_code, statuses) == (200, {200})
