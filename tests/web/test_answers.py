"""Answers given with one tap on the game page: buying in, who plays first, who won a tie."""

import random

import pytest

from app.kalooki.cards import position
from app.views.game.board import draw_first
from tests.json_scorer import Scorer
from tests.pages import Alice, hand

pytestmark = pytest.mark.one_app

KNOCKED_OUT = [hand(1, s2=140, s3=90), hand(1, s2=30, s3=10)]


def test_declining_ends_a_game_of_two_left(app):
    alice = Alice(app).record(hand(1, s2=140, s3=140), hand(1, s2=30, s3=5))
    alice.send("/offers", do="decline-2")
    assert [player.seat for player in alice.table.game.playing] == [1, 3]


def test_what_was_just_saved_is_undone_from_where_it_says_so(alice):
    alice.send("/hand", do="save", winner="1", ending="going_out", left_2="28", left_3="35")
    page = alice.get().text
    assert f'Saved. <a class="nowrap" href="/g/{alice.code}/undo/2">Undo</a>' in page


def test_a_double_tap_buys_in_once(alice):
    alice.record(*KNOCKED_OUT)
    for _ in range(2):
        assert alice.send("/offers", do="buy_in-2", seen=3, submission="tap-1").status_code == 303
    assert alice.table.seen == 4
    assert alice.table.game.players[2].buy_ins == 1


def test_the_app_draws_for_the_first_turn(app):
    alice = Alice(app, "kalooki-51")
    alice.send("/first", seat="draw")
    [event] = alice.events()
    assert event["kind"] == "first"
    assert f"{['Ann', 'Ben', 'Cat'][event['seat'] - 1]} plays first." in alice.see()


def test_equal_highest_cards_draw_again():
    for seed in range(60):
        drawn = draw_first([1, 2, 3, 4, 5, 6], random.Random(seed))
        places = sorted(position(card.rank) for card in drawn.values())
        assert places[-1] > places[-2]
        assert len(set(drawn.values())) == 6


@pytest.mark.parametrize("players", [2, 40])
def test_nobody_draws_where_nobody_plays_or_too_many_do(client, players):
    """Such a draw would never end: nobody has the highest card, or several always have it."""
    house = {"plays_first": "highest_card", "packs": 4, "dealt": [3]}
    names = [f"P{number}" for number in range(players)]
    start = {"variant": "kalooki-51", "players": names, "stakes": None, "house": house}
    scorer = Scorer(client, start)
    if players == 2:
        scorer.record({"kind": "leave", "seat": 1}, {"kind": "leave", "seat": 2})
    client.get(f"/g/{scorer.code}/s/{scorer.secret}")
    refused = client.post(f"/g/{scorer.code}/first", data={"seat": "draw", "seen": scorer.seen, "submission": "draw"})
    assert refused.status_code == 409
    assert "Draw them at the table." in refused.text
