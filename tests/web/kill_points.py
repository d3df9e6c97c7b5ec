"""A command of the product that kills itself where it touches a file in a folder, or says anything to a database."""

import io
import os
import re
import runpy
import signal
import sys
from contextlib import suppress
from pathlib import Path

import sqlalchemy as sa

from tests.examples import IS_SHORT
from tests.process_pool import PROCESSES

TOUCHES = {"open", "os.link", "os.remove", "os.rename", "sqlite3.connect"}
DECIDES = {"commit", "os.link", "os.rename"}
TO_THE_END = re.compile(r"touched (\d+) (\d+)\n")
NEVER = 0


def struck(at, folder, *command, on="sqlite://"):
    """Run a command until it touches something for the `at`-th time.

    Where it ends first: how often it did, and when it last committed something or put it in its place.
    """
    told = [f"{folder}/printed-{at}", f"{folder}/complained-{at}"]
    code = f"from tests.web.kill_points import run; run({at}, {str(folder)!r}, {[*map(str, command)]!r})"
    PROCESSES.fork(code, os.environ | {"SECRET_KEY": "test", "DATABASE_URL": on}, told).wait(120)
    ended = TO_THE_END.search(Path(told[0]).read_text())
    for each in told:
        Path(each).unlink()
    return (int(ended[1]), int(ended[2])) if ended else None


def some_of(points):
    """In every run the moment before all that was prepared comes into force, and the next one."""
    last, decided = points
    return [decided, decided + 1] if IS_SHORT else [*range(1, decided - 9, 15), *range(decided - 9, last)]


def is_written_to(connection):
    return connection.get_execution_options().get("writes", False)


def run(at, folder, command):
    """Be that command, or a module of the tests with its arguments; whatever it asks, the answer is yes."""
    touched = decided = 0

    def touch(name):
        nonlocal touched, decided
        touched += 1
        decided = touched if name in DECIDES else decided
        if touched == at:
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(name, about):
        if name in TOUCHES and str(about[0]).removeprefix("file:").startswith(folder):
            touch(name)

    sys.addaudithook(audit)
    sa.event.listen(sa.Engine, "before_cursor_execute", lambda *_: touch("statement"))
    sa.event.listen(sa.Engine, "commit", lambda on: touch("commit" if is_written_to(on) else "statement"))
    of_tests = command[0].startswith("tests.")
    sys.argv, sys.stdin = command if of_tests else ["flask", "--app", "app", *command], io.StringIO("y\n")
    with suppress(SystemExit):
        runpy.run_module(command[0] if of_tests else "flask", run_name="__main__", alter_sys=True)
    print("touched", touched, decided)
