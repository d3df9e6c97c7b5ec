"""One of several processes recording at once: ``racer URL CODES NAME COUNT``, a thread for each code.

Each event is sent twice with one submission, as a phone does whose answer was lost. Prints the
entry number each submission got.
"""

import sys
from itertools import chain

from app import create_app
from app.games import recording
from app.games.recording import Stale
from app.kalooki.game.events import Penalty
from app.store import opening
from app.store.database import version
from tests.web.in_parallel import at_once


def main(url, codes, name, count):
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})

    def run(thread):
        lines = []
        for number in range(int(count)):
            submission = f"{name}-{thread}-{number}"
            first = record(codes[thread], submission)
            again = recording.save(codes[thread], penalty(submission), 0, submission, name)
            lines.append(f"{codes[thread]} {submission} {first.entry} {again.entry} {again.is_repeated}")
        return lines

    codes = codes.split()
    for line in chain(*at_once(app, len(codes), run)):
        print(line)
    opening.close_database(app)


def penalty(submission):
    return Penalty(seat=1, points=1, reason=submission)


def record(code, submission):
    """Record after the newest entry, however often somebody else is quicker."""
    outcome = recording.save(code, penalty(submission), version(code).seen, submission, "racer")
    while isinstance(outcome, Stale):
        outcome = recording.save(code, penalty(submission), outcome.record.seen, submission, "racer")
    return outcome


if __name__ == "__main__":
    main(*sys.argv[1:])
