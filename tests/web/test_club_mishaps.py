"""What goes wrong with tables of clubs elsewhere, one test each; every number by hand."""

import re

import pytest

from app.kalooki.club.summary import summarize
from app.kalooki.game.play import play
from tests.json_scorer import import_game
from tests.kalooki.club_talk import Talk, game
from tests.kalooki.table_talk import begin, record
from tests.pages import EURO, hand, see, start
from tests.web.test_club_api import Keeper
from tests.web.test_club_pages import Club, played, send

pytestmark = pytest.mark.one_app


def test_who_is_level_in_everything_shares_a_place_in_whatever_order_games_were_added():
    """Ann and Ben each beat Eve twice and each other once: 6 of 12."""
    evenings = ((("Zoe", 1), ("Ben", 2), ("Ann", 3), ("Eve", 4)), (("Zoe", 1), ("Ann", 2), ("Ben", 3), ("Eve", 4)))
    for order in (evenings, evenings[::-1]):
        talk = Talk()
        for seats in order:
            talk.play(*seats)
        assert talk.places() == [("Zoe", 1), ("Ann", 2), ("Ben", 2), ("Eve", 4)]


def test_a_line_under_the_table_says_why_she_is_above_me(client):
    """Ann and Ben beat one of two each; Cara beat Ann, and lost to nobody."""
    club = Club(client, played(client, "Ann", "Ben"), played(client, "Ben", "Ann"), played(client, "Cara", "Dan"))
    page = club.see()
    assert re.search(r"1 Cara 100% 1 .* 2 Ann 50% 1 .* 2 Ben 50% 1 .* 4 Dan 0% 0", page)
    assert "largest share of their opponents comes first, then who won more games, then who played more." in page
    assert "beaten, then games won, then more games." in club.see("/table")


def test_one_lucky_game_is_not_ranked_and_the_page_says_why(client):
    club = Club(client, played(client, "Ann", "Ben"), played(client, "Ben", "Ann"), played(client, "Lou", "Ann"))
    assert "1 Lou 100%" in club.see()
    page = club.send("/more", "usual", {"least": "2"})
    assert "Saved." in page
    page = club.see()
    # Ann beat one of three, Ben one of two
    assert re.search(r"1 Ben 50% .* 2 Ann 33% .* – Lou 100%", page)
    assert "fewer than 2 games isn’t ranked." in page
    assert "not ranked: played fewer than 2 games" in club.see("/person/3")


def test_who_was_absent_played_nothing_and_was_nobodys_opponent():
    talk = Talk()
    talk.say("person", name="Dan")
    talk.play(("Ann", 1), ("Ben", 2), ("Cat", 3))
    talk.play(("Ann", 1), ("Ben", 2))
    rows = {talk.people()[row.person]: (row.games, row.beaten) for row in talk.table()}
    assert rows == {"Ann": (2, (6, 6)), "Ben": (2, (2, 6)), "Cat": (1, (0, 4))}


def test_who_leaves_early_is_last_and_has_only_the_hands_dealt_into():
    """Ben leaves after the first of two hands; Ann ends on 7, Cat on 10."""
    log = record(begin("european", ["Ann", "Ben", "Cat"], stakes=None), hand(1, s2=5, s3=10))
    log = record(log, {"kind": "leave", "seat": 2}, hand(3, s1=7), {"kind": "stop", "pool": "refund"})
    talk = Talk()
    talk.games[1] = summarize(play(log), "2026-11-26")
    talk.say("game", code="G1")
    assert talk.places() == [("Ann", 1), ("Cat", 2), ("Ben", 3)]
    rows = {talk.people()[row.person]: (row.beaten, row.hands_won, row.hands) for row in talk.table()}
    assert rows == {"Ann": ((4, 4), 1, 2), "Cat": ((2, 4), 1, 2), "Ben": ((0, 4), 0, 1)}


def test_a_guest_and_whom_they_stand_in_for_each_have_their_own_hands():
    """Ben leaves after the first hand, Gus joins and wins the second; who Gus is has to be told."""
    log = record(begin("european", ["Ann", "Ben", "Cat"], stakes=None), hand(1, s2=5, s3=8))
    talk = Talk()
    talk.games[1] = summarize(play(log), "2026-11-26")
    talk.say("game", code="G1")
    log = record(log, {"kind": "leave", "seat": 2}, {"kind": "join", "name": "Gus", "stake": True})
    log = record(log, hand(4, s1=3, s3=2), {"kind": "stop", "pool": "refund"})
    talk.games[1] = summarize(play(log), "2026-11-26")
    assert (talk.table(), talk.problems()) == ((), [("G1", "seat-unknown", ("Gus",))])
    talk.say("people", code="G1", people={"4": "Gus"})
    rows = {talk.people()[row.person]: (row.games, row.hands_won, row.hands) for row in talk.table()}
    assert rows == {"Ann": (1, 1, 2), "Ben": (1, 0, 1), "Cat": (1, 0, 2), "Gus": (1, 1, 1)}
    talk.play(("Ann", 1), ("Ben", 2), people={"2": "Ben"})  # another Ben, who is a guest
    assert [row.games for row in talk.table() if talk.people()[row.person] == "Ben"] == [1, 1]


def test_two_spellings_are_merged_offered_once_and_parted_again(client):
    club = Club(client, played(client, "Ann", "Jane"), played(client, "Ann", "Jane S"))
    club.send("/person/2", "merge", {"into": "1"})  # who sat in one game with her
    assert "merge" not in club.log()
    club.send("/person/2", "merge", {"into": "3"})
    for page in ("/game/2", "/person/1", ""):
        assert "Jane S" in options(club, page)
        assert "Jane" not in options(club, page)
    again = played(client, "Ann", "Jane", losers=(1,))
    send(client, f"/g/{again}", action=f"{club.path}/add")
    assert "Games won 1 of 3" in club.see("/person/3")
    page = club.send("/person/2", "undo")
    assert "Undone." in page
    # the game added meanwhile stays with whom the name meant when it was added
    assert ("Games won 0 of 1" in page, "Games won 1 of 2" in club.see("/person/3")) == (True, True)


def options(club, page):
    """The texts of all choices on a page."""
    return re.findall(r"<option[^>]*>([^<]*)</option>", club.client.get(club.path + page).text)


def test_of_a_chain_of_merges_all_games_are_the_last_ones_and_any_link_can_be_undone():
    talk = Talk()
    for name in ("A", "B", "C"):
        talk.play((name, 1), ("Dan", 2))
    first, second = talk.say("merge", person=1, into=3), talk.say("merge", person=3, into=4)
    assert [(name, row.games) for (name, _), row in zip(talk.places(), talk.table(), strict=True)] == [
        ("C", 3), ("Dan", 3),
    ]  # fmt: skip
    assert talk.refused("merge", person=4, into=1) == [("merged-ring", "into")]
    talk.say("undo", target=first)
    assert {talk.people()[row.person]: row.games for row in talk.table()} == {"A": 1, "C": 2, "Dan": 3}
    talk.say("undo", target=second)
    assert {talk.people()[row.person]: row.games for row in talk.table()} == {"A": 1, "B": 1, "C": 1, "Dan": 3}


def test_a_game_with_one_person_in_two_seats_is_named_and_not_half_counted():
    talk = Talk()
    talk.play(("Ann", 1, 10), ("Ben", 2, -10))
    for name in ("Cat", "Kat"):
        talk.say("person", name=name)
    merged = talk.say("merge", person=4, into=3)
    parted = talk.say("undo", target=merged)
    talk.play(("Cat", 1, 20), ("Kat", 2, -10), ("Ann", 3, -10))
    talk.say("undo", target=parted)
    assert talk.problems() == [("G2", "person-twice", ("Cat",))]
    assert talk.places() == [("Ann", 1), ("Ben", 2)]
    assert talk.owed() == [("Ben", "Ann", 10, "EUR")]


def test_a_closed_season_follows_a_correction_and_has_todays_names():
    talk = Talk()
    talk.play(("Ann", 1, 50), ("Ben", 2, -50), day="2025-11-26")
    talk.play(("Ann", 1, 20), ("Ben", 2, -20), day="2026-11-26")
    of_2025 = "2025-01-01", "2025-12-31"
    assert [row.money for row in talk.table(*of_2025)] == [{"EUR": 50}, {"EUR": -50}]
    talk.games[1] = game(("Ann", 2, -30), ("Ben", 1, 30), day="2025-11-26")
    talk.say("person_name", id=2, name="Benny")
    assert talk.places(*of_2025) == [("Benny", 1), ("Ann", 2)]
    assert [row.money for row in talk.table(*of_2025)] == [{"EUR": 30}, {"EUR": -30}]
    assert [row.money for row in talk.table("2026-01-01")] == [{"EUR": 20}, {"EUR": -20}]
    assert talk.owed() == [("Ann", "Benny", 10, "EUR")]


def test_what_a_correction_changed_after_all_was_paid_is_owed_on_the_clubs_page(client):
    """Ben pays 10 for the call-up and loses his 50; then it was a Kalooki, which is 20."""
    scorer = start(client, "european", ["Ann", "Ben"], stakes=EURO, house={"buy_ins": 0})
    scorer.record(hand(1, s2=150))
    assert client.get(f"/g/{scorer.code}/s/{scorer.secret}").status_code == 303
    club = Club(client, scorer.code)
    assert "Ben pays Ann €0.60" in club.see()
    assert "Nobody owes anything." in club.send("", "paid")
    scorer.record({"kind": "amend", "target": 2, "event": hand(1, "kalooki", s2=150)})
    page = club.see()
    assert "Ben pays Ann €0.10" in page
    assert "✓ Ben paid Ann €0.60" in page
    assert "Ben owes €0.10" in club.see("/person/2")


@pytest.mark.parametrize(
    ("at", "corrected", "places"),
    [
        ("2025-12-31T23:50:00Z", "", 0),
        ("2026-01-01T05:59:00Z", "", 0),
        ("2026-01-01T06:00:00Z", "", 2),
        ("1970-01-01T20:00:00Z", "2026-01-08", 2),
    ],
)
def test_the_day_at_the_table_decides_the_season_and_can_be_fixed(client, at, corrected, places):
    keeper = Keeper(client, zone="Europe/London")
    stop = {"kind": "stop", "pool": "refund"}
    events = [{"kind": "start", "variant": "european", "players": ["Ann", "Ben"]}, hand(1, s2=5), stop]
    events += [{"kind": "setup", "day": corrected}] if corrected else []
    log = [{"event": event, "at": at, "by": "Ann"} for event in events]
    keeper.say("game", code=import_game(keeper.client, log).code)
    assert len(keeper.state("?from=2026-01-01")["table"]) == places
    assert len(keeper.state("?to=2025-12-31")["table"]) == 2 - places
    assert "Ann" in see(client, f"/c/{keeper.code}?all=1")
