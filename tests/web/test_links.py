"""The link to join, which seats phones; and what ends with the old links."""

import pytest
import sqlalchemy as sa

from app.kalooki.game.events import Avatar
from app.store import games, grants
from app.store.database import Game, db, versions
from tests.pages import Player, words

pytestmark = pytest.mark.one_app


def test_the_link_to_join_asks_which_seat(alice, client):
    page = words(client.get(alice.link("player")).text)
    assert "Choose your seat" in page
    assert [name in page for name in ("Ann", "Ben", "Cat", "I’m just watching")] == [True] * 4
    assert "This phone can then record hands" in page


def test_an_emoji_chosen_at_the_door_is_worn_and_offered_to_nobody_else(alice, client):
    link = alice.link("player")
    assert 'value="🐻"' in client.get(link).text
    assert client.post(link, data={"seat": "2", "emoji": "🐻"}).status_code == 303
    assert alice.table.game.players[2].avatar == Avatar("red", "🐻")
    assert 'value="🐻"' not in client.get(link).text
    client.post(link, data={"seat": "3", "emoji": "<b>"})
    client.post(link, data={"seat": "0", "emoji": "🐱"})
    assert len(alice.table.entries) == 2  # the start and the bear


def test_where_only_one_phone_records_the_door_offers_no_emoji(alice, client):
    alice.let_only_starter_record()
    link = alice.link("player")
    assert 'name="emoji"' not in client.get(link).text
    client.post(link, data={"seat": "2", "emoji": "🐻"})
    assert len(alice.table.entries) == 1


def test_a_phone_that_joined_records_like_the_scorers_and_hands_in_its_own_cards(alice):
    cat = Player(alice, seat=3)
    page = cat.see()
    assert "This is Cat’s phone now." in page
    assert ["Record hand 1" in page, "My cards" in page] == [True, True]
    hand = {"winner": "3", "ending": "going_out", "left-1": "5", "left-2": "7", "seen": "1", "submission": "one"}
    assert cat.client.post(f"/g/{cat.code}/hand", data=hand | {"do": "save"}).status_code == 303
    corrected = hand | {"left-2": "8", "seen": "2", "submission": "two", "do": "save"}
    assert cat.client.post(f"/g/{cat.code}/correct/2", data=corrected).status_code == 303
    assert alice.totals == [5, 8, 0]
    assert cat.client.post(f"/g/{cat.code}/undo/3", data={"seen": "3", "submission": "three"}).status_code == 303
    assert alice.totals == [5, 7, 0]
    assert [entry.actor for entry in alice.table.log.entries] == ["script", "Cat", "Cat", "Cat"]


def test_under_the_switch_a_phone_that_joined_hands_in_its_cards_only(alice):
    cat = Player(alice, seat=3)
    alice.let_only_starter_record()
    page = cat.see()
    assert ["Record hand 1" in page, "My cards" in page] == [False, True]
    assert cat.count(left="K Q").status_code == 303
    assert "Only the phone that started this game records" in words(cat.get("/hand").text)
    assert "only the phone that started the game records" in cat.see("/share")
    assert "The phone that started the game records the hands." in cat.see("/seat")
    alice.let_only_starter_record(only=False)
    assert "Record hand 1" in cat.see()
    refused = cat.client.post(f"/g/{cat.code}/share").text
    assert "Only the phone that started this game can do that" in words(refused)


def test_two_phones_on_one_seat_are_fine(alice):
    phones = [Player(alice, seat=2), Player(alice, seat=2)]
    for phone, points in zip(phones, ("10", "25"), strict=True):
        assert phone.count(left=points).status_code == 303
        assert 'value="' + points + '"' in alice.get("/hand").text
    assert [[each.seat, each.revoked_at] for each in rights(alice)[1:]] == [[2, None]] * 2


def test_a_phone_that_is_just_watching_records_nothing_and_chooses_a_seat_later(alice):
    dan = Player(alice, seat=0)
    assert "You are watching. Choose a seat" in dan.see()
    for path in ("/hand", "/count", "/enter/setup"):
        assert dan.get(path).status_code == 403
    assert dan.client.post(f"/g/{dan.code}/seat", data={"seat": "3"}).status_code == 303
    assert "Record hand 1" in dan.see()
    assert "You play as Cat." in dan.see("/more")
    dan.client.post(f"/g/{dan.code}/seat", data={"seat": "0"})
    assert dan.get("/hand").status_code == 403
    assert [(each.role, each.seat) for each in rights(alice)] == [("scorer", None), ("player", None)]


def test_the_phone_that_started_the_game_may_sit_too_and_goes_on_recording(alice):
    assert "Do you play too? Choose your seat" in alice.see("/more")
    assert "Do you play too? Choose a seat for this device" in alice.see("/share")
    assert "My cards" not in alice.see()
    page = alice.see(alice.link("player").removeprefix(f"/g/{alice.code}"))
    assert page == alice.see("/seat")
    assert "This phone goes on recording hands." in page
    assert "Without a seat, this phone only records. Cards it has sent stay." in page
    data = {"seat": "1", "emoji": "🦊"}
    assert alice.client.post(f"/g/{alice.code}/seat", data=data).location == f"/g/{alice.code}"
    page = alice.see()
    assert "This is Ann’s phone now." in page
    assert "Record hand 1" in page
    assert "My cards" in page
    assert "You play as Ann. Choose another seat" in alice.see("/more")
    assert "for this device" not in alice.see("/share")
    Player(alice, 2)
    alice.send("/seat", seat="0")
    assert "This phone only records." in alice.see()
    assert "Record hand 1" in alice.see()
    assert [(each.role, each.seat) for each in rights(alice)] == [("scorer", None), ("player", 2)]


def test_a_recorders_link_that_several_phones_may_have_takes_no_seat(alice, app):
    link = alice.link("scorer")
    other = app.test_client()
    assert other.get(link).status_code == 303
    assert other.post(alice.link("player"), data={"seat": "2"}).location == f"/g/{alice.code}"
    assert "it needs no seat" in words(other.get(f"/g/{alice.code}").text)
    assert not any(each.seat for each in rights(alice))


def rights(alice):
    with alice.app.app_context():
        return grants.list_grants(alice.code)


def test_a_phone_moves_no_seat_that_several_have_by_a_link_of_0_1(alice, app):
    with app.app_context():
        link = f"/g/{alice.code}/s/{grants.mint(alice.code, 'player', seat=2)}"
    one, other = app.test_client(), app.test_client()
    for phone in (one, other):
        assert phone.get(link).status_code == 303
    one.post(alice.link("player"), data={"seat": "3"})
    assert [words(phone.get(f"/g/{alice.code}/more").text).count("You play as Ben") for phone in (one, other)] == [0, 1]


@pytest.mark.parametrize(
    ("introduction", "hints", "called"),
    [
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148", {}, "iPhone"),
        ("Mozilla/5.0 (Linux; Android 10; K) Chrome/130.0.0.0 Mobile", {}, "Android phone"),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0", {}, "computer"),
        # Chrome on a phone, asked for “Desktop site”
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0", {"Sec-CH-UA-Mobile": "?1"}, "phone"),
        ("Mozilla/5.0 (Mobile; rv:48.0) KAIOS/2.5", {}, "phone"),
    ],
)
def test_a_device_is_called_by_its_make(alice, client, introduction, hints, called):
    link = alice.link("player")
    client.post(link, data={"seat": "3"}, headers={"User-Agent": introduction} | hints)
    assert f"Cat has joined: {called}" in words(alice.client.application.test_client().get(link).text)


@pytest.mark.parametrize("seat", ["", "9", "x", "00"])
def test_a_seat_nobody_has_is_refused(alice, client, seat):
    assert client.post(alice.link("player"), data={"seat": seat}).status_code == 400


def test_the_scorers_phone_keeps_its_right(alice):
    link = alice.link("player")
    assert alice.client.get(link).status_code == 200
    alice.client.post(link, data={"seat": "1"})
    assert "Record hand 1" in alice.see()
    assert [(each.role, each.seat) for each in rights(alice)] == [("scorer", 1)]


@pytest.mark.parametrize("role", ["scorer", "watch"])
def test_a_link_of_another_kind_is_no_players_link(alice, app, client, role):
    with app.app_context():
        secret = grants.mint(alice.code, role)
    assert client.get(f"/g/{alice.code}/p/{secret}").status_code == 404


def test_the_link_to_join_lets_nobody_record_before_a_seat_is_chosen(alice, client):
    secret = alice.link("player").rsplit("/", 1)[1]
    client.get(f"/g/{alice.code}/s/{secret}")
    assert "Record hand" not in words(client.get(f"/g/{alice.code}").text)


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
        connection.execute(sa.update(Game).where(Game.code == old).values(code="NEWCQDE2345"))
    led = ben.client.get(f"/g/{old}")
    assert (led.status_code, led.location) == (302, "/g/NEWCQDE2345")
    assert "My cards" in words(ben.client.get(led.location).text)
    for path in (f"games/{old}", f"games/{old}/sheet.json", f"games/{old}/rules.pdf", f"sheets/blank.pdf?game={old}"):
        answer = ben.client.get(f"/api/v1/{path}")  # which answers in JSON, and with files
        assert (answer.status_code, answer.json["error"]["code"]) == (404, "not_found")


def test_a_phone_that_joins_again_brings_along_what_it_kept_of_the_old_address(alice, client):
    ben = Player(alice, seat=2)
    old = alice.code
    alice.reset_links()
    for phone in (ben.client, client):  # which only watches
        page = words(phone.get(f"/g/{old}").text)
        assert "This address was reset" in page
        assert "Scan the new code, under Share" in page
    ben.client.post(alice.link("player"), data={"seat": "3"})
    page = ben.client.get(f"/g/{alice.code}").text
    assert f'data-moved="{old}"' in page
    assert f'data-moved="{old}"' not in ben.client.get(f"/g/{alice.code}").text
    assert old not in ben.client.get("/games").text


def test_a_deleted_game_was_not_reset(alice):
    ben = Player(alice, seat=2)
    alice.client.post(f"/g/{alice.code}/delete", data={"name": "Ann"})
    assert "It was deleted, or its links were reset." in words(ben.get().text)


def test_open_streams_end_with_the_link(app, alice):
    with app.app_context():
        assert versions([alice.code]) == {alice.code: (1, 0)}
        grants.reset_links(alice.code, None)
        assert versions([alice.code]) == {}, "nobody can say any more how far it has come"


@pytest.mark.parametrize(
    "sent",
    [
        lambda alice: alice.send("/void", reason=""),
        lambda alice: alice.scorer.send({"kind": "void"}),
        lambda alice: Player(alice, seat=2).client.post(
            f"/g/{alice.code}/void", data={"seen": "1", "submission": "one"}
        ),
    ],
)
def test_an_entry_on_its_way_while_the_links_are_reset_is_not_saved(alice, monkeypatch, sent):
    append = games.append

    def reset_meanwhile(code, *entry):
        grants.reset_links(code, None)
        return append(code, *entry)

    monkeypatch.setattr(games, "append", reset_meanwhile)
    assert sent(alice).status_code == 410
