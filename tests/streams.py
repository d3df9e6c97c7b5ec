"""A stream of live updates in this process, as a server hears it that offers to keep streams open."""

from queue import SimpleQueue

from app.config import KEEP_OPEN


class Stream:
    """What a phone that opens a stream is answered, and what is told it from then on."""

    def __init__(self, alice):
        self._kept = []
        offer = {KEEP_OPEN: self._kept.append}
        answer = alice.client.get(f"/g/{alice.code}/live", environ_overrides=offer)
        self.status, self.first_word = answer.status_code, answer.data
        self._told = SimpleQueue()
        for kept in self._kept:
            kept.start(self._told.put)

    def next(self):
        """What it is told next; None at the end."""
        return self._told.get(timeout=20)

    def close(self):
        for kept in self._kept:
            kept.close()
