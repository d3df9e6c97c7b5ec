"""Playing a log: the start, refused events, and warnings."""

import pytest

from app.kalooki.cards import BadInput
from app.kalooki.game.events import Start, Undo, Void, from_json, to_json
from app.kalooki.game.play import MOST_ENTRIES, Entry, from_record, judge, opening_entry, play, warnings
from app.kalooki.variants import load
from tests.kalooki.table_talk import begin, hand, record, refusal, totals


def warnings_of(log):
    return [fault.rule for fault in warnings(play(log), len(log))]


# ---- Starting


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
    [
        ({"variant": "european", "players": list("ABCDEF")}, ["unusual-number-of-players"]),
        ({"variant": "jamaican", "players": ["Ann", "Ben"], "house": {"opening_points": 40}},
         ["unusual-number-of-players", "house-rule-ignored"]),
        ({"variant": "classic", "players": ["Ann", "Ben"], "stakes": {"initial": 50}}, ["stakes-ignored"]),
        ({"variant": "kalooki-51", "players": ["Ann", "Ben"], "stakes": {"call_up": 10, "initial": 5}},
         ["stakes-ignored"]),
        ({"variant": "european", "players": ["Ann", "Ben"]}, []),
    ],
)  # fmt: skip
def test_an_odd_start_only_gives_a_warning(start, warned):
    _, game, faults = opening_entry(from_json({"kind": "start"} | start))

    assert not faults
    assert [noted.fault.rule for noted in game.warnings] == warned


def test_missing_stakes_get_the_suggestion_with_a_unit_of_ten():
    (_, start), *_ = begin(stakes={"call_up": 25})

    assert start.stakes == {"currency": "EUR", "call_up": 25, "kalooki": 20, "initial": 50, "buy_in": 50}


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


def test_a_hand_knows_each_total_after_it():
    first, second = play(record(begin(), hand(1, s2=5, s3=20), hand(2, s1=7, s3=1))).hands

    assert first.totals == {1: 0, 2: 5, 3: 20}
    assert second.totals == {1: 7, 2: 5, 3: 21}


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


# ---- What makes a hand impossible, or odd


@pytest.mark.parametrize(
    ("event", "rules"),
    [
        (hand(1, s2="KH KH", s3="KH"), ["more-than-the-pack"]),
        (hand(1, s2="* *", s3="*"), ["more-than-the-pack"]),
        (hand(1, s2=10), ["loser-missing"]),
        (hand(1, s1=5, s2=10, s3=3), ["winner-holds-cards"]),
        (hand(1, s2="", s3=0), ["loser-without-cards", "loser-without-cards"]),
        (hand(4, s1=10, s2=10, s3=10), ["winner-not-in"]),
        (hand(1, s2=10, s3=10, s4=10), ["score-for-who-is-out"]),
        (hand(1, "bending", s2=10, s3=10), ["no-such-ending"]),
        (hand(1, calls={"4": 1}, s2=10, s3=10), ["score-for-who-is-out"]),
        (hand(1, "bending", s1="K", s2="KH KH KH"),
         ["no-such-ending", "winner-holds-cards", "more-than-the-pack", "loser-missing"]),
    ],
)  # fmt: skip
def test_an_impossible_hand_lists_everything_that_is_wrong(event, rules):
    assert refusal(begin(), event) == rules


def test_an_ace_needs_its_colour_where_colours_score():
    assert refusal(begin("jamaican"), hand(1, s2="A", s3="AH")) == ["ace-without-colour"]


@pytest.mark.parametrize(
    ("event", "warned"),
    [
        (hand(1, s2="2 2 2 2 3 3 3 3 4 4 4 4 5 5", s3=10), ["more-cards-than-dealt"]),
        (hand(1, s2=1, s3=10), ["sum-no-cards-make"]),
        (hand(1, s2=149, s3=10), ["sum-no-cards-make"]),
        (hand(1, calls={"2": 1}, s2=10, s3=10), ["calls-ignored"]),
        (hand(1, s2="KH", s3=148), []),
    ],
)
def test_an_odd_hand_is_recorded_with_a_warning(event, warned):
    assert warnings_of(record(begin(), event)) == warned


@pytest.mark.parametrize(("ending", "calls", "warned"), [
    ("bending", 4, ["over-called-bending"]), ("bending", 3, []), ("going_out", 4, []),
])  # fmt: skip
def test_bending_with_too_many_calls_is_not_doubled_and_says_so(ending, calls, warned):
    log = record(begin("jamaican"), hand(1, ending, calls={"1": calls}, s2=20, s3=30))
    assert totals(log)[1:] == ([20, 30] if calls == 4 or ending == "going_out" else [40, 60])
    assert warnings_of(log) == warned


def test_cards_override_different_points():
    event = hand(1, s3=10) | {"left": {"2": {"cards": "K Q", "points": 21}, "3": {"cards": "9", "points": 9}}}
    log = record(begin(), event)

    assert totals(log) == [0, 20, 9]
    assert warnings_of(log) == ["cards-and-sum-differ"]


def test_two_jamaican_calls_allow_four_more_cards():
    # nine cards dealt and two calls: thirteen twos and threes are no surprise, fourteen are
    log = begin("jamaican")
    thirteen = "2 2 2 2 2 2 2 2 3 3 3 3 3"

    assert warnings_of(record(log, hand(1, calls={"2": 2}, s2=thirteen, s3="4S"))) == []
    assert warnings_of(record(log, hand(1, calls={"2": 2}, s2=thirteen + " 3", s3="4S"))) == ["more-cards-than-dealt"]


# ---- Refusals of other events


@pytest.mark.parametrize(
    ("event", "rules"),
    [
        ({"kind": "buy_in", "seat": 2}, ["no-offer"]),
        ({"kind": "decline", "seat": 2}, ["no-offer"]),
        ({"kind": "buy_in", "seat": 9}, ["no-such-seat"]),
        ({"kind": "penalty", "seat": 1}, ["empty-penalty"]),
        ({"kind": "ruling", "claim": {}, "verdict": True, "points": 5}, ["ruling-without-seat"]),
        ({"kind": "join", "name": "BEN"}, ["name-taken"]),
        ({"kind": "join", "name": "Dot", "points": 150}, ["joins-over-the-limit"]),
        ({"kind": "join", "name": "Dot", "after": 7}, ["no-such-seat"]),
        ({"kind": "rename", "seat": 1, "name": "cat"}, ["name-taken"]),
        ({"kind": "paid", "from": 1, "to": 1, "amount": 5}, ["pays-himself"]),
        ({"kind": "paid", "from": 9, "to": 1, "amount": 5}, ["no-such-seat"]),
        ({"kind": "first", "seat": 1}, ["first-not-drawn"]),
        ({"kind": "end"}, ["ends-by-itself"]),
        ({"kind": "decider", "winner": 1}, ["no-tie"]),
        ({"kind": "setup", "dealer": 4}, ["no-such-seat"]),
        ({"kind": "undo", "target": 1}, ["start-stays"]),
        ({"kind": "undo", "target": 2}, ["no-such-entry"]),
        ({"kind": "amend", "target": 1, "event": {"kind": "void"}}, ["start-stays"]),
        ({"kind": "insert", "before": 2, "event": {"kind": "void"}}, ["no-such-entry"]),
    ],
)  # fmt: skip
def test_an_impossible_event_is_refused(event, rules):
    assert refusal(begin(), event) == rules


def test_money_events_are_refused_in_a_game_without_money():
    log = begin(stakes=None)

    assert refusal(log, {"kind": "paid", "from": 1, "to": 2, "amount": 5}) == ["nothing-to-settle"]
    assert refusal(log, {"kind": "penalty", "seat": 1, "amount": 5}) == ["no-money"]


def test_a_game_paid_in_cash_has_nothing_to_settle():
    assert refusal(begin(settle="cash"), {"kind": "paid", "from": 1, "to": 2, "amount": 5}) == ["nothing-to-settle"]


def test_an_overpayment_gives_a_warning_once_the_game_is_over():
    # Ben is out at 150, and owes Ann the stake of 50 and the call-up of 10
    ben_pays = {"kind": "paid", "from": 2, "to": 1}
    log = record(begin(players=("Ann", "Ben"), house={"buy_ins": 0}), ben_pays | {"amount": 1})
    assert warnings_of(log) == []  # in advance
    log = record(begin(players=("Ann", "Ben"), house={"buy_ins": 0}), hand(1, s2=150), ben_pays | {"amount": 45})
    assert warnings_of(log) == []
    log = record(log, ben_pays | {"amount": 25})
    [fault] = warnings(play(log), len(log))
    assert (fault.rule, fault.facts) == ("more-than-owed", {"name": "Ben", "units": 10})
    log = record(log, ben_pays | {"amount": 5})
    assert warnings(play(log), len(log))[0].facts["units"] == 5


@pytest.mark.parametrize(("variant", "ending"), [("european", "kalooki"), ("jamaican", "bending")])
def test_a_kalooki_without_a_stake_beside_a_call_up_gives_a_warning(variant, ending):
    log = begin(variant=variant, house={"stake_call_up": 1}, stakes={"currency": "EUR", "call_up": 10, "kalooki": 0})
    assert warnings_of(record(log, hand(1, ending, s2=30, s3=20))) == ["kalooki-unpaid"]
    assert warnings_of(record(log, hand(1, s2=30, s3=20))) == []


def test_a_share_of_the_pool_reduces_what_a_player_owes():
    # Ben: the stake of 50 and a call-up of 10, and a third of 150 back: 10 to pay
    log = record(begin(players=("Ann", "Ben", "Cat")), hand(1, s2=30, s3=20), {"kind": "stop", "pool": "equal"})
    log = record(log, {"kind": "paid", "from": 2, "to": 1, "amount": 25})
    assert warnings(play(log), len(log))[0].facts == {"name": "Ben", "units": 15}
    log = record(log, {"kind": "paid", "from": 3, "to": 2, "amount": 10})
    assert warnings_of(log) == []


def test_a_player_who_left_cannot_do_anything_more():
    log = record(begin(), {"kind": "leave", "seat": 2})

    assert refusal(log, {"kind": "leave", "seat": 2}) == ["has-left"]
    assert refusal(log, {"kind": "penalty", "seat": 2, "amount": 5}) == ["score-for-who-is-out"]
    assert refusal(log, hand(1, s2=5, s3=5)) == ["score-for-who-is-out"]


def test_no_more_players_can_join_than_the_packs_can_deal_to():
    log = begin(players="ABCDEFGH")

    assert refusal(log, {"kind": "join", "name": "Ida"}) == ["too-many-players"]


def test_a_joiner_beyond_the_usual_number_gives_a_warning():
    log = record(begin(players="ABCD"), {"kind": "join", "name": "Eve"})
    assert warnings_of(log) == []  # European is for two to five

    log = record(log, {"kind": "join", "name": "Fay"})
    assert warnings_of(log) == ["unusual-number-of-players"]


def test_a_fault_uses_a_players_corrected_name():
    log = record(begin(), hand(1, s2=10, s3=150), {"kind": "buy_in", "seat": 3})
    log = record(log, {"kind": "rename", "seat": 3, "name": "Carl"})
    log = record(log, {"kind": "amend", "target": 2, "event": hand(1, s2=10, s3=15)})
    assert [(noted.entry, noted.fault.facts["name"]) for noted in play(log).faults] == [(3, "Carl")]


def test_after_the_end_only_corrections_names_payments_and_rulings_are_accepted():
    log = record(begin(players=["Ann", "Ben"], stakes={"call_up": 10}), hand(1, s2=150))
    note = {"kind": "ruling", "claim": {}, "verdict": False, "seat": 2}

    assert refusal(log, hand(1, s2=5)) == ["game-over"]
    assert refusal(log, {"kind": "void"}) == ["game-over"]
    assert refusal(log, note | {"points": 5}) == ["game-over"]
    record(log, note, note | {"points": 5, "upheld": False}, {"kind": "rename", "seat": 1, "name": "Anna"},
           {"kind": "paid", "from": 2, "to": 1, "amount": 10})  # fmt: skip


def test_a_hand_needs_two_players():
    # decided by points and without a limit, leaving does not end the game (reading 16: a knock-out game)
    log = record(begin("classic", ["Ann", "Ben"]), {"kind": "leave", "seat": 2})

    assert play(log).status == "playing"
    assert refusal(log, {"kind": "void"}) == ["too-few-players"]
    assert refusal(log, {"kind": "hand", "winner": 1, "ending": "going_out", "left": {}}) == ["too-few-players"]


def test_the_first_player_is_drawn_among_those_in():
    log = record(begin("kalooki-51"), {"kind": "leave", "seat": 2})

    assert refusal(log, {"kind": "first", "seat": 2}) == ["score-for-who-is-out"]
    log = record(log, {"kind": "first", "seat": 3})
    assert play(log).first == 3
    assert play(record(log, {"kind": "leave", "seat": 3})).first is None

    limited = record(begin("kalooki-51", house={"limit": 50}), {"kind": "first", "seat": 2})
    assert play(record(limited, {"kind": "penalty", "seat": 2, "points": 60})).first is None
