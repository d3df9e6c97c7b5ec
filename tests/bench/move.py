"""`move [GAMES]`: so many games go from SQLite to PostgreSQL and back, with rights, counts and appeals.

All rows are compared on both sides, and what `check-logs` says. The times of `move`, which checks every game on its
way, stand beside that of `backup`, which only copies.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from random import Random

from app import bootstrap, create_app, log
from tests.bench.faults import postgresql
from tests.bench.fold import a_record
from tests.web.earlier import dump

GAMES, TINY = 1_000, 5
LONGEST = 40
AT = "2026-11-21T19:00:00Z"


def main(games: int = GAMES, *, tiny: bool = False) -> int:
    """All of it; 1 when anything differs."""
    games = TINY if tiny else games
    with tempfile.TemporaryDirectory() as folder, postgresql() as there:
        if there is None:
            print("PostgreSQL is not installed here: skipped, differences: 0")
            return 0
        here, back = f"sqlite:///{folder}/here.db", f"sqlite:///{folder}/back.db"
        make(here, games)
        print(f"{games} games, {sum(map(len, dump(here).values()))} rows")
        print(f"backup of SQLite: {took('backup', f'{folder}/one.db', on=here):.1f} s", flush=True)
        print(f"moved there: {took('move', here, there):.1f} s", flush=True)
        print(f"backup of PostgreSQL: {took('backup', f'{folder}/two.db', on=there):.1f} s", flush=True)
        print(f"moved back: {took('move', there, back):.1f} s", flush=True)
        others = (there, back, f"sqlite:///{folder}/one.db", f"sqlite:///{folder}/two.db")
        sound = said("check-logs", on=here)
        differing = sum(dump(url) != dump(here) or said("check-logs", on=url) != sound for url in others)
    print(f"differences: {differing}")
    return int(differing > 0)


def make(url: str, games: int) -> None:
    """Games of two to forty entries; some have all that phones say, some were deleted."""
    chance = Random(19)
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    with app.app_context():
        for number in range(games):
            record = a_record(chance.randint(2, LONGEST), chance)
            entries = [log.StoredEntry(seq, event, "Ann’s phone", AT) for seq, event in enumerate(record, 1)]
            code = log.import_log(entries, f"game-{number}", "Ann’s phone").code
            seat = chance.randint(1, 4)
            log.mint(code, chance.choice(["watch", "player", "recovery"]), seat, "Ben’s phone")
            log.hand_in(code, len(entries), seat, "K Q")
            log.make_appeal(code, chance.choice(log.APPEALS), seat, "Ben’s phone", 60)
            log.propose(code, len(entries), {"kind": "void", "reason": "misdeal"})
            if not chance.randrange(20):
                log.delete(code)
    log.close_database(app)


def took(*command: str, on: str = "sqlite://") -> float:
    """The seconds of a command in a process of its own."""
    began = time.monotonic()
    said(*command, on=on)
    return time.monotonic() - began


def said(*command: str, on: str) -> str:
    settings = os.environ | {"SECRET_KEY": "test", "DATABASE_URL": on}
    full = [sys.executable, "-m", "flask", "--app", "app", *command]
    return subprocess.run(full, check=True, cwd=bootstrap.ROOT, env=settings, stdout=subprocess.PIPE, text=True).stdout
