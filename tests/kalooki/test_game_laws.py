"""Properties of every game: points and money add up, and a correction equals recording it correctly at first."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.kalooki.game.apply import hand_points, if_ended, score_items
from app.kalooki.game.events import from_json, to_json
from app.kalooki.game.play import Entry, from_record, judge, play, play_on
from app.kalooki.variants import ids, load, with_house_rules
from tests.examples import times
from tests.kalooki.table_talk import begin, hand, record, refusal


@given(st.sampled_from(["european", "jamaican", "kalooki-51"]), st.sampled_from(["losers", "winner_collects"]),
       st.booleans(), st.lists(st.integers(0, 5), min_size=3, max_size=3))  # fmt: skip
def test_the_items_of_a_hand_add_up_to_its_points(variant, scoring, at_once, calls):
    table, _ = with_house_rules(load(variant), {"scoring": scoring})
    ending = table.endings[at_once]
    event = hand(1, ending, dict(zip("123", calls, strict=True)), s2="KH Ared * 7", s3=43)
    items = score_items(table, from_json(event))
    points = hand_points(table, from_json(event))

    # KH and a red ace, a joker and a seven are told apart by the variant's values, 43 were typed
    worth = {"european": 10 + 11 + 15 + 7, "jamaican": 10 + 1 + 50 + 7, "kalooki-51": 10 + 11 + 25 + 7}[variant]
    over_called = table.calls and calls[0] > table.calls
    times, added = (1, 0) if not at_once else (1 if over_called else table.kalooki_times, table.kalooki_points)
    for_calls = [max(0, made - table.calls) * table.call_penalty if table.calls else 0 for made in calls]
    held = {2: worth * times + added + for_calls[1], 3: 43 * times + added + for_calls[2]}
    if scoring == "winner_collects":
        assert points == {1: held[2] + held[3] - for_calls[0], 2: 0, 3: 0}
    else:
        assert points == {1: for_calls[0]} | held
    assert all(item.points and item.rule for own in items.values() for item in own)


SCORES = st.integers(2, 60)


@st.composite
def logs(draw):
    """Draw a log of plausible events of any variant, each of which was accepted."""
    variant = draw(st.sampled_from(["european", "north-american", "jamaican", "kalooki-51", "classic"]))
    log = begin(variant, ["Ann", "Ben", "Cat", "Dot"])
    for _ in range(draw(st.integers(1, 8))):
        event = draw(st.one_of(hands(log), others(log)))
        if not refusal(log, event):
            log = record(log, event)
    return log


def hands(log):
    seats = [player.seat for player in play(log).playing]
    endings = st.sampled_from(play(log).variant.endings)
    dealt = st.permutations(seats).flatmap(lambda order: st.integers(2, len(order)).map(lambda many: order[:many]))
    return st.tuples(dealt, endings, st.lists(SCORES, min_size=4, max_size=4)).map(
        lambda drawn: (
            hand(
                drawn[0][0],
                drawn[1],
                **{f"s{seat}": points for seat, points in zip(drawn[0][1:], drawn[2], strict=False)},
            )
            | {"absent": sorted(set(seats) - set(drawn[0]))}
        )
    )


def others(log):
    seat = st.integers(1, 4)
    kinds = st.sampled_from(["buy_in", "decline", "leave", "first"])
    return st.one_of(
        st.builds(lambda kind, seat: {"kind": kind, "seat": seat}, kinds, seat),
        st.builds(lambda seat, points: {"kind": "penalty", "seat": seat, "points": points}, seat, SCORES),
        st.just({"kind": "void"}),
        st.builds(lambda name: {"kind": "join", "name": name}, st.sampled_from(["Eve", "Fay"])),
        st.builds(lambda target: {"kind": "undo", "target": target}, st.integers(2, len(log) + 1)),
    )


def seen(log):
    """Return what the table sees: everything except entry numbers and warnings."""
    game = play(log)
    players = [(p.name, p.total, p.playing, game.offers.get(p.seat), p.buy_ins) for p in game.players.values()]
    rules = [noted.fault.rule for noted in game.faults]
    return players, game.status, game.winners, game.balances, game.pool, game.next_dealer, game.first, rules


@settings(max_examples=times(60))
@given(logs())
def test_money_adds_up_to_zero_after_every_entry(log):
    for length in range(1, len(log) + 1):
        game = play(log[:length])
        assert sum(game.balances.values()) + game.pool == 0


@settings(max_examples=times(60))
@given(logs(), st.booleans())
def test_what_would_be_paid_now_is_what_is_paid_once_the_table_ends_the_game(log, has_penalty):
    if has_penalty and not refusal(log, pending := {"kind": "penalty", "seat": 1, "amount": 30, "after_hand": True}):
        log = record(log, pending)
    for length in range(1, len(log) + 1):
        game = play(log[:length])
        now = if_ended(game)
        assert sum(now.balances.values()) == now.pool == 0
        if not game.finish:
            ending = {"kind": "end"} if game.variant.ends_at_will else {"kind": "stop", "pool": "refund"}
            assert play(record(log[:length], ending)).balances == now.balances


@pytest.mark.parametrize("variant", ids())
def test_nobody_is_in_debt_before_the_first_hand(variant):
    game = play(begin(variant, stakes={"currency": "EUR", "initial": 50}))
    assert if_ended(game).balances == {1: 0, 2: 0, 3: 0}


def test_game_from_paper_shares_the_pool_equally():
    carried = {"hands": 2, "totals": [10, 20, 30], "balances": [-10, -50, -90]}
    game = play(begin(stakes={"currency": "EUR", "initial": 50}, carried=carried))
    assert if_ended(game).balances == {1: 40, 2: 0, 3: -40}


@settings(max_examples=times(60))
@given(logs())
def test_undoing_the_last_entry_is_the_log_without_it(log):
    if len(log) > 1 and not refusal(log, {"kind": "undo", "target": len(log)}):
        undone = record(log, {"kind": "undo", "target": len(log)})
        assert seen(undone) == seen(log[:-1])
        assert seen(record(undone, {"kind": "undo", "target": len(undone)})) == seen(log)


@settings(max_examples=times(60))
@given(logs(), st.data())
def test_amending_a_hand_equals_recording_it_correctly(log, data):
    wrong = hand(1, s2=99, s3=2, s4=3)
    right = log[1].event if len(log) > 1 else None
    if right is None or to_json(right)["kind"] not in ("hand", "void") or refusal(log[:1], wrong):
        return
    misrecorded = [log[0], Entry(2, from_json(wrong)), *log[2:]]
    _, faults = judge(misrecorded, from_json({"kind": "amend", "target": 2, "event": to_json(right)}))
    if not faults:
        corrected = [
            *misrecorded,
            Entry(len(log) + 1, from_json({"kind": "amend", "target": 2, "event": to_json(right)})),
        ]
        assert seen(corrected) == seen(log)


@settings(max_examples=times(60))
@given(logs())
def test_a_log_reads_the_same_from_json(log):
    assert from_record([to_json(entry.event) for entry in log]) == log


@cache
def whatever(number):
    """Return a strategy for entry `number` of an imported log, which may be impossible at a table."""
    seat, earlier = st.integers(1, 5), st.integers(2, max(2, number - 1))
    points = st.integers(1, 90)
    dealt = st.one_of(
        st.builds(lambda one, two, three: hand(1, s2=one, s3=two, s4=three), points, points, points),
        st.builds(lambda one, two: hand(3, s1=one, s2=two), points, points),
        st.builds(lambda one, absent: hand(3, s1=one) | {"absent": absent}, points, st.lists(seat, unique=True)),
        st.just({"kind": "void"}),
    )
    at_the_table = st.one_of(
        dealt,
        dealt,
        st.builds(lambda kind, seat: {"kind": kind, "seat": seat}, st.sampled_from(["buy_in", "decline"]), seat),
        st.builds(lambda seat, before: {"kind": "buy_in", "seat": seat, "before": before}, seat, earlier),
        st.builds(lambda kind, seat: {"kind": kind, "seat": seat}, st.sampled_from(["leave", "first"]), seat),
        st.builds(lambda seat, more: {"kind": "penalty", "seat": seat, "points": more, "amount": more}, seat, points),
        st.builds(lambda name, stake: {"kind": "join", "name": name, "stake": stake},
                  st.sampled_from(["Eve", "Fay"]), st.booleans()),
        st.builds(lambda seat: {"kind": "rename", "seat": seat, "name": "Zoe"}, seat),
        st.builds(lambda limit: {"kind": "setup", "house": {"limit": limit}}, st.integers(60, 200)),
        st.builds(lambda pool: {"kind": "stop", "pool": pool}, st.sampled_from(["refund", "equal", "leader"])),
        st.builds(lambda seat: {"kind": "decider", "winner": seat}, seat),
        st.builds(lambda seat: {"kind": "paid", "from": seat, "to": 1, "amount": 5}, st.integers(2, 5)),
        st.just({"kind": "end"}),
    )  # fmt: skip
    if number < 3:
        return at_the_table
    corrected = st.one_of(
        st.builds(lambda target: {"kind": "undo", "target": target}, earlier),
        st.builds(lambda target, event: {"kind": "amend", "target": target, "event": event}, earlier, at_the_table),
        st.builds(lambda before, event: {"kind": "insert", "before": before, "event": event}, earlier, dealt),
    )
    return st.one_of(at_the_table, at_the_table, corrected)


@st.composite
def imported_logs(draw):
    """Draw any log that can be read, with corrections of corrections, late entries and impossible events."""
    log = begin(draw(st.sampled_from(["european", "jamaican", "kalooki-51"])), ["Ann", "Ben", "Cat", "Dot"])
    for number in range(2, draw(st.integers(2, 14)) + 1):
        log = [*log, Entry(number, from_json(draw(whatever(number))))]
    return log


@settings(max_examples=60)
@given(imported_logs())
def test_continuing_a_game_equals_replaying_it(log):
    played = [play(log[:length]) for length in range(1, len(log) + 1)]
    for known, game in enumerate(played, 1):
        assert play_on(game, log[: known + 1], known) == played[min(known, len(log) - 1)]
        assert play_on(game, log, known) == played[-1]
    assert played == [play(log[:length]) for length in range(1, len(log) + 1)], "games known stay as they are"


def test_an_entry_after_the_end_shares_the_pool_again():
    log = begin("kalooki-51", ["Ann", "Ben", "Cat"], stakes={"initial": 10})
    over = record(log, {"kind": "stop", "pool": "leader"})
    decided = [*over, Entry(3, from_json({"kind": "decider", "winner": 2}))]
    assert play(over).shares == {1: 10, 2: 10, 3: 10}, "all three have the best total"
    assert play_on(play(over), decided, 2).shares == {2: 30}
