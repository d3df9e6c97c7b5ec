"""Entries recorded during a hand count right after it, because the hand belongs to the players who were dealt in."""

from hypothesis import given, settings
from hypothesis import strategies as st

from app.kalooki.game.corrections import Entry
from app.kalooki.game.events import from_json
from app.kalooki.game.play import judge, play
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


# Sentence by sentence


def test_judging_a_pending_event_does_not_change_the_game():
    log = record(three(), hand(1, s2=5, s3=140))
    known = play(log)
    for event in (CARA_LEAVES, DAN_JOINS, penalty(3, 20), penalty(2, amount=5)):
        judge(log, from_json(event), known)
    assert known == play(log)


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
