"""The words a page shows before any tap: no closed fold, nothing hidden or only read aloud."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from app.kalooki.variants import all_variants

PLAYED = {
    "every": [variant.id for variant in all_variants()],
    "by-points": ["european", "north-american", "south-african", "kalooki-51", "kalooki-40", "classic"],
    "of-europe": ["european", "north-american", "south-african"],
    "first-draw-free": ["european", "north-american", "south-african"],
    "to-open-only": ["european", "north-american", "south-african", "kalooki-40"],
    "opened-by-melds": ["european", "south-african", "kalooki-51", "kalooki-40"],
    "opened-by-melds-or-free": ["european", "south-african", "kalooki-51", "kalooki-40", "classic"],
}
"""What some variants have in common: no contracts, so that jokers leave melds; the discard before the opening …"""
LISTED = Path(__file__).with_name("exceptions_in_sight.txt")

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
UNSEEN = {"head", "script", "style", "template", "datalist", "noscript"}


class Turning(NamedTuple):
    """What would turn a ruling, and where it is played; of a mishap, also when that was noticed."""

    played: list
    slug: str
    when: str
    words: str


def exceptions():
    """The exceptions that must be in sight, as they are listed."""
    lines = [line for line in LISTED.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    for played, slug, when, words in (line.split(" | ") for line in lines):
        yield Turning(PLAYED.get(played, played.split()), slug, when.strip("-"), words)


def words_in_sight(html):
    """The words of a page, or of a part of one, in their order; of a choice only the option chosen.

    >>> words_in_sight("<p>It stands – play on.</p><details><summary>Why</summary>Later, what was played …</details>")
    ['It', 'stands', 'play', 'on.', 'Why']
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return re.findall(r"\S*\w\S*", " ".join(reader.seen))


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = []
        self.inside = [("", True, False)]
        """The open tags: name, whether its text is in sight, whether it is a closed fold (only its summary is)."""

    def handle_starttag(self, tag, attrs):
        if tag in VOID:
            return
        about = dict(attrs)
        _, in_sight, folded = self.inside[-1]
        hidden = tag in UNSEEN or "hidden" in about or "visually-hidden" in (about.get("class") or "").split()
        hidden |= folded and tag != "summary"
        hidden |= tag == "option" and "selected" not in about
        in_sight = not hidden and in_sight
        self.inside.append((tag, in_sight, tag == "details" and "open" not in about))

    def handle_endtag(self, tag):
        if any(tag == name for name, *_ in self.inside):
            while self.inside.pop()[0] != tag:
                pass

    def handle_data(self, text):
        _, in_sight, folded = self.inside[-1]
        if in_sight and not folded:
            self.seen.append(text)
