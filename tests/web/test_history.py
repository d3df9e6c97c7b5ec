"""History: who recorded what and when; what was corrected or undone stays and is struck out."""

import re

import pytest
from flask import template_rendered

from tests.pages import Alice, Player, hand, words

pytestmark = pytest.mark.one_app


@pytest.fixture
def alice(app):
    return Alice(app, stakes={"currency": "EUR"})


def entry(alice, number):
    """The part of the page that tells one entry."""
    page = alice.get("/history").text
    return re.search(rf'(?s)<li[^>]*id="entry-{number}">.*?</li>\s*(?=<li[^>]* id="entry-|</ol>)', page).group()


def test_every_entry_says_what_who_and_when(alice):
    alice.record(hand(2, "kalooki", s1="KH 3D", s3=41))
    told = words(entry(alice, 2))
    assert "Hand 1 won by Ben" in told
    assert "Kalooki · Ann +13 : K ♥ 3 ♦ · Cat +41" in told
    assert "script" in told
    assert re.search(r"\w{3} \d+ \w{3} \d\d:\d\d", told)


@pytest.mark.parametrize("page", ["/history", "/sheet"])
def test_a_long_page_is_rendered_once_a_version_for_all_phones_with_the_same_right(app, alice, page):
    """However many ask for it; the phone that records has other buttons, and a new hand another page."""
    alice.record(hand(1, s2=5, s3=6))
    costly = {"/history": "fragments/entries.html", "/sheet": "sheets/score_article.html"}[page]
    rendered = []

    def note(_app, template, **_more):
        rendered.append(template.name)

    watchers = [app.test_client() for _ in range(3)]
    with template_rendered.connected_to(note, app):
        told = {words(each.get(f"/g/{alice.code}{page}").text) for each in watchers for _ in range(2)}
        assert len(told) == 1
        assert rendered.count(costly) == 1
        assert ("Correct" in alice.see(page)) == (page == "/history")
        alice.record(hand(2, s1=7, s3=8))
        assert words(watchers[0].get(f"/g/{alice.code}{page}").text) not in told


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ({"kind": "void", "reason": "misdeal"}, "Hand 1: redeal – nobody scores dealt by Ann · misdeal"),
        ({"kind": "penalty", "seat": 2, "points": 5, "amount": 30, "reason": "talking"},
         "Penalty for Ben 5 points · €0.30 into the pool · talking"),
        ({"kind": "leave", "seat": 3}, "Cat leaves"),
        ({"kind": "join", "name": "Dan", "points": 12, "stake": True}, "Dan joins at 12 points · pays the stake"),
        ({"kind": "rename", "seat": 2, "name": "Benno"}, "New name: Benno seat 2"),
        ({"kind": "setup", "dealer": 2, "house": {"limit": 200}, "stakes": {"call_up": 15}},
         "First dealer: Ben · call-up 0.15 · Limit: 200 points"),
        ({"kind": "setup", "stakes": None, "settle": "cash"}, "no money · cash after each hand"),
        ({"kind": "paid", "from": 2, "to": 1, "amount": 60}, "Payment from Ben to Ann €0.60"),
        ({"kind": "stop", "pool": "equal"}, "Game ends early the pool in equal parts"),
        ({"kind": "ruling", "claim": {}, "verdict": {}, "seat": 1, "points": 10, "note": "ace low"},
         "Ruling: Ann 10 points · ace low"),
        ({"kind": "ruling", "check": "meld", "claim": {"cards": "QH KH AH 2H"}, "verdict": {"ok": False}, "seat": 2,
          "points": 10}, "Ruling: Ben meld Q♥ K♥ A♥ 2♥: not legal · 10 points"),
        ({"kind": "ruling", "check": "opening", "claim": {"melds": ["7H 7S 7D", "2C 3C 4C"]}, "verdict": {"ok": True}},
         "Ruling opening 7♥ 7♠ 7♦ / 2♣ 3♣ 4♣: legal"),
        ({"kind": "ruling", "claim": {"on": "4S 5S 6S"}, "verdict": False, "upheld": False},
         "Ruling 4S 5S 6S: the table played on anyway"),
    ],
)  # fmt: skip
def test_every_kind_of_entry_is_told(alice, event, told):
    alice.record(event)
    assert told in words(entry(alice, 2))


def test_calls_are_told(app):
    alice = Alice(app, "jamaican").record(hand(1, calls={"1": 2, "2": 4}, s2=20, s3=30))
    # the fourth call costs 50 points
    assert "Ben +70 : 20, 4 calls · Cat +30 · Ann +0 , 2 calls" in words(entry(alice, 2))


def test_what_was_taken_back_is_struck_and_leads_to_what_took_it_back(alice):
    alice.record(hand(1, s2=5, s3=6), {"kind": "undo", "target": 2})
    assert "<s>Hand 1 won by Ann</s>" in entry(alice, 2)
    assert 'href="#entry-3"' in entry(alice, 2)
    assert "Hand 1 undone" in entry(alice, 3)
    assert 'href="#entry-2"' in entry(alice, 3)


def test_a_correction_and_what_it_corrected_lead_to_each_other(alice):
    alice.record(hand(1, s2=5, s3=6), {"kind": "amend", "target": 2, "event": hand(1, s2=50, s3=6)})
    assert "Corrected later: the correction counts instead" in entry(alice, 2)
    assert "Hand 1 corrected: Ben 50, not 5 " in words(entry(alice, 3))


def test_every_correction_says_what_it_changed_of_what_stood_before_it(alice):
    first = {"kind": "penalty", "seat": 2, "amount": 30, "reason": "talking"}
    second, third = first | {"amount": 40}, {"kind": "penalty", "seat": 3, "amount": 40}
    alice.record(first, *({"kind": "amend", "target": 2, "event": event} for event in (second, third, third)))
    assert "Changed: €0.40 into the pool, not €0.30 into the pool " in words(entry(alice, 3))
    assert "Changed: Penalty for Cat, not Penalty for Ben, not talking " in words(entry(alice, 4))
    assert "Changed:" not in words(entry(alice, 5)) + words(entry(alice, 2))


def test_an_undone_undo_puts_things_back(alice):
    alice.record(hand(1, s2=5, s3=6), {"kind": "undo", "target": 2}, {"kind": "undo", "target": 3})
    assert "<s>" not in entry(alice, 2)
    assert "<s>Hand 1 undone</s>" in entry(alice, 3)
    assert "Hand 1 redone" in entry(alice, 4)


def test_what_is_no_hand_is_taken_back_and_put_back_by_its_words(alice):
    alice.record({"kind": "leave", "seat": 3}, {"kind": "undo", "target": 2}, {"kind": "undo", "target": 3})
    assert "“Cat leaves” undone" in entry(alice, 3)
    assert "“Cat leaves” redone" in entry(alice, 4)
    assert ">Undo “Cat leaves” again<" in entry(alice, 4)


def test_the_scorer_may_take_back_correct_and_put_in(alice):
    alice.record(hand(1, s2=5, s3=6), {"kind": "penalty", "seat": 1, "points": 5}, {"kind": "undo", "target": 3})
    root = f"/g/{alice.code}"
    assert all(f'href="{root}/{to}/2"' in entry(alice, 2) for to in ("undo", "correct", "insert"))
    assert "/enter/" not in entry(alice, 3)
    assert "Redo “Penalty for Ann”" in entry(alice, 4)
    assert f'href="{root}/undo/4"' in entry(alice, 4)
    assert "/undo/1" not in entry(alice, 1)


def test_hands_are_called_by_their_numbers_whatever_entries_lie_between(alice):
    alice.record({"kind": "penalty", "seat": 1, "points": 5}, hand(1, s2=5, s3=6), hand(2, s1=1, s3=2))
    alice.record({"kind": "amend", "target": 4, "event": hand(3, s1=1, s2=2)})
    alice.record({"kind": "insert", "before": 4, "event": hand(1, s2=7, s3=8)})
    alice.record({"kind": "undo", "target": 5}, {"kind": "undo", "target": 6})
    alice.record({"kind": "amend", "target": 2, "event": {"kind": "penalty", "seat": 2, "points": 5}})
    page = alice.see("/history")
    assert "Hand 2 corrected: won by Cat, not Ben; " in words(entry(alice, 5))
    assert "Hand 2 added before hand 2: won by Ann" in words(entry(alice, 6))
    assert "The correction of hand 2 undone" in words(entry(alice, 7))
    assert "Hand 2 undone" in words(entry(alice, 8))
    assert "Penalty for Ann corrected: Penalty for Ben" in words(entry(alice, 9))
    assert not re.search(r"[Ee]ntry \d", page)


def test_a_hand_that_was_void_after_all_says_so(alice):
    alice.record(hand(1, s2=5, s3=6))
    alice.record({"kind": "amend", "target": 2, "event": {"kind": "void", "reason": "misdeal"}})
    assert "Hand 1 corrected: redeal – nobody scores misdeal" in words(entry(alice, 3))


def test_what_no_longer_makes_sense_is_shown_with_its_remedies(alice):
    # Ben reaches 150 and buys in; corrected he held 140 and had nothing to buy
    alice.record(hand(1, s2=150, s3=20), {"kind": "buy_in", "seat": 2})
    alice.record({"kind": "amend", "target": 2, "event": hand(1, s2=140, s3=20)})
    told = entry(alice, 3)
    assert "Ben has no buy-in to take" in told
    assert f'href="/g/{alice.code}/undo/4">Undo the correction of hand 1' in told
    assert f'class="button" href="/g/{alice.code}/undo/3">Undo “Ben buys in”' in told


def test_a_penalty_that_makes_no_sense_can_be_corrected(alice):
    # corrected, Ben held 150 and is out: he cannot be punished with points
    alice.record(hand(1, s2=20, s3=20), {"kind": "penalty", "seat": 2, "points": 5})
    alice.record({"kind": "amend", "target": 2, "event": hand(1, s2=150, s3=20)})
    assert f'href="/g/{alice.code}/enter/penalty/3">Correct “Penalty for Ben”' in entry(alice, 3)


def test_the_sheet_names_everybody_who_recorded_a_hand(app):
    alice = Alice(app, players=["Ann", "Ben", "Cat", "Dan", "Eve"])
    assert "recorded on: script" in alice.record(hand(1, s2=5, s3=5, s4=5, s5=5)).see("/sheet")
    left = {f"left-{seat}": "5" for seat in range(2, 6)}
    for seat in range(2, 6):
        phone = Player(alice, seat)
        fields = {
            "seen": alice.table.seen,
            "submission": f"hand {seat}",
            "do": "save",
            "winner": "1",
            "ending": "going_out",
        }
        assert phone.client.post(f"/g/{phone.code}/hand", data=fields | left).status_code == 303
    assert "kept by Ben, Cat, Dan, Eve, also on: script" in alice.see("/sheet")
