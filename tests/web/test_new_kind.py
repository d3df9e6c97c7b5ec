"""A new kind of entry is four pieces: its event, what it does, its form and its words; all else follows from them."""

import pytest

from app.kalooki.game.apply import EFFECTS, SEATS
from app.kalooki.game.events import KINDS, schemas
from app.kalooki.rules.wording import names
from app.views.game.entries import FORMS
from tests.product_copy import copied, visited

pytestmark = pytest.mark.one_app

EVENT = '''class Round(Event, kind="round"):
    """A player buys a round: points off their score."""

    seat: int = read_by(readers.seat)
    points: int = read_by(readers.whole(1, 100))


'''
STEP = """def _round(game: Game, number: int, event: events.Round) -> Faults:
    player = game.players[event.seat]
    player.total -= event.points
    game.note_change(number, player, "round")
    return []


"""
FORM = """

class RoundForm(EntryForm):
    kinds = ("round",)
    title = "A round"
    lead = "Whoever buys a round is forgiven some points."
    chosen_from = {"seat": lambda game: game.playing}

    seat = OneOfField("Who buys it?")
    points = WholeField("Points")
"""
CHANGE, WORDS = 'round = "Round"\n', 'round = "{name} buys a round"\n'
PIECES = {
    "app/kalooki/game/events.py": (("class End(", EVENT),),
    "app/kalooki/game/apply.py": (
        ("def _end(game", STEP),
        ("    events.End: _end,", "    events.Round: _round,\n"),
    ),
    "app/forms/entry.py": (("", FORM),),
    "app/kalooki/rules/names.toml": (("joined = ", CHANGE), ("leave = ", WORDS)),
}
VISIT = """
import json, re, sys
from app import create_app

app = create_app({"DATABASE_URL": sys.argv[1], "SECRET_KEY": "test", "WTF_CSRF_ENABLED": False})
client = app.test_client()
game = client.post("/api/v1/games", json={"variant": "european", "players": ["Ann", "Ben"], "stakes": None}).json
client.get(f"/g/{game['code']}/s/{game['scorer']}")
at = f"/g/{game['code']}"
form = client.get(f"{at}/enter/round").text
typed = {"seat": "2", "points": "5", "seen": "1", "submission": "a-round"}
preview = client.post(f"{at}/enter/round", data=typed | {"do": "preview"}, follow_redirects=True).text
saved = client.post(f"{at}/enter/round", data=typed | {"do": "save"})
state = client.get(f"/api/v1/games/{game['code']}").json
wrong = client.post(
    f"/api/v1/games/{game['code']}/entries",
    json={"event": {"kind": "round", "seat": 2, "points": 0}, "seen": 2, "submission": "nothing"},
    headers={"Authorization": f"Bearer {game['scorer']}"},
)
told = lambda address: client.get(address).data.decode("utf-8", "replace")
print(json.dumps({
    "form": form, "preview": preview, "saved": saved.status_code, "wrong": wrong.status_code,
    "history": client.get(f"{at}/history").text, "correct": client.get(f"{at}/enter/round/2").text,
    "shown": {kind: told(f"/api/v1/games/{game['code']}/sheet.{kind}") for kind in ("csv", "html", "json")},
    "page": client.get(at).text,
    "document": client.get("/api/v1/openapi.json").text, "total": state["players"][1]["total"],
}))
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """What a copy of the product with the four pieces shows of them."""
    copy = copied(tmp_path_factory.mktemp("copy"), PIECES)
    return visited(copy, VISIT)


def test_it_is_asked_previewed_and_saved_on_pages(seen):
    assert "Who buys it?" in seen["form"]
    assert "Ben buys a round" in seen["preview"]
    assert seen["saved"] == 303
    assert seen["total"] == -5


def test_it_stands_in_the_history_and_can_be_corrected(seen):
    assert "Ben buys a round" in seen["history"]
    assert "“Ben buys a round”" in seen["correct"]


def test_it_is_told_on_every_surface(seen):
    rows = [row.split(";" if ";" in row else ",") for row in seen["shown"]["csv"].splitlines()]

    assert "Round" in seen["page"]
    assert [row for row in rows if "round" in row and "-5" in row]
    assert "round" in seen["shown"]["html"]
    assert "−5" in seen["shown"]["html"]
    assert '"kind":"round"' in seen["shown"]["json"].replace(" ", "")


def test_the_interface_reads_it_and_says_so(seen):
    assert seen["wrong"] == 422
    assert '"const":"round"' in seen["document"].replace(" ", "")


IN_OTHER_WAYS = {
    "effect": {"start", "insert", "amend", "undo"},
    "form": {"start", "hand", "void", "insert", "amend", "undo"},
    "words": {"insert", "amend", "undo"},
}
"""The kinds that are applied, asked for or told otherwise than the rest: as the game itself, a hand, a correction."""
MISSING = {
    "effect": "Nothing says what “{kind}” does: give app/kalooki/game/apply.py a function, and EFFECTS its name.",
    "form": "Nothing asks for “{kind}”: write a form with kinds = (“{kind}”,) in app/forms.",
    "words": "Nothing says “{kind}” in words: write {kind} = … under [kinds] in app/kalooki/rules/names.toml.",
}


def missing(kinds):
    """What is missing of some kinds of entry, a sentence for each piece."""
    there = {"effect": {each.kind for each in EFFECTS}, "form": FORMS.keys(), "words": names("kinds").keys()}
    return [
        MISSING[what].format(kind=kind)
        for kind in kinds
        for what in there
        if kind not in there[what] | IN_OTHER_WAYS[what]
    ]


def test_every_kind_has_all_its_pieces():
    assert missing(KINDS) == []


SEAT = schemas()["buy_in"]["properties"]["seat"]
CHECKED_BY_THEMSELVES = {("start", "dealer"), ("setup", "dealer"), ("hand", "winner"), ("decider", "winner")}


def test_every_seat_that_an_entry_names_must_exist():
    """Otherwise a seat nobody has would break the game, where it should be refused."""
    named = {
        (kind, name)
        for kind, schema in schemas().items()
        for name, value in schema["properties"].items()
        if SEAT in (value, *value.get("anyOf", ()))
    }
    unchecked = {(kind, name) for kind, name in named - CHECKED_BY_THEMSELVES if name not in SEATS.values()}
    assert unchecked == set(), "Nothing checks these seats: give SEATS in app/kalooki/game/apply.py their names."


def test_a_kind_without_them_is_told_what_is_missing():
    assert missing(["round"]) == [each.format(kind="round") for each in MISSING.values()]
