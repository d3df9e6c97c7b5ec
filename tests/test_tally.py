"""What a server counts of itself is neither lost nor counted twice, whichever of its processes ends."""

import os
import socket

import pytest

from app import tally
from app.serving.metrics import SAYS, counted, show, text


@pytest.fixture
def rooms():
    """Two rooms as the server makes them for its processes."""
    file = os.memfd_create("tally")
    os.ftruncate(file, 2 * tally.ROOM)
    yield lambda: tally.shared_rooms(file, 2)
    os.close(file)


def counting(room):
    own = tally.Tally()
    own.keep_in(room)
    return own


def test_all_processes_are_added_up(rooms):
    here, there = (counting(room) for room in rooms())
    here.add("kalooki_streams", 3)
    here.add('kalooki_saves_total{outcome="Saved"}')
    there.add("kalooki_streams", 2)
    there.add("kalooki_streams", -1)
    there.add('kalooki_saves_total{outcome="Stale"}', 2)
    told = counted(rooms())
    assert told["kalooki_streams"] == 4
    assert told['kalooki_saves_total{outcome="Saved"}'] == 1
    assert told['kalooki_saves_total{outcome="Stale"}'] == 2


def test_whoever_replaces_a_process_goes_on_counting_where_it_was(rooms):
    """Its phones have gone with it."""
    first = counting(rooms()[1])
    first.add("kalooki_press_seconds_total", 1.5)
    first.add("kalooki_streams", 7)
    second = counting(rooms()[1])
    second.add("kalooki_streams")
    second.add("kalooki_press_seconds_total", 0.25)
    second.add("kalooki_press_pages_total")
    told = tally.read(rooms()[1])
    assert told == {"kalooki_press_seconds_total": 1.75, "kalooki_streams": 1, "kalooki_press_pages_total": 1}


def test_what_finds_no_room_is_left_out():
    own = counting(memoryview(bytearray(256)))
    for name in ("a_total", "b_total", "c_total", "a_total"):
        own.add(name)
    own = counting(memoryview(bytearray(256)))
    own.add("x" * 121)
    assert tally.read(own.room) == {}
    own.add("x" * 120)
    assert tally.read(own.room) == {"x" * 120: 1}


def test_it_is_told_as_prometheus_reads_it():
    numbers = {
        'kalooki_requests_total{endpoint="games.show",status="2xx"}': 12.0,
        'kalooki_requests_total{endpoint="",status="4xx"}': 1.0,
        "kalooki_press_seconds_total": 0.125,
        "kalooki_streams": 0.0,
    }
    assert text(numbers).splitlines() == [
        "# HELP kalooki_requests_total Requests answered, by endpoint and kind of answer",
        "# TYPE kalooki_requests_total counter",
        'kalooki_requests_total{endpoint="",status="4xx"} 1',
        'kalooki_requests_total{endpoint="games.show",status="2xx"} 12',
        "# HELP kalooki_streams Phones that keep a stream of news open",
        "# TYPE kalooki_streams gauge",
        "kalooki_streams 0",
        "# HELP kalooki_press_seconds_total Seconds the press took to make them",
        "# TYPE kalooki_press_seconds_total counter",
        "kalooki_press_seconds_total 0.125",
    ]


def test_memory_and_release_are_told_without_being_counted():
    told = counted([])
    assert told["kalooki_memory_bytes"] > 10_000_000
    assert [name for name in told if name not in SAYS] == [name for name in told if name.startswith("kalooki_info{")]


def test_a_port_that_is_taken_is_refused_by_name():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(SystemExit, match=f"METRICS={port} cannot be used .*: choose another port"):
            show(port, [])
