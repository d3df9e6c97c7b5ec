"""A machine whose clock is wrong deletes no games: it waits for a week of running, added up over starts."""

import os
import pty
import sys

import pytest

from app import create_app, log, retention
from tests.clock import Clock
from tests.conftest import ROOT
from tests.matrix import some
from tests.pages import words
from tests.server import flask

START = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"]}
A_WEEK = 168


class Machine:
    """A server that keeps games for a year; its hours pass when a test says so, and its clock is what a test says."""

    def __init__(self, url):
        self.url = url
        self.clock = Clock()
        self.starts = 0
        self.start()

    def start(self):
        self.app = create_app({"DATABASE_URL": self.url, "SECRET_KEY": "test", "KEEP_DAYS": "365", "CLOCK": self.clock})

    def stop(self):
        log.close_database(self.app)

    def play(self):
        self.starts += 1
        with self.app.app_context():
            return log.new_game(START, f"game-{self.starts}", "Ann").code

    def run(self, hours):
        for _ in range(hours):
            self.clock.move(hours=1)
            with self.app.app_context():
                retention.after_another_hour(self.app)

    @property
    def games(self):
        with self.app.app_context():
            return list(log.codes())

    @property
    def says(self):
        return words(self.app.test_client().get("/privacy").text)


@pytest.fixture(params=some(["sqlite", "postgresql"], "sqlite"))
def machine(request, tmp_path):
    url = f"sqlite:///{tmp_path / 'games.db'}"
    machine = Machine(url if request.param == "sqlite" else request.getfixturevalue("postgresql")())
    yield machine
    if log.is_open(machine.app):
        machine.stop()


@pytest.fixture
def on_time(machine):
    """A machine with a game of two years ago and one of today, which has run an hour on the right clock."""
    machine.clock.move(days=-730)
    machine.old = machine.play()
    machine.clock.move(days=730)
    machine.new = machine.play()
    return machine


def test_a_game_that_is_old_by_a_right_clock_goes_after_an_hour(on_time):
    assert on_time.games == [on_time.old, on_time.new]
    assert "Just now it deletes nothing" not in on_time.says
    on_time.run(hours=1)
    assert on_time.games == [on_time.new]


def test_a_start_with_the_clock_ahead_deletes_nothing_and_says_so(on_time, caplog):
    """As the Pi did: 400 days ahead, this evening's game was gone for good."""
    on_time.run(hours=1)
    on_time.stop()
    on_time.clock.move(days=400)
    on_time.start()
    assert "when it has run for 7 more days" in on_time.says
    on_time.run(hours=100)
    assert on_time.games == [on_time.new]
    assert "for 3 more days" in on_time.says
    assert "nothing is deleted until the server has run for 168 more hours" in caplog.text
    on_time.clock.move(days=-400)  # the network is there, and the clock is right
    on_time.run(hours=300)
    assert on_time.games == [on_time.new]
    assert "Just now it deletes nothing" not in on_time.says


def test_the_week_is_added_up_over_starts(on_time):
    on_time.run(hours=1)
    on_time.clock.move(days=400)
    on_time.run(hours=1)  # from now on, seven days
    for _ in range(8):
        on_time.stop()
        on_time.clock.move(days=1)
        on_time.start()
        on_time.run(hours=20)
    assert on_time.games == [on_time.new]
    on_time.run(hours=7)
    assert on_time.games == [on_time.new]
    assert "for 1 more days" in on_time.says
    on_time.run(hours=1)
    assert on_time.games == []


def test_a_clock_that_jumps_waits_even_where_it_spares_a_game(on_time):
    """Only the old one would go, but nobody knows whether it is old."""
    on_time.clock.move(days=31)
    on_time.run(hours=A_WEEK)
    assert on_time.games == [on_time.old, on_time.new]
    on_time.run(hours=1)
    assert on_time.games == [on_time.new]


def test_a_month_without_running_is_short_of_a_doubt(on_time):
    on_time.run(hours=1)
    on_time.play()
    on_time.clock.move(days=29)
    on_time.run(hours=1)
    assert "Just now it deletes nothing" not in on_time.says


def test_where_every_game_would_go_they_wait(machine):
    only = machine.play()
    for _ in range(366):
        machine.clock.move(days=1)
        machine.run(hours=1)  # it runs an hour each day, so its clock is in no doubt
    assert machine.games == [only]
    machine.run(hours=A_WEEK + 1)
    assert machine.games == []
    assert "Just now it deletes nothing" not in machine.says


def test_two_processes_of_one_server_count_an_hour_once(on_time):
    on_time.clock.move(days=31)
    second = create_app(on_time.app.config | {"DATABASE_URL": on_time.url})
    for _ in range(A_WEEK):
        on_time.run(hours=1)
        with second.app_context():
            retention.after_another_hour(second)
    log.close_database(second)
    assert on_time.games == [on_time.old, on_time.new]
    on_time.run(hours=1)
    assert on_time.games == [on_time.new]


# ---- forget


def test_forget_without_anybody_obeys_the_same_caution(on_time):
    on_time.run(hours=1)
    on_time.clock.move(days=400)
    done = on_time.app.test_cli_runner().invoke(args=["forget"])
    assert done.exit_code == 1
    assert "nothing is deleted until the server has run for 168 more hours" in done.output
    assert "say this at a terminal" in done.output
    assert on_time.games == [on_time.new]


def forget_daily(machine, days):
    """How each day's ``forget`` ends, where nothing else notes that the server runs; a timer is never quite on time."""
    for _ in range(days):
        machine.clock.move(days=1, seconds=-5)
        yield machine.app.test_cli_runner().invoke(args=["forget"]).exit_code


@pytest.mark.parametrize("once_noted", some([True, False], True))
def test_under_another_server_a_daily_forget_serves_out_the_week_itself(on_time, once_noted):
    """First because ``python3 -m app`` ran long ago, if ever; then because every game is old."""
    if once_noted:
        on_time.run(hours=1)
        on_time.play()  # and the oldest is gone
    on_time.clock.move(days=400)
    assert list(forget_daily(on_time, 8)) == [1] * 7 + [0]
    assert on_time.games == []
    on_time.play()
    assert list(forget_daily(on_time, 366)) == [0] * 365 + [1]
    assert list(forget_daily(on_time, 7)) == [1] * 6 + [0]
    assert on_time.games == []


def test_forget_again_and_again_counts_no_more_than_the_time_that_passed(on_time):
    on_time.clock.move(days=400)
    assert on_time.app.test_cli_runner().invoke(args=["forget"]).exit_code == 1
    for _ in range(A_WEEK * 2 - 1):
        on_time.clock.move(minutes=30)
        assert on_time.app.test_cli_runner().invoke(args=["forget"]).exit_code == 1
    on_time.clock.move(minutes=30)
    assert on_time.app.test_cli_runner().invoke(args=["forget"]).exit_code == 0
    assert on_time.games == []


def at_a_terminal(typed, url):
    """What ``forget`` prints to a person, who answers; and how it ends."""
    settings = {"DATABASE_URL": url, "SECRET_KEY": "test", "KEEP_DAYS": "365", "CI": ""}
    child, terminal = pty.fork()
    if not child:
        os.chdir(ROOT)
        command = [sys.executable, "-m", "flask", "--app", "app", "forget"]
        os.execve(sys.executable, command, os.environ | settings)  # noqa: S606 - needs no shell
    os.write(terminal, typed.encode())
    said = b""
    try:
        while part := os.read(terminal, 4096):
            said += part
    except OSError:
        pass  # the end of a terminal
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.decode()


def test_at_a_terminal_forget_asks(tmp_path):
    """The system's own clock is used: the game is of 2001."""
    machine = Machine(f"sqlite:///{tmp_path / 'games.db'}")
    machine.clock.move(days=-9000)
    machine.play()
    machine.stop()
    assert flask("forget", settings={"DATABASE_URL": machine.url, "KEEP_DAYS": "365"}).returncode == 1
    status, said = at_a_terminal("n\n", machine.url)
    assert (status, "Delete 1 of 1 games, for good? [y/N]" in said, "nothing was deleted" in said) == (1, True, True)
    assert "every game is old" in said
    status, said = at_a_terminal("y\n", machine.url)
    assert (status, "1 games deleted" in said) == (0, True)
    machine.start()
    assert machine.games == []
    machine.stop()
