"""The link for players, one seat a phone; and what ends with the old links."""

import re

import pytest
import sqlalchemy as sa

from app import store
from app.store import db
from app.store.tables import game
from tests.pages import Alice, Player, words
from tests.streams import Stream
from tests.web.at_once import at_once

pytestmark = pytest.mark.one_app


def test_the_players_link_asks_whose_phone_it_is(alice, client):
    page = words(client.get(alice.link("player")).text)
    assert "Whose phone is this?" in page
    assert [name in page for name in ("Ann", "Ben", "Cat")] == [True] * 3


def test_a_phone_that_sits_counts(alice, client):
    client.post(alice.link("player"), data={"seat": "3"})
    page = words(client.get(f"/g/{alice.code}").text)
    assert "This is Cat’s phone now." in page
    assert "My cards left" in page
    assert "Record hand" not in page


ASKED = "Ben already has a phone. Is this one to take its place?"


def instead(page):
    """What the answer “Yes” on the question sends."""
    return {"seat": re.search(r'name="seat" value="(\d+)"', page)[1]} | {
        "instead": re.search(r'name="instead" value="(\d+)"', page)[1]
    }


def test_a_seat_taken_says_by_what_and_asks_before_it_is_taken_over(alice, client):
    ben = Player(alice, seat=2)
    link = alice.link("player")
    assert "Ben has joined: another device" in words(client.get(link).text)

    asked = client.post(link, data={"seat": "2"})
    assert asked.status_code == 409
    assert ASKED in words(asked.text)
    assert f'href="{link}">No, choose again<' in asked.text
    assert "My cards left" in words(ben.get().text)
    assert "You are watching" in words(client.get(f"/g/{alice.code}").text)

    assert client.post(link, data=instead(asked.text)).status_code == 303
    assert "My cards left" in words(client.get(f"/g/{alice.code}").text)
    assert "You are watching." in words(ben.get().text)


def test_the_answer_is_for_the_phone_that_was_asked_about(alice, app, client):
    """Another one has sat down since."""
    Player(alice, seat=2)
    link = alice.link("player")
    answer = instead(client.post(link, data={"seat": "2"}).text)
    third = app.test_client()
    third.post(link, data=instead(third.post(link, data={"seat": "2"}).text))

    assert client.post(link, data=answer).status_code == 409
    assert "My cards left" in words(third.get(f"/g/{alice.code}").text)


def test_of_two_phones_that_choose_a_free_seat_together_one_is_asked(alice, app):
    link, phones = alice.link("player"), [app.test_client(), app.test_client()]
    answers = at_once(app, 2, lambda number: phones[number].post(link, data={"seat": "2"}))
    assert sorted(answer.status_code for answer in answers) == [303, 409]
    (asked,) = (answer for answer in answers if answer.status_code == 409)
    assert ASKED in words(asked.text)
    seated = ["My cards left" in words(phone.get(f"/g/{alice.code}").text) for phone in phones]
    assert seated == [answer.status_code == 303 for answer in answers]


def test_a_phone_that_has_the_seat_is_not_asked(alice):
    ben = Player(alice, seat=2)
    assert ben.client.post(alice.link("player"), data={"seat": "2"}).status_code == 303
    assert "My cards left" in words(ben.get().text)


@pytest.mark.parametrize(
    ("introduction", "hints", "called"),
    [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148", {}, "iPhone"),
        ("Mozilla/5.0 (Linux; Android 10; K) Chrome/130.0.0.0 Mobile", {}, "Android phone"),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0", {}, "Linux computer"),
        # Chrome on a phone, asked for “Desktop site”
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0", {"Sec-CH-UA-Mobile": "?1"}, "phone"),
        ("Mozilla/5.0 (Mobile; rv:48.0) KAIOS/2.5", {}, "phone"),
    ],
)
def test_a_device_is_called_by_its_make(alice, client, introduction, hints, called):
    link = alice.link("player")
    client.post(link, data={"seat": "3"}, headers={"User-Agent": introduction} | hints)
    assert f"Cat has joined: {called}" in words(alice.client.application.test_client().get(link).text)


@pytest.mark.parametrize("seat", ["", "9", "x", "0"])
def test_a_seat_nobody_has_is_refused(alice, client, seat):
    assert client.post(alice.link("player"), data={"seat": seat}).status_code == 400


def test_the_scorers_phone_keeps_its_right(alice):
    link = alice.link("player")
    assert alice.client.get(link).status_code == 303
    alice.client.post(link, data={"seat": "1"})
    assert "Record hand 1" in alice.see()


@pytest.mark.parametrize("role", ["scorer", "watch"])
def test_a_link_of_another_kind_is_no_players_link(alice, app, client, role):
    with app.app_context():
        secret = store.mint(alice.code, role)
    assert client.get(f"/g/{alice.code}/p/{secret}").status_code == 404


def test_a_players_link_does_not_let_anybody_write(alice, client):
    secret = alice.link("player").rsplit("/", 1)[1]
    client.get(f"/g/{alice.code}/s/{secret}")
    assert "Record hand" not in words(client.get(f"/g/{alice.code}").text)


def test_links_of_one_game_open_no_other(alice, app, client):
    other = Alice(app)
    secret = other.link("player").rsplit("/", 1)[1]
    assert client.get(f"/g/{alice.code}/p/{secret}").status_code == 404


# ---- New links in place of the old ones


@pytest.fixture
def moved(alice):
    """Alice's game under another code; `old` is the code it had."""
    old = alice.code
    alice.reset_links()
    alice.old = old
    return alice


def test_the_old_code_opens_nothing_any_more(moved, client):
    assert moved.code != moved.old
    for path in ("", "/version", "/board", "/settle"):
        assert client.get(f"/g/{moved.old}{path}").status_code == 410
    assert client.get(f"/api/v1/games/{moved.old}").status_code == 410
    assert "Ann" in words(client.get(f"/g/{moved.code}").text)


def test_the_scorer_goes_on_writing(moved):
    assert "Record hand 1" in moved.see()
    assert moved.code in moved.client.get("/").text
    assert moved.old not in moved.client.get("/").text


def test_a_phone_whose_right_stands_finds_its_way(alice, app):
    """0.3 gave a game a new code and left the other phones their rights."""
    ben, old = Player(alice, seat=2), alice.code
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(sa.update(game).where(game.c.code == old).values(code="NEWCQDE2345"))
    led = ben.client.get(f"/g/{old}")
    assert (led.status_code, led.location) == (302, "/g/NEWCQDE2345")
    assert "My cards left" in words(ben.client.get(led.location).text)
    for path in (f"games/{old}", f"games/{old}/sheet.json", f"games/{old}/rules.pdf", f"sheets/blank.pdf?game={old}"):
        answer = ben.client.get(f"/api/v1/{path}")  # which answers in JSON, and with files
        assert (answer.status_code, answer.json["error"]["code"]) == (404, "not_found")


def test_open_streams_end_with_the_link(app, alice):
    stream = Stream(alice)
    with app.app_context():
        store.reset_links(alice.code, None)
    assert [stream.next(), stream.next()] == [b"data: 1.0\n\n", None]
    stream.close()


@pytest.mark.parametrize(
    "sent", [lambda alice: alice.send("/void", reason=""), lambda alice: alice.scorer.send({"kind": "void"})]
)
def test_an_entry_on_its_way_while_the_links_are_reset_is_not_saved(alice, monkeypatch, sent):
    writing = store.writing

    def renewed_meanwhile(code, *known):
        store.reset_links(code, None)
        return writing(code, *known)

    monkeypatch.setattr(store, "writing", renewed_meanwhile)
    assert sent(alice).status_code == 410
