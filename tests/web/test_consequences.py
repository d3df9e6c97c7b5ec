"""What one more entry would change is told whole: players who come and go, and who has won instead."""

import pytest

from app.games.preview import consequences
from app.games.recording import open_game
from app.kalooki.game.events import from_json
from tests.pages import EURO, Alice, hand, words

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
    look = alice.send("/correct/2", winner="2", ending="going_out", left_1="20", left_3="10", do="preview")
    assert "The game ends differently. Ben wins." in words(look.text)


def test_a_correction_after_the_end_says_who_gets_what_of_the_pool_instead(app):
    # 25 % of 150 rounded down: 37 for the only one under 100, 18 for each of two
    alice = Alice(app, "kalooki-51").record(hand(1, s2=99, s3=100), {"kind": "end"})
    told = outlook(alice, {"kind": "amend", "target": 2, "event": hand(1, s2=99, s3=98)})

    assert (told.ends, told.game.shares) == (True, {1: 114, 2: 18, 3: 18})


def test_what_a_correction_undoes_comes_before_the_players(app):
    """Cat is out in place of Ben, so that hand 2, which names Cat, no longer counts: Ann and Ben play on."""
    alice = Alice(app, house={"buy_ins": 0}).record(hand(1, s2=150, s3=20), hand(1, s3=130))
    told = words(alice.send("/correct/2/preview", winner="1", ending="going_out", left_2="50", left_3="150").text)

    assert told.startswith("The game is no longer over: it continues. This would no longer make sense")
    assert told.index("Hand 2") < told.index("Ann wins hand 1") < told.index("Ben 150 → 50")


def test_the_money_of_everybody_is_told_if_the_pool_is_full_again(app):
    """Ann won the pool of 1.50; now Ben is still in: if the game ended now, each would get 0.50 back."""
    alice = Alice(app, house={"buy_ins": 0}).record(hand(1, s2=150, s3=150))
    told = outlook(alice, {"kind": "amend", "target": 2, "event": hand(1, s2=149, s3=150)})

    sums = [(each.name, each.money_before, each.money_after) for each in told.read_out if told.is_paid(each)]
    assert sums == [("Ann", 120, 20), ("Ben", -60, -10), ("Cat", -60, -10)]


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
