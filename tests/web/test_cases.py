"""What pages say and take, as data: each case of `cases/*.toml` is a game, what is done in it, and what is then so.

`game` is what differs from a European game of Ann, Ben and Cat, `record` what is recorded before. Then come steps: `do`
has several, in their order; `each` has rows, every one a case of its own over what the case itself says; else it is
one. A step does one thing. As alice, who records: `see` a page of the game, `look` at a form before saving, `save` it,
`refuse` it (422, nothing recorded), `send` it, `record` entries, send an `entry` as JSON. As a device without any
right: `open` or `post` any address, or read what `paper` would be printed there, line by line. `by` says who else does
it: "alice", or the number of a seat, whose phone may `count`. `with` is what is typed, after the usual fields of a
`form`, `ask` the query, `json` a body.

What must be so afterwards is in `CHECKS`, `TOLD` and `GAME`, by the names of a step's keys. A hand is written
"1 won, kalooki: 2 35, 3 KH QD; calls 2 4; absent 4". {code}, {made} (the game just
begun), {seen}, {secret}, {dealt_after}, {hand 1} stand for the
game's own, {x*9} for nine x, and as TOML has no null, "null" stands for it.
"""

import re
import tomllib
from pathlib import Path

import pytest

from tests.pages import START_FORM, Alice, Player, words
from tests.web.paper_reader import lines

pytestmark = pytest.mark.one_app

FILES = sorted((Path(__file__).parent / "cases").glob("*.toml"))
FORMS = {"start": START_FORM | {"dealer": "1", "unit": "0.10", "currency": "EUR", "submission": "s-1"}}
FORMS["paper"] = {"variant": "european", "names": "Ann, Ben, Cat, Dan", "dealt_first": "2", "day": "2024-02-29"}
FORMS["paper"] |= {"out_at": "limit", "money": "y", "currency": "EUR", "settle": "account", "submission": "paper-1"}
FINE = {200, 201, 302, 303}
USUAL = {"see": {200}, "open": {200}, "look": {200}, "save": {303}, "refuse": {422}}
USUAL |= {"send": FINE, "post": FINE, "count": {303}, "entry": FINE}
"""The status of each action where a step says nothing of it."""


def hand_of(text):
    """The event of a hand as a case writes it; what is no text is an event already."""
    if not isinstance(text, str):
        return text | ({"event": hand_of(text["event"])} if "event" in text else {})
    winner, ending, held, calls, absent = re.fullmatch(
        r"(\d+) won(?:, (\w+))?: ?([^;]*)(?:; calls ([^;]*))?(?:; absent (.*))?", text
    ).groups()
    left = dict(each.split(" ", 1) for each in held.split(", ") if each)
    event = {"kind": "hand", "winner": int(winner), "ending": ending or "going_out"}
    event["left"] = {seat: {"points": int(what)} if what.isdigit() else what for seat, what in left.items()}
    event |= {"calls": {seat: int(count) for seat, count in map(str.split, calls.split(", "))}} if calls else {}
    return event | ({"absent": [int(seat) for seat in absent.split()]} if absent else {})


def listed(what):
    return what if isinstance(what, list) else [what]


def linked(html, rule):
    """The words of every link to one of the game's rules."""
    found = re.findall(rf'(?s)<a[^>]*href="[^"]*/rules#{rule}"[^>]*>(.*?)</a>', html)
    return [" ".join(re.sub("<[^>]+>", " ", each).split()) for each in found]


def verdict(html):
    """The words of the verdict box."""
    box = re.search(r'<div class="verdict[^"]*".*?</div>\s*</div>', html, re.DOTALL)[0]
    return " ".join(re.sub(r"<[^>]+>", " ", box).split())


def value_of(html, name):
    """What a field of a form holds."""
    return re.search(r'value="([^"]*)"', re.search(rf'<input[^>]*name="{name}"[^>]*>', html)[0])[1]


def told(what, path):
    """What JSON says at a path such as players.*.total."""
    for number, key in enumerate(keys := path.split(".")):
        if key == "*":
            return [told(each, ".".join(keys[number + 1 :])) for each in what]
        what = what[int(key) if isinstance(what, list) else key]
    return what


def in_order(text, parts):
    places = [text.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


CHECKS = {
    # of the page, its words or its source
    "says": lambda page, said: [each for each in listed(said) if each not in words(page)] == [],
    "lacks": lambda page, said: [each for each in listed(said) if each in words(page)] == [],
    "html": lambda page, said: [each for each in listed(said) if each not in page + " ".join(page.split())] == [],
    "no_html": lambda page, said: [each for each in listed(said) if each in page] == [],
    "reads": lambda page, said: [each for each in listed(said) if not re.search(each, words(page))] == [],
    "match": lambda page, said: [each for each in listed(said) if not re.search(each, page)] == [],
    "no_match": lambda page, said: [each for each in listed(said) if re.search(each, page)] == [],
    "often": lambda page, said: {each: page.count(each) or words(page).count(each) for each in said} == said,
    "in_order": in_order,
    # of what an expression finds in its source
    "finds": lambda page, said: {each: [*map(told_alike, re.findall(each, page))] for each in said} == said,
    "finds_words": lambda page, said: {each: re.findall(each, words(page)) for each in said} == said,
    "finds_said": lambda page, said: {each: [*map(words, re.findall(each, page))] for each in said} == said,
    "first": lambda page, said: {each: re.search(each, page)[1] for each in said} == said,
    # of what stands in it
    "rules": lambda page, said: {each: linked(page, each) for each in said} == said,
    "fields": lambda page, said: {each: value_of(page, each) for each in said} == said,
    "read": lambda page, said: verdict(page) == said["verdict"],
    "begins": lambda page, said: verdict(page).startswith(said["verdict"]),
}
TOLD = {
    "tells": lambda json, said: {path: told(json, path) for path in said} == said,
    "json_has": lambda json, said: [path for path in said if said[path] not in told(json, path)] == [],
}
GAME = {
    "seen": lambda alice: alice.table.seen,
    "totals": lambda alice: alice.totals,
    "balances": lambda alice: [*alice.table.game.balances.values()],
    "events": lambda alice: alice.events(),
    "event": lambda alice: alice.events()[-1],
    "amended": lambda alice: alice.events()[-1]["event"],
    "status_of_game": lambda alice: alice.table.game.status,
    "shares": lambda alice: {str(seat): share for seat, share in alice.table.game.shares.items()},
    "winners": lambda alice: [*alice.table.game.winners],
    **{
        name: lambda alice, name=name: getattr(alice.table.game, name)
        for name in ("pool", "faults", "next_dealer", "order", "stakes", "first")
    },
}


def told_alike(found):
    return list(found) if isinstance(found, tuple) else found


def steps_of(case):
    """The rows of a case with their names: each is the steps of one test."""
    step = {key: value for key, value in case.items() if key not in ("title", "game", "record", "do", "each")}
    if "each" not in case:
        return [("", case.get("do", [step]))]
    typed = step.get("with", {})
    rows = [step | row | ({"with": typed | row.get("with", {})} if typed else {}) for row in case["each"]]
    return [(f" {number}", [row]) for number, row in enumerate(rows, 1)]


def is_long(steps):
    return any("long" in step for step in steps)


def cases_of(path):
    """What a file tells, as parameters of the test."""
    told = tomllib.loads(path.read_text(encoding="utf-8"))["case"]
    return [
        pytest.param(case, steps, id=f"{path.stem}: {case['title']}{number}", marks=[pytest.mark.long] * is_long(steps))
        for case in told
        for number, steps in steps_of(case)
    ]


def check(page, step):
    page = re.search(step["within"], page)[0] if "within" in step else page
    for name in CHECKS.keys() & step.keys():
        assert CHECKS[name](page, step[name]), (name, step[name], words(page))


class Played:
    """One case: the game begins with the first step that needs it."""

    def __init__(self, app, case):
        self.app, self.case, self.visitor = app, case, app.test_client()
        self.phones, self.made, self._alice = {}, "", None

    @property
    def alice(self):
        if self._alice is None:
            self._alice = Alice(self.app, **self.filled(self.case.get("game", {})))
            self._alice.record(*map(hand_of, self.filled(self.case.get("record", []))))
        return self._alice

    def own(self, found):
        """What an abbreviation of a case stands for."""
        if found[2]:
            return found[1] * int(found[2])
        if found[3] == "made":
            return self.made
        table = self.alice.table
        own = {"code": self.alice.code, "seen": table.seen, "dealt_after": table.dealt_after}
        own |= {"secret": self.alice.scorer.secret}
        own |= {f"hand {number}": hand.entry for number, hand in enumerate(table.game.hands, 1)}
        return str(own[found[3]])

    def filled(self, what):
        """What a case says, with its abbreviations written out."""
        if isinstance(what, dict):
            return {self.filled(key): self.filled(value) for key, value in what.items()}
        if isinstance(what, list):
            return [self.filled(each) for each in what]
        if not isinstance(what, str):
            return what
        abbreviations = r"\{([^{}]+)\*(\d+)\}|\{(code|made|seen|dealt_after|secret|hand \d+)\}"
        return None if what == "null" else re.sub(abbreviations, self.own, what)

    def phone(self, seat):
        """The phone of a seat, which has joined."""
        return self.phones.setdefault(seat, self.phones.get(seat) or Player(self.alice, seat))

    def answer(self, action, step):
        """The response to what a step does."""
        what, typed, by = step[action], dict(step.get("with", {})), step.get("by")
        typed = FORMS.get(typed.pop("form", ""), {}) | typed
        if action in ("open", "post"):
            device = self.alice.client if by == "alice" else self.visitor
            if action == "open":
                return device.get(what, query_string=step.get("ask"), headers=step.get("headers"))
            sent = {"json": step["json"]} if "json" in step else {"data": typed}
            return device.post(what, headers=step.get("headers"), **sent)
        if action == "count":
            return self.phone(by).count(**what)
        if action == "entry":
            return self.alice.scorer.send(hand_of(what), **typed)
        if action == "see":
            return (self.phone(by) if by else self.alice).get(what)
        do = {"look": "preview", "save": "save"}.get(action)
        return self.alice.sent(what, typed | ({"do": do} if do else {}))

    def play(self, step):
        """Do a step, and check what it says of the answer and of the game."""
        if "record" in step:
            self.alice.record(*map(hand_of, self.filled(step["record"])))
        step = self.filled(step)
        if "paper" in step:
            check("\n".join(lines(self.visitor, step["paper"], **step.get("ask", {}))), step)
        for action in USUAL.keys() & step.keys():
            before = self._alice and self.alice.table.seen
            answer = self.answer(action, step)
            statuses = {step["status"]} if "status" in step else USUAL[action] | (FINE if "to" in step else set())
            assert answer.status_code in statuses, words(answer.text)
            assert answer.location == step.get("to", answer.location)
            if answer.status_code in (201, 303):
                self.made = answer.json["code"] if answer.is_json else answer.location.removeprefix("/g/")
            check(answer.text, step)
            for name in TOLD.keys() & step.keys():
                assert TOLD[name](answer.json, step[name]), (name, step[name], answer.json)
            if before and (action in ("look", "refuse") or "keeps" in step):
                assert self.alice.table.seen == before
        for name in GAME.keys() & step.keys():
            hands = {"event": hand_of, "amended": hand_of, "events": lambda events: [*map(hand_of, events)]}
            assert GAME[name](self.alice) == hands.get(name, lambda said: said)(step[name]), name


@pytest.mark.parametrize(("case", "steps"), [case for path in FILES for case in cases_of(path)])
def test_pages_say_and_take_what_their_case_tells(app, case, steps):
    asserted = {*CHECKS, *TOLD, *GAME, "to", "status", "keeps", "refuse"}
    assert any(step.keys() & asserted for step in steps), "says nothing of what must be so"
    played = Played(app, case)
    for step in steps:
        played.play(step)
