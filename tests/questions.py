"""What people ask: questions of many writers (`kalooki/questions`), our own wordings, and what nothing answers.

A line of a writer is the answer's slug and a question. `find.weights` is learned from all of them, but never from
`kalooki/unanswerable.txt`.
"""

from hashlib import sha256
from pathlib import Path
from tomllib import loads
from typing import NamedTuple

from app.kalooki.rules import find

HERE = Path(__file__).parent / "kalooki"
UNANSWERABLE = HERE / "unanswerable.txt"
"""Questions about the game that no answer settles: measured with, never learned from."""


class Asked(NamedTuple):
    slug: str
    text: str

    @property
    def family(self):
        return find.family_of(self.slug)


def by_writer():
    """The questions of each writer."""
    return {file.stem: [*_asked(file)] for file in sorted((HERE / "questions").glob("*.tsv"))}


def _asked(file):
    for line in file.read_text("utf-8").splitlines():
        slug, text = line.split("\t")
        yield Asked(slug, text)


def wordings():
    """Our own wordings, by the slug of the answer."""
    return loads((HERE / "wordings.toml").read_text("utf-8"))


def ours():
    """Our own wordings, as questions; and what tables talk about that no answer settles."""
    nothing = (Asked(find.NOTHING, line) for line in (HERE / "nothing.txt").read_text("utf-8").splitlines())
    return [*(Asked(slug, text) for slug, texts in wordings().items() for text in texts), *nothing]


def unanswerable():
    return UNANSWERABLE.read_text("utf-8").splitlines()


def unlearned():
    """Questions of somebody nothing is learned from, each with the variant it was asked in."""
    rows = (line.split("\t") for line in (HERE / "unlearned.tsv").read_text("utf-8").splitlines())
    return [(variant, Asked(slug, text)) for slug, variant, text in rows]


def learned():
    """Every question the weights are learned from."""
    return [*(asked for questions in by_writer().values() for asked in questions), *ours()]


def made_from(apart="family"):
    """What weights depend on, as a number: the questions, what is told apart ("family" or "slug"), how one is read."""
    told = [
        (getattr(asked, apart), asked.text, sorted(find.count_pieces(asked.text)) if at % 50 == 0 else "")
        for at, asked in enumerate(learned())
    ]
    return sha256(repr(told).encode()).hexdigest()[:16]
