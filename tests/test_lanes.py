"""What is quick never waits long for what is slow, and one phone's save hardly for all that others ask."""

from time import monotonic

import pytest

from app import lanes
from app.lanes import Lanes


@pytest.fixture
def clock(monkeypatch):
    """Seconds, which pass when a test says so."""
    now = [monotonic()]
    monkeypatch.setattr(lanes, "monotonic", lambda: now[0])

    def passes(seconds):
        now[0] += seconds

    return passes


def begun(kept):
    """The jobs that may be computed and that nobody has taken yet."""
    return [kept.take() for _ in range(kept._ready.qsize())]


def jobs(places):
    return [place.job for place in places]


def with_dear(*addresses):
    kept = Lanes()
    for address in addresses:
        for _ in range(5):
            kept.learn(address, 1.0)
    return kept


def test_one_that_asks_waits_for_another_and_one_that_sends_does_not():
    kept = Lanes()
    for board in ("first", "second", "third"):
        kept.put(board, "/board", sends=False)
    kept.put("save", "/entries", sends=True)
    first, save = begun(kept)
    assert (first.job, save.job) == ("first", "save")
    save.leave()
    first.leave()
    assert jobs(begun(kept)) == ["second"]


def test_one_that_asks_waits_while_a_save_is_computed_but_not_for_long(clock):
    kept = Lanes()
    kept.put("save", "/entries", sends=True)
    kept.put("board", "/board", sends=False)
    (save,) = begun(kept)
    kept.put("another save", "/entries", sends=True)
    save.leave()
    assert jobs(begun(kept)) == ["another save"]
    clock(0.15)
    kept.look_again()
    assert begun(kept) == []
    clock(0.1)
    kept.look_again()
    assert jobs(begun(kept)) == ["board"]


def test_one_that_asks_begins_once_the_save_has_ended():
    kept = Lanes()
    kept.put("save", "/entries", sends=True)
    kept.put("board", "/board", sends=False)
    (save,) = begun(kept)
    save.leave()
    assert jobs(begun(kept)) == ["board"]


def test_what_was_dear_lately_waits_until_nothing_quick_does(clock):
    kept = with_dear("/long")
    kept.put("quick", "/board", sends=False)
    kept.put("quick too", "/board", sends=False)
    kept.put("slow", "/long", sends=False)
    (quick,) = begun(kept)
    quick.leave()
    assert jobs(begun(kept)) == ["quick too", "slow"]


def test_what_is_slow_gives_way_for_two_seconds_at_most(clock):
    kept = with_dear("/long")
    for board in range(30):
        kept.put(f"board {board}", "/board", sends=False)
    kept.put("slow", "/long", sends=False)
    seen = []
    while "slow" not in seen:
        quick = begun(kept)
        seen += jobs(quick)
        clock(0.15)
        quick[0].leave()
    assert seen == [*(f"board {board}" for board in range(15)), "slow"]


def test_one_that_takes_longer_than_thought_keeps_no_quick_one_waiting(clock):
    kept = Lanes()
    kept.put("long", "/new", sends=False)
    kept.put("quick", "/board", sends=False)
    assert jobs(begun(kept)) == ["long"]
    clock(0.3)
    kept.put("save", "/entries", sends=True)
    assert set(jobs(begun(kept))) == {"save", "quick"}


def test_three_that_take_longer_than_thought_make_room_and_the_next_ones_wait_for_them(clock):
    kept = Lanes()
    for save in range(8):
        kept.put(save, f"/{save}", sends=True)
    under_way = begun(kept)
    for ask in range(5):
        clock(0.3)
        kept.put(f"ask {ask}", "/board", sends=False)
        under_way += [place for place in begun(kept) if place.job in range(8)]
    assert jobs(under_way) == [0, 1, 2, 3, 4]
    under_way[0].leave()
    assert 5 in jobs(begun(kept))


def test_one_slow_request_is_computed_at_a_time():
    kept = with_dear("/long")
    kept.put("one", "/long", sends=False)
    kept.put("other", "/long", sends=True)
    (one,) = begun(kept)
    one.leave()
    one.leave()  # a place is given up once, however often that is said
    kept.put("third", "/long", sends=False)
    assert jobs(begun(kept)) == ["other"]


def test_one_that_waited_for_something_else_goes_on_among_the_slow():
    kept = with_dear("/long")
    kept.put("sheet", "/sheet", sends=False)
    (sheet,) = begun(kept)
    sheet.leave()
    sheet.go_on_slowly()
    kept.put("slow", "/long", sends=False)
    assert begun(kept) == []
    sheet.leave()
    assert jobs(begun(kept)) == ["slow"]


def test_an_address_that_was_dear_once_is_not_slow_for_that():
    kept = Lanes()
    kept.learn("/g/game/hand", 0.2)
    kept.put("form", "/g/game/hand", sends=False)
    kept.put("board", "/g/game/board", sends=False)
    assert jobs(begun(kept)) == ["form"], "both are quick, so one waits for the other"


def test_no_more_addresses_are_known_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(lanes, "MOST_KNOWN", 1)
    kept = with_dear("/long", "/other")
    kept.put("quick", "/board", sends=False)
    kept.put("forgotten", "/long", sends=False)
    kept.put("slow", "/other", sends=False)
    assert jobs(begun(kept)) == ["quick"]
