"""A ruling that a game keeps: previewed if it costs something, and kept once."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from tests.pages import start
from tests.web.referee_words import text_of

pytestmark = pytest.mark.one_app


def hidden(page):
    """What the forms of a page carry unseen."""
    fields = re.findall(r'<input[^>]* type="hidden"[^>]*>|<input type="hidden"[^>]*>', page)
    found = [re.search(r'name="([^"]*)".* value="([^"]*)"', field) for field in fields]
    return {each[1]: unescape(each[2]) for each in found if each}


def sent(game, client, **form):
    """The answer to keeping the ruling on A 2 3."""
    address = f"/g/{game['code']}/check?check=meld&cards=AH 2H 3H"
    carried = hidden(client.get(address).text)
    return client.post(address, data={name: carried[name] for name in ("seen", "submission")} | form)


def looked_at(game, client, **form):
    """The page that says what keeping a ruling would do; nothing is recorded by it."""
    before = state_of(game, client)["seen"]
    answer = sent(game, client, **form)
    assert answer.status_code == 303
    assert "/look?" in answer.location
    assert state_of(game, client)["seen"] == before
    return client.get(answer.location)


def pressed(game, client, look, do):
    """The answer to a button of the page looked at, which carries all that was typed."""
    answer = client.post(f"/g/{game['code']}/enter/ruling", data=hidden(look.text) | {"do": do})
    return client.get(answer.location) if "/look?" in (answer.location or "") else answer


def state_of(game, client):
    return client.get(f"/api/v1/games/{game['code']}").json


PUNISHED = {"seat": "2", "upheld": "yes", "note": "at the very end", "points": "10", "amount": "0.50"}


def test_the_scorer_keeps_a_ruling_with_the_claim_and_the_verdict(alice, game):
    look = looked_at(game, alice, **PUNISHED)
    answer = pressed(game, alice, look, "save")
    state = state_of(game, alice)

    assert (answer.status_code, answer.location) == (303, f"/g/{game['code']}")
    event = state["log"][-1]["event"]
    assert event["kind"] == "ruling"
    assert event["check"] == "meld"
    assert event["claim"] == {"cards": "AH 2H 3H"}
    assert event["verdict"]["ok"] is False
    assert event["verdict"]["faults"] == ["ace-high"]
    assert (event["seat"], event["note"], event.get("upheld", True)) == (2, "at the very end", True)
    assert state["players"][1]["total"] == 10
    # three stakes of 0.50 and the penalty
    assert state["pool"] == 200


def test_points_and_money_of_a_ruling_are_looked_at_first(alice, game):
    page = text_of(looked_at(game, alice, **PUNISHED))

    assert "Ruling: Ben" in page
    assert "10 points · €0.50 into the pool · at the very end" in page
    assert "Ben 0 → 10 −€0.50 " in page  # into the pool, whoever gets it


def test_points_of_a_ruling_that_end_the_game_say_so(app, client):
    game = start(client, stakes={"currency": "EUR", "initial": 50}).started
    client.get(f"/g/{game['code']}/s/{game['scorer']}")
    page = text_of(looked_at(game, client, seat="2", points="150"))

    # with 150 Ben is out, and nobody is left against Ann
    assert "Ben 0 → 150 is out" in page
    assert "This ends the game. Ann wins." in page
    assert "From the pool: Ann €1.00" in page


def test_a_ruling_looked_at_is_changed_with_all_that_was_typed(alice, game):
    form = pressed(game, alice, looked_at(game, alice, **PUNISHED), "change")
    for name in ("note", "points", "amount"):
        assert f'name="{name}" type="text" value="{PUNISHED[name]}"' in form.text
    assert '<option selected value="2">Ben' in form.text
    assert f'href="/g/{game["code"]}/check?check=meld&amp;cards=AH' in form.text

    changed = hidden(form.text) | PUNISHED | {"points": "5", "do": "preview"}
    look = alice.get(alice.post(f"/g/{game['code']}/enter/ruling", data=changed).location)
    assert "Ben 0 → 5" in text_of(look)
    pressed(game, alice, look, "save")
    event = state_of(game, alice)["log"][-1]["event"]
    assert (event["points"], event["claim"]) == (5, {"cards": "AH 2H 3H"})


def test_a_ruling_looked_at_and_sent_twice_is_kept_once(alice, game):
    look = looked_at(game, alice, **PUNISHED)
    for _ in range(2):
        assert pressed(game, alice, look, "save").status_code == 303

    assert state_of(game, alice)["seen"] == 2
    assert state_of(game, alice)["players"][1]["total"] == 10


def test_a_ruling_looked_at_while_somebody_recorded_is_looked_at_again(alice, game):
    look = looked_at(game, alice, **PUNISHED)
    sent(game, alice, seat="1", upheld="yes", note="meanwhile")
    late = pressed(game, alice, look, "save")

    page = text_of(late, 409)
    assert "Not saved yet: somebody else recorded something first. Ruling: Ann" in page
    assert "Ben 0 → 10" in page
    assert pressed(game, alice, late, "save").status_code == 303
    assert state_of(game, alice)["seen"] == 3


def test_a_ruling_without_points_or_money_is_kept_at_once(alice, game):
    answer = sent(game, alice, seat="2", upheld="yes", note="only said", points="0", amount="")

    assert (answer.status_code, answer.location) == (303, f"/g/{game['code']}")
    assert state_of(game, alice)["log"][-1]["event"]["note"] == "only said"


def test_the_hand_of_a_ruling_looked_at_is_the_one_played_at_the_table(client):
    game = start(client, "jamaican").started
    client.get(f"/g/{game['code']}/s/{game['scorer']}")
    address = f"/g/{game['code']}/check?check=opening&meld=KH KD KS&meld=9H 9D 9S"
    typed = {"seen": "1", "submission": "o-1", "seat": "2", "points": "10"}
    look = client.get(client.post(address, data=typed).location)
    pressed(game, client, look, "save")

    event = state_of(game, client)["log"][-1]["event"]
    assert event["claim"] == {"melds": ["KH KD KS", "9H 9D 9S"], "builds": [], "hand_number": 1, "kalooki": False}


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("cards=11H", "“11H” isn’t a card"),
        ("cards=", "Tap or type the cards"),
        ("check=song", "missing"),
        ("check=count&cards=KH", "Claim is missing"),
        ("check=solve&cards=KH QH JH", "Claim is missing"),
    ],
)
def test_a_look_at_a_ruling_on_nothing_anybody_can_read_says_so(alice, game, claim, said):
    typed = urlencode({"query": claim, "seat": "2", "points": "10", "seen": 1})
    assert said in text_of(alice.get(f"/g/{game['code']}/enter/ruling/look?{typed}"), 422)


def test_a_note_too_long_is_kept_as_typed(alice, game):
    answer = sent(game, alice, seat="2", note="x" * 201)

    assert "Write at most 200 characters." in text_of(answer, 422)
    assert "x" * 201 in answer.text


def test_a_ruling_the_table_lets_go_costs_nothing(alice, game):
    look = looked_at(game, alice, seat="2", upheld="no", points="10")
    assert "No totals change, and no money moves." in text_of(look)
    pressed(game, alice, look, "save")
    state = state_of(game, alice)

    assert state["log"][-1]["event"]["upheld"] is False
    assert state["players"][1]["total"] == 0


def test_a_penalty_without_a_player_is_refused_and_what_was_typed_is_kept(alice, game):
    answer = looked_at(game, alice, seat="", points="10", note="nobody")

    assert "needs the player it counts against" in text_of(answer, 422)
    assert 'value="nobody"' in answer.text


def test_a_penalty_that_is_no_number_is_named(alice, game):
    answer = sent(game, alice, seat="2", points="ten")

    assert answer.status_code == 422
    assert "cannot be read. Write a whole number" in answer.text
    assert state_of(game, alice)["seen"] == 1


def test_a_ruling_after_somebody_else_recorded_is_shown_again_and_then_kept(alice, game):
    code = game["code"]
    sent = {"seen": "1", "submission": "first", "seat": "1", "upheld": "yes", "note": "mine"}
    assert alice.post(f"/g/{code}/check?cards=AH 2H 3H", data=sent).status_code == 303

    stale = alice.post(f"/g/{code}/check?cards=AH 2H 3H", data=sent | {"submission": "second"})
    assert stale.status_code == 422
    assert "Somebody else recorded something first" in stale.text
    again = dict(re.findall(r'name="(seen|submission)"[^>]*value="([^"]*)"', stale.text))
    assert alice.post(f"/g/{code}/check?cards=AH 2H 3H", data=sent | again).status_code == 303
