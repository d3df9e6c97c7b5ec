"""Reading events from JSON and writing them back."""

import pytest

from app.kalooki.cards import BadInput
from app.kalooki.game.events import KINDS, Amend, Hand, Left, from_json, read_new, to_json
from app.kalooki.game.play import opening_entry
from app.kalooki.money import Currency
from app.kalooki.readers import Key, listed, record, text, whole
from app.kalooki.rules.wording import names
from tests.kalooki.rows import rows

EVERY_KIND = rows("events", "every_kind")  # fmt: skip


def nested(levels):
    """Return lists and objects nested this many levels deep."""
    inner = 1
    for level in range(levels):
        inner = {"a": inner} if level % 2 else [inner]
    return inner


def test_an_unknown_variant_is_refused():
    with pytest.raises(BadInput) as unreadable:
        opening_entry(from_json({"kind": "start", "variant": "whist", "players": ["Ann", "Ben"]}))

    assert (unreadable.value.field, unreadable.value.word) == ("variant", "whist")


def test_the_examples_cover_every_kind():
    assert {event["kind"] for event in EVERY_KIND} == set(KINDS), "give EVERY_KIND an example of the kind"


@pytest.mark.parametrize("written", EVERY_KIND, ids=lambda event: event["kind"])
def test_an_event_reads_and_writes_the_same(written):
    event = from_json(written)

    assert to_json(event) == written
    assert from_json(to_json(event)) == event


def test_a_hand_reads_cards_points_or_both():
    hand = from_json({"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "K k", "3": {"points": 43}}})

    assert isinstance(hand, Hand)
    assert [str(card) for card in hand.left[2].cards] == ["K", "K"]
    assert hand.left[3] == Left(points=43)
    assert to_json(hand)["left"] == {"2": "K K", "3": {"points": 43}}


def test_a_name_is_folded_and_keeps_what_scripts_and_emoji_need():
    event = from_json({"kind": "rename", "seat": 1, "name": " Ann\t\n\x00 Lee 👩\u200d🍳 "})

    assert event.name == "Ann Lee 👩\u200d🍳"


HAND = {"kind": "hand", "winner": 1, "ending": "going_out", "left": {"2": "AS"}}


@pytest.mark.parametrize(
    ("written", "field"),
    [
        *((HAND | change, field) for change, field in rows("events", "a_hand_that_cannot_be_read_names_its_field")),
        *rows("events", "what_cannot_be_read_names_its_field"),
        (HAND | {"left": {"9" * 5000: "AS"}}, "left"),
        ({"kind": "rename", "seat": 1, "name": "x" * 41}, "name"),
        ({"kind": "ruling", "claim": float("nan"), "verdict": True}, "claim"),
        ({"kind": "ruling", "claim": "x" * 20_000, "verdict": True}, "claim"),
        ({"kind": "ruling", "claim": "\ud800", "verdict": True}, "claim"),
        ({"kind": "ruling", "claim": nested(51), "verdict": True}, "claim"),
        ({"kind": "ruling", "claim": [], "verdict": {"a": nested(49), "b": [nested(50)]}}, "verdict"),
        ({"kind": "ruling", "claim": nested(10_000), "verdict": True}, "claim"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_names_its_field(written, field):
    with pytest.raises(BadInput) as refused:
        from_json(written)

    assert refused.value.field == field
    assert str(refused.value)


def test_a_claim_of_fifty_levels_is_stored():
    written = {"kind": "ruling", "claim": nested(50), "verdict": [nested(49), "no", nested(10)]}

    assert to_json(from_json(written)) == written


def test_corrections_do_not_nest():
    nested = {"kind": "end"}
    for _ in range(900):
        nested = {"kind": "amend", "target": 2, "event": nested}
    with pytest.raises(BadInput):
        from_json(nested)


def test_an_amendment_contains_a_whole_event():
    amendment = from_json({"kind": "amend", "target": 2, "event": HAND})

    assert isinstance(amendment, Amend)
    assert isinstance(amendment.event, Hand)


def test_every_kind_except_corrections_has_a_name():
    assert names("kinds").keys() == KINDS.keys() - {"amend", "insert", "undo"}
    assert all(names("kinds").values())


START = {"kind": "start", "variant": "european", "players": ["Ann", "Ben"]}


def test_a_start_keeps_the_region_of_its_table():
    assert from_json(START | {"region": "JM"}).region == "JM"
    for word in ("jm", "JAM", 7):
        with pytest.raises(BadInput, match="territory"):
            from_json(START | {"region": word})


def test_a_new_entry_that_is_not_an_event_is_refused():
    with pytest.raises(BadInput):
        read_new(["hand"])


def test_a_currency_is_shown_by_its_name():
    assert (str(Currency("JMD")), Currency("KWD", 3).stated) == ("JMD", {"currency": "KWD", "decimals": 3})


@pytest.mark.parametrize(
    ("corrected", "is_heading"),
    [({"note": "Rain."}, True), ({"place": "The Bell"}, True), ({"dealer": 2}, False), ({"stakes": None}, False)],
)
def test_a_corrected_place_or_note_stands_at_the_head_of_a_sheet(corrected, is_heading):
    assert from_json({"kind": "setup"} | corrected).is_heading is is_heading


def test_names_that_nothing_reads_are_told_wherever_they_are():
    player = record({"name": Key(text(1, 40)), "seat": Key(whole(1, 9), 1)})
    table = record({"players": Key(listed(player, 4))})
    told = {"players": [{"name": "Ann", "colour": "red"}, {"name": "Ben", "seat": 2}], "title": "Friday"}
    assert table.read(told, "") == {"players": ({"name": "Ann", "seat": 1}, {"name": "Ben", "seat": 2})}
    assert [*table.ignored(told)] == ["colour", "title"]
    assert [*table.ignored({"players": None})] == []
