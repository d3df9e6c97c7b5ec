"""Games that were begun on paper."""

import pytest

from app.kalooki.cards import BadInput
from app.kalooki.game.evening import rematch
from app.kalooki.game.events import from_json, to_json
from app.kalooki.game.play import from_record, opening_entry, play
from tests.kalooki.rows import rows
from tests.kalooki.table_talk import begin, hand, record, totals

FIVE = {"hands": 5, "totals": [62, 88, 140, 31]}
PLAYERS = ["Ann", "Ben", "Cara", "Dan"]


def carried(variant="european", over=FIVE, players=PLAYERS, **more):
    return begin(variant, players, carried=over, **more)


def refusals(over, variant="european", players=PLAYERS, **more):
    start = {"kind": "start", "variant": variant, "players": players, "carried": over} | more
    return [(fault.rule, fault.facts["field"]) for fault in opening_entry(from_json(start))[2]]


def test_contracts_and_deals_continue_after_the_hands_on_paper():
    log = carried("jamaican", {"hands": 7, "totals": [100, 40, 60]}, PLAYERS[:3])
    assert (play(log).variant.contract(play(log).number), play(log).dealt) == ((1, 3), 15)
    over = record(log, hand(2, s1=10, s3=10), hand(2, s1=10, s3=10))
    assert (play(over).status, play(over).winners, totals(over)) == ("over", (2,), [120, 40, 80])


@pytest.mark.parametrize(
    ("over", "more", "fault"),
    [
        (FIVE | {"totals": [1, 2, 3]}, {}, ("carried-length", "carried.totals")),
        (FIVE | {"buy_ins": [1]}, {}, ("carried-length", "carried.buy_ins")),
        (FIVE | {"balances": []}, {}, ("carried-length", "carried.balances")),
        (FIVE | {"buy_ins": [0, 0, 3, 0]}, {}, ("carried-buy-ins", "carried.buy_ins")),
        (FIVE | {"buy_ins": [0, 0, 1, 0]}, {"variant": "north-american"}, ("carried-buy-ins", "carried.buy_ins")),
        (FIVE | {"balances": [10, -5, 0, 0]}, {}, ("carried-balances", "carried.balances")),
        (FIVE | {"balances": [0, 0, 0, 0]}, {"stakes": None}, ("no-money", "carried.balances")),
        (FIVE | {"totals": [150, 150, 150, 0]}, {}, ("carried-too-few", "carried.totals")),
        (FIVE, {"house": {"game_hands": 5}}, ("carried-to-the-end", "carried.hands")),
        (FIVE | {"hands": 9}, {"variant": "jamaican"}, ("carried-to-the-end", "carried.hands")),
        (FIVE, {"house": {"scoring": "winner_collects", "limit": 140}}, ("carried-target", "carried.totals")),
    ],
)  # fmt: skip
def test_impossible_paper_results_are_refused_with_their_field(over, more, fault):
    assert refusals(over, **more) == [fault]


@pytest.mark.parametrize(
    ("over", "field"),
    rows("carried", "an_unreadable_field_is_named"),
)
def test_an_unreadable_field_is_named(over, field):
    with pytest.raises(BadInput) as unreadable:
        from_json({"kind": "start", "variant": "european", "players": PLAYERS, "carried": over})
    assert unreadable.value.field == field


def test_paper_results_survive_export_but_not_a_rematch():
    log = record(carried(over=FIVE | {"balances": [-70, -120, -50, -60]}), hand(1, s2=1, s3=2, s4=3))
    assert play(from_record([to_json(entry.event) for entry in log])) == play(log)
    assert rematch(log, play(log)).carried is None
