"""What happens besides hands: entered, looked at, saved."""

import re

import pytest

from tests.pages import Alice, hand, words
from tests.web.form_entries import save, send

pytestmark = pytest.mark.one_app

KINDS = ["penalty", "leave", "join", "end", "stop", "paid", "rename", "setup"]
ANSWERS = ["ruling", "buy_in", "decline", "first", "decider"]


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/new", "players-0-name"),
        ("/copy", "names"),
        ("/g/{code}/enter/join", "name"),
        ("/g/{code}/enter/rename", "name"),
        ("/g/{code}/delete", "name"),
    ],
)
def test_no_phone_corrects_a_name(alice, path, field):
    page = alice.client.get(path.format(code=alice.code)).text
    [tag] = re.findall(rf'<input[^>]* name="{field}"[^>]*>', page)
    assert 'autocorrect="off"' in tag


# ---- Penalty


PENALTY = {"seat": "2", "points": "5", "amount": "0,30", "reason": "talking"}


@pytest.mark.parametrize("typed", ["10+7", "۱۷", "１７", " 17 "])
def test_points_of_a_penalty_are_read_as_people_type_them(alice, typed):
    assert save(alice, "penalty", seat="2", points=typed)["points"] == 17


# ---- Late and doubled forms


def test_what_is_looked_at_stands_in_the_address_without_its_token(alice):
    typed = {"seen": 1, "submission": "p-1", "csrf_token": "secret", "do": "preview", **PENALTY}
    answer = alice.client.post(f"/g/{alice.code}/enter/penalty", data=typed)
    assert answer.status_code == 303
    assert "reason=talking" in answer.location
    assert "secret" not in answer.location
    assert "Penalty for Ben" in words(alice.client.get(answer.location).text)


def test_a_look_at_what_is_saved_leads_on_without_saving_again(alice):
    look = alice.client.post(
        f"/g/{alice.code}/enter/penalty", data={"seen": 1, "submission": "p-1", "do": "preview", **PENALTY}
    ).location
    send(alice, "penalty", do="save", seen=1, submission="p-1", **PENALTY)
    answer = alice.client.get(look)
    assert (answer.status_code, answer.location) == (303, f"/g/{alice.code}")
    assert "Already saved: Penalty for Ben" in alice.see()
    assert alice.totals == [0, 5, 0]


# ---- Who may, and what there is


@pytest.mark.parametrize(
    "path",
    ["/enter/hand", "/enter/nonsense", "/enter/penalty/2", "/enter/leave/3", "/enter/end/4", "/enter/decline/3"]
    + [f"/enter/{kind}" for kind in ANSWERS],
)
def test_what_cannot_be_entered_is_not_there(app, path):
    alice = Alice(app, "kalooki-51").record(
        hand(1, s2=5, s3=6), {"kind": "penalty", "seat": 2, "points": 5}, {"kind": "end"}
    )
    assert alice.get(path).status_code == 404
    assert send(alice, path.removeprefix("/enter/"), do="save", **PENALTY).status_code == 404
    assert alice.table.seen == 4


def test_a_game_without_money_is_stopped_without_a_word_about_a_pool(app):
    alice = Alice(app, "jamaican")
    assert "pool" not in alice.see("/enter/stop").lower()
    assert alice.send("/enter/stop", do="save").status_code == 303
    assert alice.table.game.status == "over"
    assert "paid in" not in alice.see("/history")
