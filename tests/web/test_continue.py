"""The only phone that records is gone: the game continues as a copy on another, which counts instead."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from app.games.recording import open_game
from app.store import games as stored_games
from tests.pages import EURO, Alice, Player, hand, see, words

pytestmark = [pytest.mark.one_app, pytest.mark.both_engines]

MINE = {"winner": "1", "ending": "going_out", "left-2": "28", "left-3": "35"}
SUBMISSION = re.compile(r'name="submission" value="([^"]+)"')
SAYS = "continued this game as a copy at hand"


@pytest.fixture
def bob(app):
    """A phone that watches."""
    return app.test_client()


def continue_on(phone, code):
    """Continue on a phone, by taps; returns the code of the copy."""
    page = phone.get(f"/g/{code}/continue")
    assert "Is the phone that records gone?" in words(page.text)
    answer = phone.post(f"/g/{code}/continue", data={"submission": SUBMISSION.search(page.text)[1]})
    copy = re.fullmatch(r"/g/(\w+)/share", answer.location)[1]
    shared = words(phone.get(answer.location).text)
    assert "The game continues here." in shared
    assert "Join" in shared
    return copy


def record(phone, code, **typed):
    """A hand saved on a phone without a script."""
    page = phone.get(f"/g/{code}/hand").text
    fields = dict(re.findall(r'<input[^>]* name="(seen|submission|number|copies)"[^>]* value="([^"]*)"', page))
    return phone.post(f"/g/{code}/hand", data=MINE | fields | {"do": "save"} | typed)


def log_of(app, code):
    with app.app_context():
        return open_game(code).log


def test_a_watcher_goes_on_with_everything_and_gets_no_right_in_the_original(app, alice, bob):
    alice.record(hand(2, s1=5, s3=6))
    assert "Continue on this phone" in see(bob, f"/g/{alice.code}")
    before = log_of(app, alice.code).entries
    copy = continue_on(bob, alice.code)
    assert copy != alice.code
    assert log_of(app, copy).entries == before
    assert record(bob, copy).status_code == 303
    assert [player["total"] for player in bob.get(f"/api/v1/games/{copy}").json["players"]] == [5, 28, 41]
    assert log_of(app, alice.code).entries == before
    assert bob.get(f"/g/{alice.code}/hand").status_code == 403
    assert bob.post(f"/g/{alice.code}/hand", data=MINE | {"do": "save"}).status_code == 403


def test_copy_by_a_player_is_offered_not_forced_on_the_original(app, alice, bob):
    alice.let_only_starter_record()
    ben = Player(alice, 2)
    assert ben.get("/hand").status_code == 403
    version = bob.get(f"/g/{alice.code}/version").text
    copy = continue_on(ben.client, alice.code)
    assert bob.get(f"/g/{alice.code}/version").text != version
    for phone in (alice.client, bob):
        page = phone.get(f"/g/{alice.code}")
        assert page.status_code == 200
        assert re.search(rf"Ben’s phone {SAYS} 1 \(\d\d:\d\d\)\. Go to the copy Ignore", words(page.text))
        assert phone.get(f"/g/{alice.code}/continue/{copy}").location == f"/g/{copy}"
        page = words(phone.get(f"/g/{alice.code}").text)
        assert "This table continues in the copy: go there." in page
        assert SAYS not in page
    assert "This table continues in your copy: go there." in words(ben.client.get(f"/g/{alice.code}").text)
    assert record(alice.client, alice.code).status_code == 303
    assert alice.totals == [0, 28, 35]


def test_each_phone_begins_one_copy_and_is_led_to_it(app, alice, bob):
    copy = continue_on(bob, alice.code)
    for ask in (bob.get, bob.post):
        assert ask(f"/g/{alice.code}/continue").location == f"/g/{copy}"
    other = continue_on(app.test_client(), alice.code)
    assert other != copy
    told = words(alice.get().text)
    assert told.count(SAYS) == 1
    assert "And 1 copy before that" in told
    bob.post("/games", data={"forget": copy})
    assert continue_on(bob, alice.code) not in (copy, other)


def test_a_second_tap_begins_no_second_copy(app, alice, bob):
    """Both come with the cookie of the page."""
    page = {"submission": SUBMISSION.search(bob.get(f"/g/{alice.code}/continue").text)[1]}
    twin, name = app.test_client(), app.config["SESSION_COOKIE_NAME"]
    twin.set_cookie(name, bob.get_cookie(name).value)
    taps = [phone.post(f"/g/{alice.code}/continue", data=page).location for phone in (bob, twin)]
    with app.app_context():
        copies = stored_games.continuations(alice.code, stored_games.load(alice.code))
    assert taps == [f"/g/{copies[0].code}/share"] * 2
    assert len(copies) == 1


def test_who_may_record_needs_no_copy(alice):
    assert "Continue on this phone" not in alice.see()
    assert alice.get("/continue").location == f"/g/{alice.code}"
    assert alice.client.post(f"/g/{alice.code}/continue").location == f"/g/{alice.code}"


def test_forty_copies_take_one_line_and_one_tap_ignores_them_all(app, alice):
    """Whoever has the link to watch can make them; a later one is told of again, and none after a reset."""
    for _ in range(6):
        newest = continue_on(app.test_client(), alice.code)
    told = words(alice.get().text)
    assert told.count(SAYS) == 1
    assert "Ignore all And 5 copies before that" in told
    alice.client.post(f"/g/{alice.code}/continue/{newest}")
    assert SAYS not in words(alice.get().text)
    app.config["CLOCK"] = lambda: datetime.now(UTC) + timedelta(minutes=1)
    continue_on(app.test_client(), alice.code)
    told = words(alice.get().text)
    assert told.count(SAYS) == 1
    assert "before that" not in told
    fresh = alice.client.post(f"/g/{alice.code}/share").location.split("/")[2]
    assert SAYS not in words(alice.client.get(f"/g/{fresh}").text)


# ---- A hand that waits in the original


@pytest.mark.parametrize("do", ["save", "preview"])
def test_a_hand_of_the_original_asks_before_it_is_saved_there(app, alice, bob, do):
    typed = MINE | {"seen": "1", "submission": "h-1", "do": do}
    copy = continue_on(bob, alice.code)
    page = alice.sent("/hand", typed)
    assert page.status_code == (409 if do == "save" else 200)
    assert alice.totals == [0, 0, 0]
    assert "Not saved yet: the table may play elsewhere" in words(page.text)
    assert f'href="/g/{alice.code}/continue/{copy}"' in page.text
    form = page.text[page.text.index('class="action-bar"') :]
    fields = dict(re.findall(r'name="([\w-]+)"[^>]* value="([^"]*)"', form.split("<a ")[0]))
    for _ in range(2):
        assert alice.sent("/hand", fields | {"do": "save"}).status_code == 303
    assert alice.sent("/hand", typed | {"do": "save"}).status_code == 303  # as it waited
    assert alice.totals == [0, 28, 35]


def test_what_was_saved_before_is_not_asked_about(alice, bob):
    typed = MINE | {"seen": "1", "submission": "h-1", "do": "save"}
    assert alice.sent("/hand", typed).status_code == 303
    continue_on(bob, alice.code)
    assert alice.sent("/hand", typed).status_code == 303
    assert alice.totals == [0, 28, 35]


# ---- What counts


def test_lists_and_settling_count_the_copy_instead(app):
    alice = Alice(app, stakes=EURO, house={"buy_ins": 0})
    alice.record(hand(1, s2=28, s3=35))
    bob = app.test_client()
    bob.get(f"/g/{alice.code}")
    copy = continue_on(bob, alice.code)
    record(bob, copy, **{"left-2": "150", "left-3": "150"})
    alice.record(hand(1, s2=150, s3=150))
    assert alice.table.game.finish
    home = bob.get("/").text
    assert f'href="/g/{copy}"' in home
    assert f'href="/g/{alice.code}"' not in home
    listed = bob.get("/games").text
    assert "continues in a copy, which counts instead" in listed
    assert re.search(rf'name="game" value="{alice.code}" disabled', listed)
    for address in ("/evening", f"/evening?game={alice.code}&game={copy}"):
        page = bob.get(address).text
        assert f"/g/{alice.code}/settle" not in page
        assert f"/g/{copy}/settle" in page


def test_a_phone_that_ignores_a_copy_counts_the_original_and_one_not_asked_both(app):
    """Both were recorded in after the copy was made."""
    alice = Alice(app, stakes=EURO, house={"buy_ins": 0})
    bob, dan, eve = (app.test_client() for _ in range(3))
    copy = continue_on(bob, alice.code)
    alice.record(hand(1, s2=28, s3=35))
    record(bob, copy, **{"left-2": "150", "left-3": "150"})
    for phone in (dan, eve):
        for code in (alice.code, copy):
            phone.get(f"/g/{code}")
    assert dan.post(f"/g/{alice.code}/continue/{copy}").location == f"/g/{alice.code}"
    assert SAYS not in words(dan.get(f"/g/{alice.code}").text)
    for phone, counted in ((bob, {copy}), (dan, {alice.code}), (eve, {alice.code, copy})):
        phone.get(f"/g/{alice.code}")
        home = phone.get("/").text
        assert set(re.findall(r'<li><a href="/g/(\w+)"', home)) == counted
        assert set(re.findall(r'href="/g/(\w+)" class="is-running[^"]*"', home)) == {c for c in counted if c != copy}
        where = "this" if phone is bob else "another"
        assert (f"copy, continued on {where} device at hand" in words(home)) is (copy in counted)
        rows = re.findall(r'(?s)name="game" value="(\w+)".*?</label>', phone.get("/games").text)
        listed = dict(zip(rows, re.split(r'name="game" value=', phone.get("/games").text)[1:], strict=True))
        assert {code for code, row in listed.items() if "for money" in row.split("</label>")[0]} == counted
    games = dan.get("/games").text
    assert "ignored on this device" in games
    assert "copy, continued on another device at hand" in words(games)
    eve.get(f"/g/{alice.code}/continue/{copy}")
    assert f'href="/g/{alice.code}"' not in eve.get("/").text


def test_a_hand_that_waits_is_not_asked_about_for_a_copy_this_phone_ignores(alice, bob):
    typed = MINE | {"seen": "1", "submission": "h-1", "do": "save"}
    copy = continue_on(bob, alice.code)
    alice.client.post(f"/g/{alice.code}/continue/{copy}")
    fresh = alice.client.post(f"/g/{alice.code}/share").location.split("/")[2]
    assert alice.client.post(f"/g/{fresh}/hand", data=typed).status_code == 303
    other = alice.client.post(f"/g/{fresh}/hand", data=typed | {"submission": "h-2", "left-2": "9"})
    assert "Not saved yet: somebody else has saved hand 1" in words(other.text)
    assert "continued this game" not in words(other.text)


def test_where_the_original_or_the_copy_is_deleted_the_other_stays(app, alice, bob):
    copy = continue_on(bob, alice.code)
    signals = log_of(app, alice.code).signals
    assert bob.post(f"/g/{copy}/delete", data={"name": "Ann"}).status_code == 303
    assert log_of(app, alice.code).signals == signals + 1
    assert SAYS not in alice.see()
    copy = continue_on(bob, alice.code)
    assert alice.client.post(f"/g/{alice.code}/delete", data={"name": "Ann"}).status_code == 303
    assert bob.get(f"/g/{copy}").status_code == 200
    assert record(bob, copy).status_code == 303
