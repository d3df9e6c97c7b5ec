"""The club: its people, its games, its table and its money, by the stories of clubs.toml."""

from pathlib import Path
from tomllib import loads

import pytest

from app.kalooki.cards import BadInput
from app.kalooki.club.events import ClubEntry, read_recorded, read_sent, schemas
from app.kalooki.club.judging import MOST_CLUB_ENTRIES, MOST_PEOPLE, fault_of_return
from app.kalooki.club.summary import SeatResult, summarize
from app.kalooki.game.play import play
from app.kalooki.kinds import to_json
from tests.kalooki.club_talk import Talk, game, seat
from tests.kalooki.rows import inside, plain, rows, without_null
from tests.kalooki.table_talk import begin, hand, record

STAKES = {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}
STORIES = without_null(loads(Path(__file__).with_name("clubs.toml").read_text("utf-8"))["club"])


# ---- Events

EVERY_KIND = [
    {"kind": "start", "name": "Thursday", "zone": "Europe/London"},
    {"kind": "name", "name": "Friday"},
    {"kind": "usual", "variant": "european", "house": {"limit": 200}, "stakes": None, "season": "09-01", "least": 3},
    {"kind": "person", "name": "Eve"},
    {"kind": "person_name", "id": 1, "name": "Eva"},
    {"kind": "game", "code": "K7P2M4QXR3T", "people": {"1": 3, "2": "Eve"}},
    {"kind": "people", "code": "K7P2M4QXR3T", "people": {"1": "Eve"}},
    {"kind": "drop", "code": "K7P2M4QXR3T"},
    {"kind": "merge", "person": 1, "into": 2},
    {"kind": "paid", "payments": [{"from": 1, "to": 2, "amount": 120, "currency": "EUR"}]},
    {"kind": "undo", "target": 2},
]


@pytest.mark.parametrize("written", EVERY_KIND, ids=lambda event: event["kind"])
def test_an_event_of_a_club_reads_and_writes_the_same(written):
    event = read_recorded(written)

    assert to_json(event) == written == event.as_sent
    assert read_recorded(to_json(event)) == event


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        *rows("club", "what_cannot_be_read_names_its_field"),
        ({"kind": "paid", "payments": [{"from": 1, "to": 2, "amount": 5, "currency": "EUR"}] * 101}, "payments"),
    ],
)
def test_what_cannot_be_read_names_its_field(sent, field):
    with pytest.raises(BadInput) as unreadable:
        read_sent(sent)

    assert unreadable.value.field == field


def test_the_schemas_are_of_what_may_be_sent():
    assert schemas().keys() == {event["kind"] for event in EVERY_KIND} - {"start"}
    assert schemas()["game"]["properties"].keys() == {"kind", "code", "people"}
    assert schemas()["paid"]["properties"].keys() == {"kind", "payments"}


def test_usual_rules_must_be_playable():
    with pytest.raises(BadInput):
        Talk().say("usual", variant="whist")
    with pytest.raises(BadInput):
        Talk().say("usual", variant="european", house={"run_least": 5, "run_most": 4})


# ---- What a game gives


def test_a_summary_has_hands_dealt_into_and_the_points_held_when_others_went_out():
    """Ann goes out, then Ben with a Kalooki, which adds nothing to the 30 and 5 held; a void hand counts nowhere."""
    log = begin("european", ["Ann", "Ben", "Cat"], stakes=STAKES)
    third = {"kind": "hand", "winner": 3, "ending": "going_out", "left": {"1": {"points": 7}}, "absent": [2]}
    log = record(log, hand(1, s2="KH QD", s3=12), {"kind": "void"}, hand(2, "kalooki", s1=30, s3=5), third)
    log = record(log, {"kind": "stop", "pool": "refund"})
    # 10 from each loser of a hand won in the ordinary way, 20 for the Kalooki; what was paid in comes back
    assert summarize(play(log), "2026-11-26") == game(
        SeatResult(1, "Ann", 3, hands=3, hands_won=1, kalookis=0, held=37, lost=2, won=20 - 20 - 10, owed=-10),
        SeatResult(2, "Ben", 2, hands=2, hands_won=1, kalookis=1, held=20, lost=1, won=-10 + 40, owed=30),
        SeatResult(3, "Cat", 1, hands=3, hands_won=1, kalookis=0, held=17, lost=2, won=-10 - 20 + 10, owed=-20),
    )


def test_where_the_winner_collects_left_is_what_the_losers_held():
    log = record(begin("kalooki-51", ["Ann", "Ben"], stakes=None), hand(1, s2=31))
    [ann, ben] = summarize(play(log), "2026-11-26").seats
    assert (ann.held, ann.lost, ben.held, ben.lost) == (0, 0, 31, 1)


def test_hands_carried_over_from_paper_count_in_places_and_money_only():
    carried = {"hands": 4, "totals": [10, 20], "balances": [-60, -40]}
    log = record(begin(players=["Ann", "Ben"], stakes=STAKES, carried=carried), {"kind": "stop", "pool": "leader"})
    # the pool of 100 is Ann's, who leads
    assert summarize(play(log), "2026-11-26").seats == (seat(1, "Ann", 1, 40), seat(2, "Ben", 2, -40))


def test_leavers_are_last_and_who_left_later_is_before_them_equal_by_total():
    """Eve leaves after the first hand; Ben, Cat and Dan between the second and the third, with 9, 9 and 12."""
    log = begin("european", ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"], stakes=None)
    log = record(log, hand(1, s2=4, s3=4, s4=2, s5=1, s6=90), {"kind": "leave", "seat": 5})
    log = record(log, hand(1, s2=5, s3=5, s4=10, s6=20), *({"kind": "leave", "seat": seat} for seat in (2, 3, 4)))
    log = record(log, hand(1, s6=1), {"kind": "stop", "pool": "refund"})
    summary = summarize(play(log), "2026-11-26")
    assert {each.name: each.place for each in summary.seats} == {
        "Ann": 1, "Fay": 2, "Ben": 3, "Cat": 3, "Dan": 5, "Eve": 6,
    }  # fmt: skip


def test_cash_games_owe_nothing_and_a_games_own_payments_lower_its_balances():
    log = begin(players=["Ann", "Ben"], stakes=STAKES, house={"buy_ins": 0})
    log = record(log, hand(1, s2=150))  # Ann +60, Ben −60
    paid = record(log, {"kind": "paid", "from": 2, "to": 1, "amount": 20})
    cash = record(begin(players=["Ann", "Ben"], stakes=STAKES, settle="cash", house={"buy_ins": 0}), hand(1, s2=150))
    money = [[(each.won, each.owed) for each in summarize(play(each), "").seats] for each in (log, paid, cash)]
    assert money == [[(60, 60), (-60, -60)], [(60, 40), (-60, -40)], [(60, 0), (-60, 0)]]


# ---- Stories


def result_of(told):
    """Return a seat's result, told as "Ann 1 120": the name, the place and what was won."""
    name, *numbers = told.split()
    return name, *map(int, numbers)


def found(talk, step, path):
    """Return what a path stands for in a club, with the table of a step's dates."""
    dates, least = step.get("dates", ()), step.get("least", 1)
    shown = {"club": talk.club, "played": talk.played, "problems": talk.problems(), "owed": talk.owed()}
    shown |= {"people": talk.people(), "places": talk.places(*dates, least=least)}
    shown |= {"table": talk.table(*dates, least=least)}
    first, *parts = path.split(".")
    return plain(inside(shown[first], parts))


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story["title"])
def test_a_club_is_what_its_story_tells(story):
    talk = Talk()
    for number, step in enumerate(story["step"], 1):
        talk.games.pop(step.get("gone"), None)
        for game_id, seats in step.get("games", {}).items():
            talk.games[int(game_id)] = seats and game(*map(result_of, seats))
        talk.copies |= {int(game_id): originals for game_id, originals in step.get("copies", {}).items()}
        if "play" in step:
            talk.play(*map(result_of, step["play"]), **step.get("with", {}))
        for event in step.get("say", ()):
            talk.say(**event)
        expected = step.get("expect", {})
        assert {path: found(talk, step, path) for path in expected} == expected, f"step {number}"
        refused = [(each["event"], each["by"]) for each in step.get("refused", ())]
        assert [(event, plain(talk.refused(**event))) for event, _ in refused] == refused, f"step {number}"


def test_an_undo_brings_no_game_back_while_its_copy_counts():
    talk = Talk()
    entry = talk.play(("Ann", 1, 10), ("Ben", 2, -10))
    assert fault_of_return(talk.club, ()) == fault_of_return(talk.club, (2, 3)) == []
    [fault] = fault_of_return(talk.club, (2, 1))
    assert (fault.rule, fault.facts["field"], fault.facts["entry"]) == ("game-copied", "target", entry)


def test_a_club_holds_500_people_and_10000_entries():
    talk = Talk()
    for number in range(MOST_PEOPLE):
        talk.log.append(ClubEntry(number + 2, read_sent({"kind": "person", "name": f"P{number}"})))
    assert talk.refused("person", name="One more") == [("club-full", "people")]
    assert talk.refused("person_name", id=1, name="Ann") == []
    talk.log += [ClubEntry(number, talk.log[1].event) for number in range(len(talk.log) + 1, MOST_CLUB_ENTRIES + 1)]
    assert talk.refused("undo", target=2) == [("club-full", "kind")]


def test_a_row_adds_up_hands_and_points_over_games():
    talk = Talk()
    ann = seat(1, "Ann", 1, 20, hands=5, hands_won=3, kalookis=1, held=40, lost=2)
    talk.play(ann, seat(2, "Ben", 2, -20, hands=5, hands_won=2, held=90, lost=3))
    talk.play(ann._replace(hands=4, hands_won=0, kalookis=0, held=60, lost=4, won=-5), ("Cat", 1, 5))
    [row] = [each for each in talk.table() if each.person == 1]
    assert (row.games, row.hands, row.hands_won, row.kalookis, row.left) == (2, 9, 3, 1, (100, 6))
    assert row.money == {"EUR": 15}
