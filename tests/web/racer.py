"""One of several processes recording into the same game: ``racer URL CODE NAME COUNT``.

Each event is sent twice with one submission, as a phone does whose answer was lost. Prints the
entry number each submission got.
"""

import sys

from app import create_app, store
from app.games import recording
from app.kalooki.game.events import Void


def main(url, code, name, count):
    app = create_app({"DATABASE_URL": url, "SECRET_KEY": "test"})
    with app.app_context():
        for number in range(int(count)):
            submission = f"{name}-{number}"
            first = record(code, submission, store.version(code).seen)
            again = recording.save(code, Void(submission), 0, submission, name)
            print(submission, first.entry, again.entry, again.is_repeated)


def record(code, submission, seen):
    """Record after the newest entry, however often somebody else is quicker."""
    outcome = recording.save(code, Void(submission), seen, submission, "racer")
    return outcome if outcome.entry else record(code, submission, outcome.record.seen)


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    main(*sys.argv[1:])
