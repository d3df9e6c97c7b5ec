"""What one more entry would change is told whole: players who come and go, and who has won instead."""

import re

import pytest

from app.games.preview import consequences
from app.games.recording import open_game
from app.kalooki.game.events import from_json
from tests.pages import EURO, FOUR, Alice, hand, words

pytestmark = pytest.mark.one_app


def outlook(alice, event):
    """What an event would do, as the pages are told."""
    with alice.app.app_context():
        return consequences(open_game(alice.code), from_json(event))


@pytest.fixture
def joined(app):
    """Dan has come late and paid the stake of 50."""
    return Alice(app).record({"kind": "join", "name": "Dan", "points": 37, "stake": True})


def test_who_has_joined_is_shown_with_their_score(app):
    told = outlook(Alice(app), {"kind": "join", "name": "Dan", "points": 37})

    assert [(player.name, player.fate, player.after) for player in told.players if player.fate] == [("Dan", "new", 37)]
    assert told.changed


def test_a_joiner_taken_back_is_out_and_gets_their_stake_back(joined):
    told = outlook(joined, {"kind": "undo", "target": 2})
    dan = told.players[-1]

    assert (dan.name, dan.fate, dan.before, dan.after) == ("Dan", "out", 37, 37)
    assert (dan.moved, dan.money_before, dan.money_after) == (50, 0, 0)
    assert "Dan 37 no longer in the game +€0.50" in joined.see("/undo/2")


def test_a_joiner_brought_back_is_shown_again(joined):
    joined.record({"kind": "undo", "target": 2})

    assert "Dan 37 joins −€0.50" in joined.see("/undo/3")


def test_only_those_are_told_for_whom_something_changes(app):
    """A penalty of 5 points for Ben leaves Ann and Cat as they are."""
    told = outlook(Alice(app).record(hand(1, s2=30, s3=20)), {"kind": "penalty", "seat": 2, "points": 5})

    assert [(player.name, player.before, player.after) for player in told.read_out] == [("Ben", 30, 35)]
    assert [player.is_same for player in told.players] == [True, False, True]


def test_whose_money_alone_changes_is_told_too(app):
    """Paid into the pool by Ben: nobody's total changes."""
    alice = Alice(app, stakes={"currency": "EUR"}).record(hand(1, s2=30, s3=20))
    told = outlook(alice, {"kind": "penalty", "seat": 2, "amount": 10})

    assert [(player.name, player.is_same, player.changed) for player in told.read_out] == [("Ben", True, True)]


def test_a_hand_is_told_of_everybody_who_played_it(app):
    """The winner's total stays, and is read out with the others; who passes the limit of 150 is out by it."""
    alice = Alice(app).record(hand(1, s2=140, s3=20))
    told = outlook(alice, hand(1, s2=30, s3=10))

    assert [(player.name, player.is_same, player.is_past_limit) for player in told.read_out] == [
        ("Ann", True, False),
        ("Ben", False, True),
        ("Cat", False, False),
    ]


def test_a_correction_after_the_end_says_who_has_won_instead(app):
    alice = Alice(app, "jamaican", house={"game_hands": 1}).record(hand(1, s2=20, s3=10))
    other, same = (
        outlook(alice, {"kind": "amend", "target": 2, "event": event})
        for event in (hand(2, s1=20, s3=10), hand(1, s2=19, s3=10))
    )

    assert (other.ends, other.game.winners) == (True, (2,))
    assert (same.ends, same.game.winners) == (False, (1,))
    look = alice.send("/correct/2", winner="2", ending="going_out", points_1="20", points_3="10", do="preview")
    assert "The game ends differently. Ben wins." in words(look.text)


def test_a_correction_after_the_end_says_who_gets_what_of_the_pool_instead(app):
    # 25 % of 150 rounded down: 37 for the only one under 100, 18 for each of two
    alice = Alice(app, "kalooki-51").record(hand(1, s2=99, s3=100), {"kind": "end"})
    told = outlook(alice, {"kind": "amend", "target": 2, "event": hand(1, s2=99, s3=98)})

    assert (told.ends, told.game.shares) == (True, {1: 114, 2: 18, 3: 18})


def listed(page):
    """The words of each player's line that a phone shows while a hand is typed."""
    return [words(line) for line in re.findall(r'(?s)<li class="">(.*?)</li>', page)]


def test_a_correction_lists_whose_money_alone_changes(app):
    """Ben is out at 150, then Cat at 20 + 130; Ann has -50 + 20 + 10 + 150 from the pool = 130.

    With 50 Ben is still in, and was not dealt into hand 2, which names only Cat: Ann and Ben play on. Ended now, with
    the pool paid back, Ann has 20 + 10 = 30. Ben and Cat have paid what they had.
    """
    alice = Alice(app, stakes=EURO, house={"buy_ins": 0}).record(hand(1, s2=150, s3=20), hand(1, s3=130))
    page = alice.send("/correct/2/preview", winner="1", ending="going_out", points_2="50", points_3="20").text

    assert listed(page) == [
        "Ann 0 +€1.30 → +€0.30",
        "Ben 150 → 50 is back in the game",
    ]


def test_what_a_correction_undoes_comes_before_the_players(app):
    """Cat is out in place of Ben, so that hand 2, which names Cat, no longer counts: Ann and Ben play on."""
    alice = Alice(app, house={"buy_ins": 0}).record(hand(1, s2=150, s3=20), hand(1, s3=130))
    told = words(alice.send("/correct/2/preview", winner="1", ending="going_out", points_2="50", points_3="150").text)

    assert told.startswith("The game is no longer over: it continues. This would no longer make sense")
    assert told.index("Hand 2") < told.index("Ann wins hand 1") < told.index("Ben 150 → 50")


def test_a_correction_lists_whose_points_change_below_the_same_total(app):
    """Ben is out with 150 or with 160 and back at 20, as much as Cat has."""
    alice = Alice(app).record(hand(1, s2=150, s3=20), {"kind": "buy_in", "seat": 2})
    page = alice.send("/correct/2/preview", winner="1", ending="going_out", points_2="160", points_3="20").text

    assert listed(page) == ["Ben 20 In this hand 150 → 160"]
    assert "No totals change, and no money moves." in words(page)


RIGHT = {"kind": "amend", "target": 2, "event": hand(2, s1=30, s3=20)}


@pytest.mark.parametrize(
    ("correction", "due"),
    [
        # Ann has 10 of Ben and 10 of Cat; Ben won, so that Ann and Cat owe him 10 each: Ann has all of it
        (RIGHT, ["Ann gives Ben €0.30"]),
        # a Kalooki costs 20, of which 10 are paid
        (RIGHT | {"event": hand(1, "kalooki", s2=30, s3=20)}, ["Ben gives Ann €0.10", "Cat gives Ann €0.10"]),
        (RIGHT | {"event": hand(1, s2=31, s3=20)}, []),
        ({"kind": "undo", "target": 2}, ["Ann gives Ben €0.10", "Ann gives Cat €0.10"]),
        ({"kind": "undo", "target": 3}, ["Ben takes €0.25 from the pool"]),
        (
            {"kind": "setup", "stakes": EURO | {"initial": 80}},
            [f"{name} puts €0.30 into the pool" for name in ("Ann", "Ben", "Cat")],
        ),
        ({"kind": "penalty", "seat": 2, "amount": 10}, []),
    ],
)
def test_where_cash_is_paid_at_once_a_correction_says_what_to_hand_over(app, correction, due):
    log = [hand(1, s2=30, s3=20), {"kind": "penalty", "seat": 2, "amount": 25}]
    assert [*outlook(Alice(app, stakes=EURO, settle="cash").record(*log), correction).hand_over] == due
    assert outlook(Alice(app, stakes=EURO).record(*log), correction).hand_over == ()


def test_where_cash_is_paid_at_once_saving_says_who_pays_whom(app):
    """A call-up of 10 from each; a penalty of 25 into the pool."""
    alice = Alice(app, stakes=EURO, settle="cash").record()
    typed = {"winner": "1", "ending": "going_out", "points_2": "30", "points_3": "20"}
    assert alice.send("/hand", do="save", **typed).status_code == 303
    assert "Saved. Each pays Ann €0.10. Undo" in alice.see()
    assert alice.send("/enter/penalty", do="save", seat="2", amount="0.25").status_code == 303
    assert "Saved. Ben puts €0.25 into the pool. Undo" in alice.see()


@pytest.mark.parametrize(
    ("house", "left", "told"),
    [
        ({}, ("149", "20"), "Saved. Undo"),
        ({}, ("150", "20"), "Saved. Ben is out with 150 points and may buy in at 30. Undo"),
        ({"buy_ins": 0}, ("171", "20"), "Saved. Ben is out with 171 points. Undo"),
        ({}, ("150", "160"), "Saved. Ben (150) and Cat (160) are out and may buy in at 30. Undo"),
    ],
)
def test_saving_says_who_is_out_and_may_buy_in(app, house, left, told):
    """At the highest total still in: Dan's 30."""
    alice = Alice(app, players=FOUR, house=house)
    typed = {"winner": "1", "ending": "going_out", "points_2": left[0], "points_3": left[1], "points_4": "30"}
    assert alice.send("/hand", do="save", **typed).status_code == 303
    assert told in alice.see()


def test_saving_says_that_the_game_is_over_and_who_won(app):
    alice = Alice(app, players=("Ann", "Ben"), house={"buy_ins": 0})
    typed = {"winner": "1", "ending": "going_out", "points_2": "150"}
    assert alice.send("/hand", do="save", **typed).status_code == 303
    assert "Saved. The game is over. Ann won. Undo" in alice.see()


def test_saving_says_who_was_in_front_when_the_game_ended_early(app):
    alice = Alice(app, stakes=EURO).record(hand(3, s1=40, s2=20))
    assert alice.send("/enter/stop", do="save", pool="equal").status_code == 303
    assert "Saved. The game ended early. Cat was in front, on 0. Undo" in alice.see()


def test_what_to_hand_over_is_said_before_and_after_saving(app):
    alice = Alice(app, stakes=EURO, settle="cash").record(hand(1, s2=30, s3=20))
    typed = {"winner": "2", "ending": "going_out", "points_1": "30", "points_2": "", "points_3": "20"}
    assert "If you’ve already paid: Ann gives Ben €0.30." in words(alice.send("/correct/2", do="preview", **typed).text)
    assert alice.send("/correct/2", do="save", **typed).status_code == 303
    assert "If you’ve already paid: Ann gives Ben €0.30." in alice.see()
