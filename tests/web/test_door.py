"""The door looks at nobody but who enters, leaves, rests or works there: its loop serves everybody else meanwhile."""

import sys

import pytest

from app.serving.server import Door

FEW, MANY = 10, 10_000


def steps_of(act):
    """How many instructions of Python an act takes, however busy the machine is."""
    done = 0

    def count(frame, event, _):
        nonlocal done
        frame.f_trace_opcodes = True
        done += event == "opcode"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        act()
    finally:
        sys.settrace(before)
    return done


def full_of(addresses):
    """A door with room left, two connections of each address inside, the first of each at work."""
    door = Door(most=3 * MANY, most_each=3)
    for number in range(addresses):
        for each in ("first", "second"):
            door.enter((number, each), f"2001:db8::{number}")
        door.work((number, "first"))
    return door


def leave_alone(door):
    """The last connection of its address leaves, with which the address is forgotten."""
    door.leave((3, "first"))
    return lambda: door.leave((3, "second"))


ACTS = {
    "an address comes": lambda door: lambda: door.enter("new", "2001:db8:1::1"),
    "one more of an address comes": lambda door: lambda: door.enter("new", "2001:db8::3"),
    "one of two leaves": lambda door: lambda: door.leave((3, "first")),
    "the last of an address leaves": leave_alone,
    "one that left leaves again": lambda door: lambda: door.leave("gone"),
    "one rests": lambda door: lambda: door.rest((3, "first")),
    "one works": lambda door: lambda: door.work((3, "second")),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_it_takes_as_many_steps_among_ten_addresses_as_among_ten_thousand(act):
    few, many = (steps_of(act(full_of(addresses))) for addresses in (FEW, MANY))
    assert 0 < few == many
