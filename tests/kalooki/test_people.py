"""Players' names: whose they are, what of them is kept, and that no new entry lets one name sit down twice."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.kalooki.cards import BadInput
from app.kalooki.game.evening import bills
from app.kalooki.game.events import from_json, read_new, to_json
from app.kalooki.game.play import Entry, judge, opening_entry, play
from app.kalooki.people import clean_name, find_doubled, identify, is_visible
from app.kalooki.readers import new_name
from tests.kalooki.rows import rows
from tests.kalooki.table_talk import begin, hand, record, refusal, totals

COMPOSED, DECOMPOSED = "Jos\u00e9", "Jose\u0301"
ACUTE = "\u0301"
ENGLAND = "🏴" + "".join(chr(0xE0000 + ord(char)) for char in "gbeng") + "\U000e007f"


@pytest.mark.parametrize(
    ("name", "same"),
    rows("people", "one_person_in_two_spellings"),
)
def test_one_person_in_two_spellings(name, same):
    assert identify(name) == identify(same)
    assert find_doubled([name, "Cat", same]) == sorted({name, same})


@pytest.mark.parametrize(
    ("name", "other"),
    [("José", "Jose"), ("Ann", "Anne"), ("O'Brien", "OBrien"), ("Anne-Marie", "Anne Marie"), ("Ann 1", "Ann 2")],
)
def test_two_people(name, other):
    assert identify(name) != identify(other)
    assert find_doubled([name, other]) == []


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Mary \t\n Ann ", "Mary Ann"),
        ("\u3164Ann\u3164", "Ann"),
        ("A\u200bn\u00adn", "Ann"),
        ("A\x00n\x7fn", "Ann"),
        ("A\ud800nn", "Ann"),
        ("\u202eAnn\u202c\u200e", "Ann"),
        ("Z\u200doe\ufe0f", "Zoe"),
        # one acute is in the letter: two more follow it
        ("A" + 39 * ACUTE, "Á" + 2 * ACUTE),
        ("Á" + 39 * ACUTE, "Á" + 2 * ACUTE),
        ("Z" + 3 * ACUTE + "oe" + 4 * ACUTE, "Ź" + 2 * ACUTE + "oé" + 2 * ACUTE),
        ("علی\u200c", "علی"),
    ],
)
def test_invisible_characters_are_removed(typed, kept):
    assert unicodedata.normalize("NFC", clean_name(typed)) == unicodedata.normalize("NFC", kept)


@pytest.mark.parametrize(
    "name",
    rows("people", "ordinary_names_are_unchanged"),
)
def test_ordinary_names_are_unchanged(name):
    assert clean_name(name) == name
    assert read_new({"kind": "join", "name": name}).name == name


@pytest.mark.parametrize("name", ["\u3164", "\u200b", "…", "-", "'", "\u2800", "\u0301", "\u115f\u1160"])
def test_a_name_needs_something_visible(name):
    assert not is_visible(clean_name(name))
    for event, field in (
        ({"kind": "join", "name": name}, "name"),
        ({"kind": "rename", "seat": 1, "name": name}, "name"),
        ({"kind": "start", "variant": "classic", "players": ["Ann", name]}, "players.2"),
        ({"kind": "amend", "target": 2, "event": {"kind": "join", "name": name}}, "event.name"),
    ):
        with pytest.raises(BadInput, match="a letter, a digit or a symbol") as refused:
            read_new(event)
        assert refused.value.field == field


ODD = (
    "aAeéßİŉΐﬁσςΣ'’ʼ`´‐-–−\u00ad \t\n\x00\u200b\u200c\u200d\u200e\u202e\u3164\u115f\uffa0\ufe0f\u034f\u0301\u0302\u0323"
    "\u0344\u0345\u20e3\u3099ﾞカｶ👩🍳🏴\U000e0067\U000e007f1#क्षن\u064eبﷺ\ud800♠\u2800🇯🇲"
)


@given(st.text(st.sampled_from(ODD) | st.characters(), max_size=30), st.sampled_from(["NFC", "NFD"]))
def test_cleaning_is_idempotent_and_keeps_the_identity(name, form):
    clean = clean_name(name)
    assert clean_name(clean) == clean
    assert identify(clean) == identify(name) == identify(identify(name))
    spelt = unicodedata.normalize(form, name)
    assert identify(spelt) == identify(name)
    assert identify(clean_name(spelt)) == identify(clean)


def test_no_new_entry_may_use_a_name_twice():
    log = begin(players=(COMPOSED, "Ben", "Cat"))
    for event in (
        {"kind": "join", "name": DECOMPOSED},
        {"kind": "rename", "seat": 2, "name": DECOMPOSED.upper()},
        {"kind": "join", "name": "JOSÉ"},
    ):
        assert refusal(log, event) == ["name-taken"]
    assert refusal(log, {"kind": "rename", "seat": 1, "name": DECOMPOSED}) == []
    late = record(log, {"kind": "join", "name": "Dan"})
    _, [fault] = judge(late, from_json({"kind": "amend", "target": 2, "event": {"kind": "join", "name": DECOMPOSED}}))
    assert (fault.rule, fault.facts["field"]) == ("name-taken", "event.name")
    start = from_json({"kind": "start", "variant": "european", "players": [COMPOSED, "Ben", DECOMPOSED]})
    assert [fault.rule for fault in opening_entry(start)[2]] == ["name-taken"]


def test_an_undo_that_would_restore_an_equal_name_is_refused():
    log = begin(players=(COMPOSED, "Ben"))
    log = record(log, {"kind": "rename", "seat": 1, "name": "Pepe"}, {"kind": "join", "name": DECOMPOSED})
    _, [fault] = judge(log, from_json({"kind": "undo", "target": 2}))
    assert (fault.rule, fault.facts["field"], fault.facts["taken"]) == ("name-taken", "target", DECOMPOSED)
    freed = record(log, {"kind": "rename", "seat": 3, "name": "Tom"}, {"kind": "undo", "target": 2})
    assert [player.name for player in play(freed).players.values()] == [COMPOSED, "Ben", "Tom"]


def test_names_recorded_before_1_0_stay_valid():
    """0.3 accepted both spellings, an invisible name and 39 accents; such a game can be read and continued."""
    tower = "Z" + 39 * ACUTE
    start = {"kind": "start", "variant": "european", "players": [COMPOSED, DECOMPOSED, "\u3164", tower]}
    log = [Entry(1, from_json(start)), Entry(2, from_json(hand(1, s2=10, s3=20, s4=30)))]
    assert to_json(log[0].event)["players"] == start["players"]
    assert play(log).faults == []
    log = record(log, hand(2, s1=5, s3=6, s4=7), {"kind": "penalty", "seat": 1, "points": 4})
    assert totals(log) == [9, 10, 26, 37]
    assert play(record(log, {"kind": "rename", "seat": 3, "name": "Cat"})).name(3) == "Cat"


def test_two_spellings_are_one_person_across_games_but_two_within_one():
    # each game: the other is out, and who is left gets 60 of a stake of 50 and a call-up of 10
    stakes = {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}
    rules = {"stakes": stakes, "house": {"buy_ins": 0}}

    def over(*players):
        start = from_json({"kind": "start", "variant": "european", "players": [*players]} | rules)
        return play([Entry(1, start), Entry(2, from_json(hand(1, s2=150)))])

    [bill] = bills([over(COMPOSED, "O'Brien"), over("O’BRIEN", DECOMPOSED)])
    assert (bill.names, bill.balances, bill.payments) == ((COMPOSED, "O'Brien"), (0, 0), ())
    # one game of 0.3 with both: the composed one is who plays elsewhere, the other somebody else
    [bill] = bills([over(COMPOSED, DECOMPOSED), over(COMPOSED, "Ben")])
    assert (bill.names, bill.balances) == ((COMPOSED, DECOMPOSED, "Ben"), (120, -60, -60))


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (" ", "Write the name."),
        ("…", "Write a name with a letter, a digit or a symbol."),
        ("x" * 41, "A name has 1 to 40 characters, not 41."),
    ],
)
def test_an_error_about_a_name_is_shown_at_its_field(raw, sentence):
    with pytest.raises(BadInput) as wrong:
        new_name(raw, "players.2")
    assert wrong.value.field == "players.2"
    assert wrong.value.sentence == sentence
