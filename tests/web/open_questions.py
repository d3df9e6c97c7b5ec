"""A hand that alice's phone previews, and seated phones are asked about."""

from datetime import UTC, datetime, timedelta

from tests.pages import hand

TYPED = {"winner": "1", "ending": "going_out", "left_2": "20", "left_3": "35"}
SAVED = hand(1, s2=20, s3=35)


def look(alice, **changed):
    """The scorer's phone previews a hand."""
    return alice.send("/hand/preview", **TYPED | changed)


def later(app, seconds):
    """Move the clock forward by some seconds, where it stops."""
    moment = datetime.now(UTC) + timedelta(seconds=seconds)
    app.config["CLOCK"] = lambda: moment
