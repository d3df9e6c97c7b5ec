"""Pages: what happens in mid-hand says when it counts, and a game begun on paper is carried on."""

import re

import pytest

from tests.pages import Alice, hand, see, start_by_form, words

pytestmark = pytest.mark.one_app

LEAVE, JOIN = {"kind": "leave", "seat": 3, "after_hand": True}, {"kind": "join", "name": "Dan", "after_hand": True}
PENALTY = {"kind": "penalty", "seat": 2, "points": 20, "reason": "peeped", "after_hand": True}
DURING, BETWEEN = "During hand 2: {} after it", "Between hands: {} now"
EFFECTS = {"penalty": "count it", "leave": "they leave", "join": "deal them in"}
TYPED = [
    ("penalty", {"seat": "2", "points": "20"}),
    ("leave", {"seat": "3"}),
    ("join", {"name": "Dan", "points": "5", "after": "3"}),
]
PLAYED = {"winner": "1", "ending": "going_out", "left-2": "10", "left-3": "22"}


@pytest.fixture
def alice(app):
    return Alice(app).record(hand(1, s2=5, s3=6))


@pytest.mark.parametrize(("kind", "typed"), TYPED)
def test_the_page_asks_whether_a_hand_is_being_played(alice, kind, typed):
    page = words(alice.sent(f"/enter/{kind}", typed | {"do": "preview"}).text)
    assert all(said.format(EFFECTS[kind]) in page for said in (DURING, BETWEEN))

    assert alice.sent(f"/enter/{kind}", typed | {"do": "after"}).status_code == 303
    assert alice.events()[-1]["after_hand"] is True
    assert "it counts after hand 2" in alice.see()

    page = words(alice.sent(f"/enter/{kind}", typed | {"do": "preview", "name": "Eve", "seat": "1"}).text)
    assert DURING.format(EFFECTS[kind]) in page
    assert BETWEEN.format(EFFECTS[kind]) not in page, "something waits already"


@pytest.mark.parametrize(("kind", "typed"), TYPED)
def test_between_hands_it_counts_now(alice, kind, typed):
    assert alice.sent(f"/enter/{kind}", typed | {"do": "now"}).status_code == 303
    assert "after_hand" not in alice.events()[-1]
    assert alice.table.game.pending == []


def test_a_look_gone_back_to_after_it_waits_saves_nothing_more(alice):
    typed = {"seat": "2", "points": "20", "submission": "p-1", "seen": str(alice.table.seen)}
    address = alice.client.post(f"/g/{alice.code}/enter/penalty", data=typed | {"do": "preview"}).location
    alice.sent("/enter/penalty", typed | {"do": "after"})
    assert alice.client.get(address).status_code == 303
    assert "Already saved: Penalty for Ben" in alice.see()


def test_every_surface_shows_what_waits(alice):
    alice.record(PENALTY, LEAVE, JOIN)
    assert alice.see("/history").count("counts after hand 2") == 3
    assert "After hand 2: Penalty for Ben, 20 points, peeped Cat leaves Dan joins" in alice.see()
    sheet = see(alice.client, f"/api/v1/games/{alice.code}/sheet.html")
    assert "pending counts after hand 2: Penalty for Ben · 20 points · peeped" in sheet
    assert "pending counts after hand 2: Cat leaves" in sheet
    file = f"/api/v1/games/{alice.code}/sheet.csv"
    rows = [row for row in alice.client.get(file).text.splitlines() if "counts after hand 2" in row]
    assert [re.search("penalty|leave|join", row)[0] for row in rows] == ["penalty", "leave", "join"]

    alice.record(hand(2, s1=3, s3=4))
    assert alice.see("/history").count("counted after hand 2") == 3
    assert "pending" not in see(alice.client, f"/api/v1/games/{alice.code}/sheet.html")
    assert "counts after" not in alice.client.get(file).text


def test_a_hand_typed_before_somebody_left_is_the_hand_as_it_was_dealt(alice):
    seen = alice.table.seen
    alice.record({"kind": "leave", "seat": 3})
    page = alice.sent("/hand", PLAYED | {"seen": str(seen), "do": "save"})
    told = words(page.text)
    assert page.status_code == 409
    assert "This is the hand as it was dealt" in told
    assert "Cat 6 → 28" in told
    assert 'name="left-3" value="22"' in page.text

    action = re.search(r'<form class="action-bar"[^>]* action="([^"]+)"', page.text)[1]
    fields = dict(re.findall(r'<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"', page.text))
    assert alice.client.post(action, data=fields | {"do": "save"}).status_code == 303
    game = alice.table.game
    assert (alice.totals, game.players[3].has_left, game.balances[3]) == ([0, 15, 28], True, -50 - 10 - 10)


def test_a_hand_typed_before_somebody_joined_or_was_put_out_is_too(app):
    for event in ({"kind": "join", "name": "Dan", "points": 5}, {"kind": "penalty", "seat": 3, "points": 150}):
        alice = Alice(app).record(hand(1, s2=5, s3=6))
        seen = alice.table.seen
        alice.record(event)
        page = alice.sent("/hand", PLAYED | {"seen": str(seen), "do": "preview"})
        assert page.status_code == 200
        assert "This is the hand as it was dealt" in words(page.text)


@pytest.mark.parametrize(("total", "asks"), [(125, False), (140, True)])
def test_the_price_of_an_irregularity_asks_only_where_it_would_reach_the_limit(app, total, asks):
    alice = Alice(app, house={"mishap_points": 10}).record(hand(1, s2=5, s3=total))
    address = "/wrong/draw/drew-two/before_next_draw"
    page = alice.sent(address, {"do": "charge-3"})
    if asks:
        assert page.status_code == 200, page.text
        assert DURING.format(EFFECTS["penalty"]) in words(page.text)
        assert alice.table.seen == 2
    else:
        assert page.status_code == 303
        assert alice.events()[-1] | {"reason": ""} == {
            "kind": "penalty", "seat": 3, "points": 10, "rule": "drew-two", "reason": "", "after_hand": True,
        }  # fmt: skip


PAPER = {"hands": "5", "totals": "62 140", "buy_ins": "0 1", "balances": "-0.70 -1.20", "money": "y", "unit": "0.10"}


def test_a_new_game_goes_on_from_paper(client):
    assert "Already playing?" in see(client, "/new")
    code = start_by_form(client, **PAPER).code
    told = see(client, f"/g/{code}")
    assert "Hand 6" in told
    assert "Carried over 62 140" in told
    assert "Carried over from paper after 5 hands: Ann 62, Ben 140" in see(client, f"/g/{code}/history")

    rows = client.get(f"/api/v1/games/{code}/sheet.csv").text.splitlines()
    assert "carried over" in rows[1]
    assert "carried over ¹ 62 140" in see(client, f"/api/v1/games/{code}/sheet.html")
    assert "0 hands after 5 carried over" in client.get(f"/api/v1/games/{code}/sheet.txt").text
    assert client.get(f"/api/v1/games/{code}/sheet.json").json["log"][0]["event"]["carried"]["hands"] == 5
    assert 'id="totals" name="totals" type="text" value=""' in client.get(f"/new?rules={code}").text
