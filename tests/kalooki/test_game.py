"""Playing a log: the start, refused events, and warnings."""

import pytest

from app.kalooki.cards import BadInput
from app.kalooki.game.events import Start, Undo, Void, from_json, to_json
from app.kalooki.game.play import MOST_ENTRIES, Entry, from_record, judge, opening_entry, play
from app.kalooki.variants import load
from tests.kalooki.rows import rows
from tests.kalooki.table_talk import begin, hand, record


@pytest.mark.parametrize(
    ("start", "rules"),
    [
        ({"players": ["Ann"]}, ["fewer-than-two"]),
        ({"players": list("ABCDEFGHI")}, ["too-many-players"]),
        ({"players": ["Ann", "ann", "Ben"]}, ["name-taken"]),
        ({"players": ["Ann", "Ben"], "dealer": 3}, ["no-such-seat"]),
    ],
)
def test_an_impossible_start_is_refused(start, rules):
    _, _, faults = opening_entry(from_json({"kind": "start", "variant": "european"} | start))

    assert [fault.rule for fault in faults] == rules


@pytest.mark.parametrize(
    ("start", "warned"),
    rows("game", "an_odd_start_only_gives_a_warning"),
)  # fmt: skip
def test_an_odd_start_only_gives_a_warning(start, warned):
    _, game, faults = opening_entry(from_json({"kind": "start"} | start))

    assert not faults
    assert [noted.fault.rule for noted in game.warnings] == warned


def test_a_game_without_money_explains_its_rules_without_stakes():
    without, by_unit = play(begin(stakes=None)), play(begin(stakes={}))

    assert (without.explained_variant.has_stakes, without.variant.has_stakes) == (False, True)
    assert without.explained_variant.limit == without.variant.limit
    assert by_unit.explained_variant == by_unit.variant


def test_the_start_keeps_the_variants_values_of_its_day():
    (_, start), *_ = begin()
    older = Start(**(vars(start) | {"rules": dict(start.rules) | {"joker_left": 99}}))

    game = play(record([Entry(1, older)], hand(1, s2="*", s3=10)))
    assert game.players[2].total == 99
    assert load("european").joker_left == 15


def test_a_new_game_ignores_variant_values_in_its_start():
    told = from_json({"kind": "start", "variant": "european", "players": ["Ann", "Ben"], "rules": {"joker_left": 99}})

    recorded, game, faults = opening_entry(told)
    assert (recorded.rules["joker_left"], game.variant.joker_left, faults) == (15, 15, [])


def test_a_log_begins_with_its_start_and_has_no_other():
    with pytest.raises(BadInput, match="begins with its start"):
        play([Entry(1, from_json({"kind": "end"}))])
    with pytest.raises(BadInput, match="Entry 2"):
        from_record([to_json(begin()[0].event)] * 2)


def test_a_game_refuses_entries_beyond_the_limit():
    log = [*begin(), *(Entry(number, Void()) for number in range(2, MOST_ENTRIES))]
    last, faults = judge(log, Void())
    assert (len(last.hands), faults) == (MOST_ENTRIES - 1, [])
    log.append(Entry(MOST_ENTRIES, Void()))
    for event in (Void(), Undo(2)):
        full, faults = judge(log, event)
        assert (len(full.hands), [each.rule for each in faults]) == (MOST_ENTRIES - 1, ["game-full"])
    record = [to_json(event) for _, event in log]
    assert from_record(record) == log
    with pytest.raises(BadInput, match="holds 1000 entries at most; this log has 1001"):
        from_record([*record, to_json(Void())])
