"""The walk of a printed sheet through the rooms of `app/`, and what the child that prints it loads.

The game is followed from the view's `_printed` to the press: a stay is a run of calls inside one room that are handed
the table, its story or its game. What a value says of itself is no call of a room: methods are not counted, nor the
turns of a generator after its first. The child is asked once it has made the sheet with which it warms up.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from itertools import groupby, pairwise
from types import FrameType
from typing import Any

from app import create_app, store
from app.bootstrap import ROOT
from app.games.recording import Table
from app.history.story import Story
from app.kalooki.game.state import Game
from app.sheets import pdf_press
from app.sheets.paper import A4
from app.views.print import game as view
from tests.bench.sheets import evening

GOAL = 25
FOLLOWED = (Table, Story, Game)
GROUND = "kalooki"
NEVER = ("flask", "sqlalchemy", "app.store", "app.games", "app.views")
CHILD = """
import json, sys
from app.sheets import pdf_worker
pdf_worker.make(pdf_worker.TRIAL)
print(json.dumps(sorted(sys.modules)))
"""


class Walk:
    """Notes the rooms the game is handed through."""

    def __init__(self) -> None:
        self.rooms: list[str] = []
        self.frames: list[FrameType] = []

    def note(self, frame: FrameType, what: str, _more: Any) -> None:
        name = frame.f_globals.get("__name__", "")
        if what != "call" or not name.startswith("app.") or frame in self.frames:
            return
        code = frame.f_code
        given = [frame.f_locals.get(each) for each in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]]
        if code.co_varnames[:1] != ("self",) and any(isinstance(each, FOLLOWED) for each in given):
            self.frames.append(frame)
            self.rooms.append(name)


class Pressed(Exception):
    """The sheet has reached the press."""


def walked(app: Any, table: Table) -> list[str]:
    """The modules the game is handed to, call by call, from the view to the press."""
    walk = Walk()
    make, pdf_press.make = pdf_press.make, arrived
    with app.test_request_context("/?print=large"):
        sys.setprofile(walk.note)
        try:
            view._printed(table, A4)
        except Pressed:
            pass
        finally:
            sys.setprofile(None)
            pdf_press.make = make
    return walk.rooms


def arrived(_job: object) -> bytes:
    raise Pressed


def room(module: str) -> str:
    return module.split(".")[1]


def main(*, tiny: bool = False) -> int:
    """Print the walk and what the child loads; 1 if either is worse than its goal."""
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"DATABASE_URL": f"sqlite:///{folder}/games.db", "SECRET_KEY": "bench", "TESTING": True})
        with app.test_request_context("/"):
            table = evening(app.test_client())
        calls = walked(app, table)
        store.close_database(app)
    stays = [name for name, _ in groupby(map(room, calls))]
    past = [(before, name) for before, name in pairwise(stays) if name == GROUND and before != "telling"]
    print(
        f"{len(stays)} stays in {len(set(stays))} rooms (goal: under {GOAL}), {len(calls)} calls: {' > '.join(stays)}"
    )
    print(f"{len(past)} calls past telling to the game below it (goal: none)")
    loaded = modules_of_child()
    wrong = [name for name in loaded if name.startswith(NEVER)]
    ours = [name for name in loaded if name.startswith("app")]
    print(f"the printing child loads {len(loaded)} modules, of ours {' '.join(ours)}")
    print(f"of {', '.join(NEVER)}: {' '.join(wrong) or 'none'}")
    return int(len(stays) >= GOAL or bool(past) or bool(wrong))


def modules_of_child() -> list[str]:
    """The modules of a process that has made a sheet as the press's child does."""
    command = [sys.executable, "-c", CHILD]
    done = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True)
    loaded: list[str] = json.loads(done.stdout)
    return loaded
