"""What a scorer enters besides hands, as its page would send it."""

from tests.pages import words


def send(alice, kind, /, **fields):
    """The form sent as its page would send it, from the newest state."""
    return alice.sent(f"/enter/{kind}", fields)


def look(alice, kind, /, **fields):
    """The words of the page between entering and saving; nothing is recorded by it."""
    before = alice.table.seen
    answer = send(alice, kind, do="preview", **fields)
    assert answer.status_code == 200, words(answer.text)
    assert alice.table.seen == before
    return words(answer.text)


def save(alice, kind, /, **fields):
    """The event recorded by the form."""
    answer = send(alice, kind, do="save", **fields)
    assert answer.status_code == 303, words(answer.text)
    return alice.events()[-1]


def refused(alice, kind, /, **fields):
    """The page that says why nothing was recorded."""
    before = alice.table.seen
    answer = send(alice, kind, **fields)
    assert answer.status_code == 422
    assert alice.table.seen == before
    return answer.text
