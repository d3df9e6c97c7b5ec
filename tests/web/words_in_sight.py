"""The words a page shows before any tap: no closed fold, nothing hidden or only read aloud."""

import re
from html.parser import HTMLParser

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
UNSEEN = {"head", "script", "style", "template", "datalist", "noscript"}


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
