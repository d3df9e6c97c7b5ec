"""Entries recorded during a hand count right after it, because the hand belongs to the players who were dealt in."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.kalooki.game.corrections import Entry
from app.kalooki.game.events import from_json
from app.kalooki.game.play import game_before, judge, play
from tests.examples import times
from tests.kalooki.table_talk import begin, hand, record, refusal, totals

CARA_LEAVES = {"kind": "leave", "seat": 3, "after_hand": True}
DAN_JOINS = {"kind": "join", "name": "Dan", "after_hand": True}


def penalty(seat, points=0, amount=0):
    return {"kind": "penalty", "seat": seat, "points": points, "amount": amount, "after_hand": True}


def price(seat, points, **more):
    """Return a ruling on an irregularity that costs points."""
    return {"kind": "ruling", "mishap": "drew-two", "noticed": "later", "verdict": "It stands.", "seat": seat,
            "points": points, "after_hand": True} | more  # fmt: skip


def undo(target):
    return {"kind": "undo", "target": target}


def three(variant="european", **more):
    return begin(variant, ["Ann", "Ben", "Cara"], **more)


def faults(log):
    return [(noted.entry, noted.fault.rule) for noted in play(log).faults]


def waiting(log):
    return [entry.number for entry in play(log).pending]


# As tables meet it


def test_a_player_who_leaves_during_a_hand_still_scores_and_pays_for_it():
    told = record(three(), CARA_LEAVES)
    assert (waiting(told), play(told).players[3].has_left) == ([2], False)

    game = play(record(told, hand(1, s2=10, s3=22)))
    assert (game.players[3].total, game.players[3].has_left) == (22, True)
    assert game.balances == {1: -50 + 20, 2: -60, 3: -60}


def test_points_that_reach_the_limit_during_a_hand_do_not_change_it_or_the_deal():
    log = record(begin(players=["Ann", "Ben", "Cara", "Dan"]), hand(1, s2=10, s3=140, s4=12), price(3, 20))
    game = play(log)
    assert (game.players[3].total, game.players[3].playing, game.next_dealer, game.offers) == (140, True, 2, {})

    # Cara wins the hand and is paid for it; then her 20 count: 140 + 20, the highest under the limit is Dan's 12 + 7
    won = play(record(log, hand(3, s1=5, s2=6, s4=7)))
    assert (won.players[3].total, won.players[3].playing, won.offers) == (160, False, {3: 19})
    assert won.balances == {1: -50 + 30 - 10, 2: -70, 3: -50 - 10 + 30, 4: -70}
    assert play(record(log, hand(3, s1=5, s2=6, s4=7), {"kind": "buy_in", "seat": 3})).next_dealer == 3

    # or she loses it, and pays two call-ups
    lost = play(record(log, hand(2, s1=5, s3=3, s4=7)))
    assert (lost.players[3].total, lost.balances[3], lost.next_dealer) == (163, -50 - 20, 4)


def test_points_that_reach_the_limit_with_two_players_end_the_game_after_the_hand():
    log = record(begin(players=["Ann", "Ben"]), hand(1, s2=140), price(2, 20))
    assert (play(log).status, play(log).pool) == ("playing", 100)

    game = play(record(log, hand(2, s1=30)))
    assert (game.status, game.winners, totals(record(log, hand(2, s1=30)))) == ("over", (1,), [30, 160])
    assert game.balances == {1: -50 + 10 - 10 + 100, 2: -50 - 10 + 10}


def test_a_player_who_joins_during_a_hand_is_not_dealt_into_it():
    log = record(three(), DAN_JOINS)
    assert list(play(log).players) == [1, 2, 3]

    game = play(record(log, hand(1, s2=35, s3=20)))
    assert [(player.seat, player.name, player.total) for player in game.playing][3:] == [(4, "Dan", 35)]


def test_the_deal_of_the_hand_in_play_does_not_change():
    log = record(begin("north-american", list("ABCDE")), CARA_LEAVES)
    assert play(log).dealt == 13

    game = play(record(log, hand(1, s2=1, s3=2, s4=3, s5=4)))
    assert (game.hands[0].dealt, game.dealt) == (13, 15)


# Sentence by sentence


def test_pending_entries_count_in_the_order_they_were_recorded_after_buy_in_levels():
    log = record(three(), hand(1, s2=100, s3=90), penalty(2, 40), penalty(3, 20), hand(1, s2=5, s3=60))
    game = play(log)

    # Cara is out with 150, her level is Ben's 105; then he has 145 and she 170
    assert (totals(log), game.offers) == ([0, 145, 170], {3: 105})


def test_a_void_hand_applies_pending_entries_too():
    log = record(three(), penalty(2, 15), {"kind": "void"})
    assert (totals(log), waiting(log)) == ([0, 15, 0], [])


def test_if_the_hand_ends_the_game_only_pending_points_and_amounts_count():
    log = record(begin(players=["Ann", "Ben"]), hand(1, s2=140))
    log = record(log, penalty(1, 160, amount=30), {"kind": "leave", "seat": 1, "after_hand": True}, DAN_JOINS)
    over = record(log, hand(1, s2=10))
    game = play(over)

    assert (game.status, game.winners, totals(over)) == ("over", (1,), [160, 150])
    assert (game.players[1].playing, game.players[1].has_left, list(game.players)) == (True, False, [1, 2])
    assert (game.ineffective, faults(over)) == ([4, 5], [])
    assert game.shares == {1: 2 * 50 + 30}


def test_a_game_by_number_of_hands_is_judged_with_pending_points():
    log = record(three("classic", house={"game_hands": 2}), hand(1, s2=20, s3=30), penalty(1, 40), penalty(2, -5))
    over = record(log, hand(1, s2=10, s3=20))
    assert (totals(over), play(over).status, play(over).winners) == ([40, 25, 50], "over", (2,))


# the pool holds 3 × 50 + 10; played to the end, Ann is the one loser who stayed and gets a quarter of it
@pytest.mark.parametrize(("ending", "share"), [({"kind": "end"}, 40), ({"kind": "stop", "pool": "leader"}, 0)])
def test_the_table_ends_the_game_with_pending_entries_counted(ending, share):
    log = record(three("kalooki-51"), hand(1, s2=20, s3=30), penalty(1, 25, amount=10), CARA_LEAVES, ending)
    game = play(log)
    assert (totals(log), game.winners, game.finish.entry, game.pending) == ([25, 20, 30], (2,), 5, [])
    assert (game.players[3].has_left, game.balances[1]) == (True, -50 - 10 + share)


def test_ending_early_wins_over_a_pending_end():
    log = record(begin(players=["Ann", "Ben"]), hand(1, s2=140), penalty(2, 20))
    game = play(record(log, {"kind": "stop", "pool": "refund"}))
    assert (game.finish.pool, game.winners, game.players[2].total) == ("refund", (), 160)
    assert game.balances == {1: 10, 2: -10}


def test_a_stop_needs_a_choice_about_a_pool_of_pending_amounts():
    log = record(three(stakes={"initial": 0}), penalty(2, amount=30))
    assert refusal(log, {"kind": "stop"}) == ["pool-unsaid"]


def test_a_forgotten_hand_counts_before_entries_pending_in_the_next_hand():
    log = record(three(), hand(1, s2=10, s3=10), penalty(2, 130), hand(1, s2=7, s3=8))
    assert (totals(log), play(log).players[2].playing) == ([0, 147, 18], True)

    # had Ben's 130 counted before the forgotten hand he would be out before the last one: 10 + 5 + 7 + 130
    mended = record(log, {"kind": "insert", "before": 4, "event": hand(3, s1=4, s2=5)})
    assert [played.entry for played in play(mended).hands] == [2, 5, 4]
    assert (totals(mended), faults(mended)) == ([4, 152, 18], [])

    # and one put in while it is pending leaves it pending
    early = record(log[:3], {"kind": "insert", "before": 2, "event": {"kind": "void"}})
    assert waiting(early) == [3]
    assert waiting(record(log[:3], {"kind": "insert", "before": 3, "event": hand(3, s1=4, s2=5)})) == [3]


def test_undoing_a_hand_makes_its_entries_pending_again_and_moves_no_others():
    log = record(three(), penalty(2, 15), hand(1, s2=7, s3=8), {"kind": "penalty", "seat": 3, "points": 4})
    log = record(log, undo(3))
    assert (totals(log), waiting(log)) == ([0, 0, 4], [2])

    again = record(log, undo(5))
    assert (totals(again), waiting(again)) == ([0, 22, 12], [])
    assert totals(record(log, hand(2, s1=1, s3=2))) == [1, 15, 6]


@pytest.mark.parametrize(
    ("pending", "event", "rule"),
    [
        (DAN_JOINS, DAN_JOINS | {"name": "DAN"}, "name-taken"),
        (DAN_JOINS, {"kind": "rename", "seat": 1, "name": "Dan"}, "name-taken"),
        (DAN_JOINS | {"name": "O'Hara"}, DAN_JOINS | {"name": "O’Hara"}, "name-taken"),
        (DAN_JOINS | {"name": "O'Hara"}, {"kind": "rename", "seat": 1, "name": "O’Hara"}, "name-taken"),
        (DAN_JOINS, DAN_JOINS | {"name": "Eve", "after": 4}, "no-such-seat"),
        (DAN_JOINS, penalty(4, 5), "no-such-seat"),
        (DAN_JOINS, {"kind": "rename", "seat": 4, "name": "Eve"}, "no-such-seat"),
        (CARA_LEAVES, CARA_LEAVES, "has-left"),
        (CARA_LEAVES, penalty(3, 5), "score-for-who-is-out"),
        (CARA_LEAVES, penalty(9, 5), "no-such-seat"),
        (CARA_LEAVES, penalty(1), "empty-penalty"),
        (CARA_LEAVES, DAN_JOINS | {"points": 150}, "joins-over-the-limit"),
        (CARA_LEAVES, price(None, 5), "ruling-without-seat"),
    ],
)
def test_an_event_impossible_between_hands_is_refused_during_a_hand(pending, event, rule):
    assert refusal(record(three(), pending), event) == [rule]


def test_judging_a_pending_event_does_not_change_the_game():
    log = record(three(), hand(1, s2=5, s3=140))
    known = play(log)
    for event in (CARA_LEAVES, DAN_JOINS, penalty(3, 20), penalty(2, amount=5)):
        judge(log, from_json(event), known)
    assert known == play(log)


def test_no_more_players_can_join_during_a_hand_than_the_packs_can_deal_to():
    log = record(begin("jamaican", list("ABCDE")), DAN_JOINS)  # 108 cards, 16 each in the last hand: six
    assert refusal(log, DAN_JOINS | {"name": "Eve"}) == ["too-many-players"]


@pytest.mark.parametrize("event", [penalty(1, 5), price(1, 5), CARA_LEAVES | {"seat": 1}, DAN_JOINS | {"name": "Eve"}])
def test_events_with_a_cost_must_be_pending_while_others_are(event):
    now = {name: value for name, value in event.items() if name != "after_hand"}
    log = record(three(), DAN_JOINS)
    assert refusal(log, now) == ["hand-in-play"]
    assert refusal(log, event) == []
    assert refusal(record(log, hand(1, s2=1, s3=2)), now) == []
    assert refusal(record(log, undo(2)), now) == []


def test_events_without_a_cost_are_never_pending():
    free = {"kind": "ruling", "claim": "A hand", "verdict": "fine"}
    assert refusal(record(three(), DAN_JOINS), free) == []
    assert refusal(three(), free | {"after_hand": True}) == ["costs-nothing"]
    assert refusal(three(), price(2, 5, upheld=False)) == ["costs-nothing"]


def test_a_pending_joiner_starts_at_the_highest_total_after_the_hand():
    log = record(three(), hand(1, s2=10, s3=5), DAN_JOINS, hand(2, s1=3, s3=50))
    assert totals(log) == [3, 10, 55, 55]


def test_a_player_knocked_out_by_the_hand_is_still_charged_pending_points():
    log = record(three(), hand(1, s2=10, s3=140), penalty(3, 5, amount=30), penalty(3, -100), hand(1, s2=9, s3=12))
    game = play(log)
    assert (game.players[3].total, game.players[3].out_since, game.offers) == (140 + 12 + 5 - 100, 5, {3: 19})
    assert (game.players[3].playing, game.pool, faults(log)) == (False, 3 * 50 + 30, [])


def test_pending_entries_alone_never_end_a_game():
    log = record(begin(players=["Ann", "Ben"]), hand(1, s2=140), penalty(2, 20))
    log = record(log, penalty(1, 5), {"kind": "leave", "seat": 1, "after_hand": True}, DAN_JOINS)
    assert (play(log).status, waiting(log)) == ("playing", [3, 4, 5, 6])


def test_a_pending_joiner_gets_a_seat_after_the_hand():
    log = record(three(), DAN_JOINS, {"kind": "void"})
    assert play(log).players[4].name == "Dan"

    # a penalty amended to a joiner, while another waits, sits down first
    log = record(three(), {"kind": "penalty", "seat": 1, "points": 5}, DAN_JOINS)
    log = record(
        log, {"kind": "amend", "target": 2, "event": {"kind": "join", "name": "Eve"}}, hand(1, s2=1, s3=2, s4=3)
    )
    assert [player.name for player in play(log).players.values()][3:] == ["Eve", "Dan"]

    # who is taken back and brought back after the hand takes nobody's seat
    log = record(three(), DAN_JOINS, undo(2), {"kind": "void"}, {"kind": "join", "name": "Eve"}, undo(3))
    assert {seat: player.name for seat, player in play(log).players.items()} == {
        1: "Ann", 2: "Ben", 3: "Cara", 4: "Eve", 5: "Dan"}  # fmt: skip


def test_pending_entries_leave_offers_open_until_the_hand():
    log = record(three(), hand(1, s2=10, s3=150), {"kind": "leave", "seat": 3, "after_hand": True}, penalty(2, 5))
    assert play(log).offers == {3: 10}

    game = play(record(log, hand(1, s2=4)))
    assert (game.offers, game.players[3].has_left, game.players[2].total) == ({}, True, 19)


def test_a_bonus_never_restores_a_player_who_is_out_and_can_make_a_total_negative():
    assert totals(record(three(), {"kind": "penalty", "seat": 1, "points": -30})) == [-30, 0, 0]

    out = record(three(house={"buy_ins": 0}), hand(1, s2=10, s3=150))
    assert refusal(out, {"kind": "penalty", "seat": 3, "points": -30}) == ["score-for-who-is-out"]


def test_a_bonus_reaches_the_target_at_the_end_of_the_hand():
    log = begin("classic", ["Ann", "Ben"], house={"scoring": "winner_collects", "limit": 100})
    log = record(log, hand(1, s2=80), penalty(1, -30))
    assert (play(log).status, totals(log)) == ("playing", [80, 0])

    over = record(log, hand(2, s1=40))
    assert (totals(over), play(over).winners) == ([110, 40], (1,))


def test_a_penalty_amended_to_belong_to_a_hand_counts_after_it():
    log = record(three(), {"kind": "penalty", "seat": 3, "points": 20}, hand(1, s2=5, s3=135))
    assert play(log).players[3].out_since == 3
    log = record(log, {"kind": "amend", "target": 2, "event": penalty(3, 20)})
    assert (play(log).players[3].out_since, totals(log)) == (2, [0, 5, 155])


def test_a_pending_entry_can_be_amended_and_undone():
    log = record(three(), penalty(2, 20), penalty(3, 30))
    assert refusal(log, {"kind": "amend", "target": 3, "event": {"kind": "penalty", "seat": 3, "points": 3}}) == [
        "hand-in-play"
    ]
    assert refusal(log, {"kind": "amend", "target": 3, "event": penalty(7, 3)}) == ["no-such-seat"]
    mended = record(log, {"kind": "amend", "target": 3, "event": penalty(3, 4)}, undo(2), hand(1, s2=1, s3=2))
    assert totals(mended) == [0, 1, 6]


def test_a_corrected_hand_has_the_players_who_were_dealt_in():
    log = record(three(), CARA_LEAVES, hand(1, s2=5, s3=6))
    assert [player.seat for player in game_before(log, 3).playing] == [1, 2, 3]
    assert totals(record(log, {"kind": "amend", "target": 3, "event": hand(3, s1=7, s2=8)})) == [7, 8, 0]


# Laws

TABLES = [("european", {}), ("european", {"scoring": "winner_collects", "limit": 200}), ("jamaican", {}),
          ("kalooki-51", {}), ("classic", {"game_hands": 4}), ("north-american", {})]  # fmt: skip


def hands(log, draw):
    game = play(log)
    seats = [player.seat for player in game.playing]
    winner, points = draw(st.sampled_from(seats)), st.integers(1, 90)
    return hand(winner, draw(st.sampled_from(game.variant.endings)),
                **{f"s{seat}": draw(points) for seat in seats if seat != winner})  # fmt: skip


@st.composite
def in_hand(draw):
    """Draw an event with a cost that is recorded during a hand."""
    seat, points, amount = draw(st.integers(1, 5)), draw(st.integers(-40, 120)), draw(st.sampled_from([0, 25]))
    leaves = {"kind": "leave", "seat": seat, "after_hand": True}
    joins = DAN_JOINS | {"name": draw(st.sampled_from(["Eve", "Fay"]))}
    prices = [penalty(seat, points, amount), penalty(seat, points), price(seat, abs(points) or 1)]
    return draw(st.sampled_from([*prices, leaves, joins]))


@st.composite
def tables(draw, least=2):
    """Draw a game after a few hands, and events recorded during the next one."""
    variant, house = draw(st.sampled_from(TABLES))
    log = begin(variant, ["Ann", "Ben", "Cara", "Dan"][: draw(st.integers(least, 4))], house=house,
                **({"stakes": None} if draw(st.booleans()) else {}))  # fmt: skip
    for _ in range(draw(st.integers(0, 3))):
        if not play(log).finish and len(play(log).playing) > 1:
            log = record(log, hands(log, draw))
    events = []
    for event in draw(st.lists(in_hand(), min_size=1, max_size=3)):
        if not refusal(log, event):
            log, events = record(log, event), [*events, event]
    return log, events


def seen(log):
    """Return what the table sees, without entry numbers."""
    game = play(log)
    players = [(p.name, p.total, p.playing, p.has_left, game.offers.get(p.seat), p.buy_ins, p.no_offer)
               for p in game.players.values()]  # fmt: skip
    money = [(movement.why, movement.amounts) for movement in game.movements]
    changes = [(change.seat, change.total, change.why, change.hands) for change in game.changes]
    rest = (game.status, game.winners, game.balances, game.pool, game.next_dealer, game.dealt, game.number, game.order)
    return players, money, changes, rest, [noted.fault.rule for noted in game.faults]


def between_hands(events):
    return [{name: value for name, value in event.items() if name != "after_hand"} for event in events]


@settings(max_examples=times(80), deadline=None)
@given(tables(), st.data())
def test_an_entry_recorded_during_a_hand_equals_one_recorded_after_it(table, data):
    log, events = table
    if play(log).finish or len(play(log).playing) < 2:
        return
    played = hands(log, data.draw)
    told = record(log, played)
    after = record(log[: len(log) - len(events)], played)
    for event in between_hands(events):
        if refusal(after, event):
            return  # the hand ended the game, or knocked this player out: said sentence by sentence above
        after = record(after, event)
    assert seen(told) == seen(after)
    for _ in range(2):
        if play(told).finish or len(play(told).playing) < 2:
            return
        played = hands(told, data.draw)
        told, after = record(told, played), record(after, played)
        assert seen(told) == seen(after)


@settings(max_examples=times(80), deadline=None)
@given(tables(), st.data())
def test_pending_entries_count_only_after_the_hand_and_can_all_be_undone(table, data):
    log, events = table
    without = log[: len(log) - len(events)]
    assert seen(log) == seen(without)

    gone = log
    for number in data.draw(st.permutations(range(len(without) + 1, len(log) + 1))):
        gone = record(gone, undo(number))
    assert (seen(gone), play(gone).pending) == (seen(without), [])
    if play(log).finish or len(play(log).playing) < 2:
        return
    played = hands(log, data.draw)
    told = record(log, played)
    taken_back = record(told, undo(len(told)))
    assert (seen(taken_back), waiting(taken_back)) == (seen(log), waiting(log))
    assert seen(record(taken_back, undo(len(taken_back)))) == seen(told)


@settings(max_examples=times(60), deadline=None)
@given(tables(least=3), in_hand(), st.data())
def test_amending_a_pending_entry_equals_recording_it_correctly(table, right, data):
    log, events = table
    if not events or play(log).finish or len(play(log).playing) < 2:
        return
    number = data.draw(st.integers(len(log) - len(events) + 1, len(log)))
    amend = {"kind": "amend", "target": number, "event": right}
    if refusal(log, amend) or right["kind"] == "join" or from_json(right) == log[number - 1].event:
        return
    instead = [*log[: number - 1], Entry(number, from_json(right)), *log[number:]]
    played = hands(log, data.draw)
    assert seen(record(log, amend, played)) == seen(record(instead, played))
    late, faults = judge(record(log, played), from_json(amend))
    if not faults:
        assert [player.total for player in late.players.values()] == totals(record(instead, played))


@settings(max_examples=times(60), deadline=None)
@given(tables(), st.data())
def test_a_forgotten_hand_equals_one_recorded_before_the_pending_entries(table, data):
    log, events = table
    start = len(log) - len(events)
    if not events or play(log).finish or len(play(log).playing) < 2:
        return
    played = hands(log, data.draw)
    forgotten = hands(log[:start], data.draw)
    right = record(log[:start], forgotten)
    if play(right).finish or play(right).offers:
        return
    for event in [*events, played]:
        if refusal(right, event):
            return
        right = record(right, event)
    full = record(log, played)
    inserted = {"kind": "insert", "before": len(full), "event": forgotten}
    assert seen(record(full, inserted)) == seen(right)


@settings(max_examples=times(60), deadline=None)
@given(tables(), st.sampled_from(["refund", "equal", "leader"]))
def test_ending_a_game_with_pending_entries_equals_recording_them_before(table, pool):
    log, events = table
    if play(log).finish:
        return
    stop = {"kind": "stop", "pool": pool}
    right = log[: len(log) - len(events)]
    for event in between_hands(events):
        if refusal(right, event):
            return
        right = record(right, event)
    if play(right).finish:
        return
    assert seen(record(log, stop)) == seen(record(right, stop))
