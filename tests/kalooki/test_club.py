"""The club: its people, its games, its table and its money, sentence by sentence."""

import pytest

from app.kalooki.cards import BadInput
from app.kalooki.club.events import ClubEntry, read_recorded, read_sent, schemas
from app.kalooki.club.judging import MOST_CLUB_ENTRIES, MOST_PEOPLE
from app.kalooki.club.summary import SeatResult, summarize
from app.kalooki.game.play import play
from app.kalooki.kinds import to_json
from tests.kalooki.club_talk import Talk, game, pay, seat
from tests.kalooki.table_talk import begin, hand, record

STAKES = {"currency": "EUR", "call_up": 10, "kalooki": 20, "initial": 50, "buy_in": 50}


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
    {"kind": "paid", "payments": [pay(1, 2, 120)]},
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
        ({"kind": "start", "name": "Again"}, ""),
        ({"kind": "hand"}, "kind"),
        ({"kind": "name", "name": " \u200b"}, "name"),
        ({"kind": "name", "name": "x" * 41}, "name"),
        ({"kind": "usual", "variant": "european", "season": "02-29"}, "season"),
        ({"kind": "usual", "variant": "european", "season": 9}, "season"),
        ({"kind": "usual", "variant": "european", "least": 0}, "least"),
        ({"kind": "person_name", "id": 0, "name": "Eve"}, "id"),
        ({"kind": "game", "code": "G1", "people": {"1": 0}}, "people.1"),
        ({"kind": "game", "code": "G1", "people": {"1": True}}, "people.1"),
        ({"kind": "game", "code": "G1", "people": {"57": 1}}, "people"),
        ({"kind": "game", "code": "G1", "people": {"1": ""}}, "people.1"),
        ({"kind": "game", "code": "G1", "seats": {"1": 1}}, "seats"),
        ({"kind": "game", "code": "G1", "game": 7}, "game"),
        ({"kind": "game", "code": "G1", "records": True}, "records"),
        ({"kind": "people", "code": "G1"}, "people"),
        ({"kind": "paid", "payments": []}, "payments"),
        ({"kind": "paid", "payments": [pay(1, 2, 5)] * 101}, "payments"),
        ({"kind": "paid", "payments": [pay(1, 2, 0)]}, "payments.0.amount"),
        ({"kind": "paid", "payments": [pay(1, 2, 5) | {"note": ""}]}, "payments.0.note"),
        ({"kind": "paid", "payments": [pay(1, 2, 5)], "decimals": {"EUR": 0}}, "decimals"),
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


def test_the_newest_name_and_usual_rules_hold_until_they_are_undone():
    talk = Talk()
    named, usual = talk.say("name", name="Friday"), talk.say("usual", variant="jamaican")
    assert (talk.club.name, talk.club.usual.variant) == ("Friday", "jamaican")

    talk.say("undo", target=named)
    talk.say("undo", target=usual)
    assert (talk.club.name, talk.club.usual) == ("Thursday", None)


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


# ---- People


def test_ids_follow_the_entries_and_within_one_entry_the_seats():
    talk = Talk()
    talk.say("person", name="Ann")
    talk.play(("Cat",), ("ANN",), ("Ben",))
    assert talk.people() == {1: "Ann", 2: "Cat", 3: "Ben"}
    assert talk.played[0].people == {1: 2, 2: 1, 3: 3}


def test_ids_are_never_given_twice_and_who_came_by_what_is_undone_is_gone_unless_named():
    talk = Talk()
    eve, fay = talk.say("person", name="Eve"), talk.say("person", name="Fay")
    talk.play(("Ann",), ("Ben",), people={"1": 2})
    talk.say("undo", target=eve)
    talk.say("undo", target=fay)
    # Fay sat in a game that counts
    assert talk.people() == {2: "Fay", 3: "Ben"}
    talk.say("person", name="Gus")
    assert talk.people()[4] == "Gus"
    assert talk.refused("person_name", id=1, name="Eva") == [("no-such-person", "id")]


def test_names_are_matched_when_a_game_is_added_and_later_renames_move_nobody():
    talk = Talk()
    talk.play(("Ann",), ("Ben",))
    talk.say("person_name", id=1, name="Anna")
    talk.play(("Ann",), ("BEN",))
    assert talk.people() == {1: "Anna", 2: "Ben", 3: "Ann"}
    assert [each.people for each in talk.played] == [{1: 1, 2: 2}, {1: 3, 2: 2}]


def test_a_merged_persons_name_finds_whom_they_are_merged_into():
    talk = Talk()
    talk.play(("Ann",), ("Ben",))
    talk.say("person", name="Benny")
    talk.say("merge", person=3, into=2)
    talk.play(("Ann",), ("Benny",))
    assert talk.played[1].people == {1: 1, 2: 2}


def test_two_people_of_one_name_are_asked_about_and_a_name_told_is_a_new_person():
    talk = Talk()
    talk.play(("Ann",), ("Ben",), people={"1": "Ann"})
    talk.play(("Ann",), ("Ben",), people={"1": "Ann"})
    assert talk.people() == {1: "Ann", 2: "Ben", 3: "Ann"}
    talk.games[3] = game(("Ann",), ("Ben",))
    assert talk.refused("game", code="G3") == [("which-person", "people.1")]
    assert talk.refused("game", code="G3", people={"1": 3}) == []
    talk.say("merge", person=3, into=1)
    assert talk.refused("game", code="G3") == []


def test_who_joins_later_is_matched_by_name_whenever_it_is_computed():
    talk = Talk()
    talk.play(("Ann",), ("Ben",))
    talk.games[1] = game(("Ann",), ("Ben",), ("Cat",))
    assert talk.problems() == [("G1", "seat-unknown", ("Cat",))]
    assert talk.table() == ()
    cat = talk.say("person", name="cat")
    assert talk.played[0].people == {1: 1, 2: 2, 3: 3}
    talk.say("undo", target=cat)
    talk.say("people", code="G1", people={"3": "Cathy"})
    assert (talk.problems(), talk.people()) == ([], {1: "Ann", 2: "Ben", 4: "Cathy"})


def test_who_joins_by_a_name_of_several_is_unknown():
    talk = Talk()
    talk.play(("Ann",), ("Ben",))
    talk.say("person", name="Ann")
    talk.games[1] = game(("Ann",), ("Ben",), ("ann",))
    assert talk.problems() == [("G1", "seat-unknown", ("ann",))]


def test_people_corrects_who_sat_where():
    talk = Talk()
    talk.play(("Ann",), ("Ben",))
    told = talk.say("people", code="G1", people={"2": "Eve"})
    assert (talk.people(), talk.played[0].people) == ({1: "Ann", 2: "Ben", 3: "Eve"}, {1: 1, 2: 3})
    assert talk.refused("people", code="G1", people={"1": 3}) == [("person-twice", "people")]
    assert talk.refused("people", code="G1", people={"1": 3, "2": 1}) == []
    assert talk.refused("people", code="G1", people={"3": 2}) == [("no-such-seat-there", "people.3")]
    assert talk.refused("people", code="G1", people={"1": 9}) == [("no-such-person", "people.1")]
    assert talk.refused("people", code="G9", people={"1": 1}) == [("no-such-club-game", "code")]
    talk.say("undo", target=told)
    assert (talk.people(), talk.played[0].people) == ({1: "Ann", 2: "Ben"}, {1: 1, 2: 2})


def test_one_person_in_two_seats_is_refused_and_where_undos_bring_it_about_left_out_and_named():
    talk = Talk()
    for name in ("Ann", "Annie", "Ben"):
        talk.say("person", name=name)
    merged = talk.say("merge", person=2, into=1)
    talk.games[1] = game(("Ann",), ("Annie",))
    assert talk.refused("game", code="G1") == [("person-twice", "people")]
    assert talk.refused("game", code="G1", people={"1": 3, "2": 3}) == [("person-twice", "people")]
    unmerged = talk.say("undo", target=merged)
    talk.say("game", code="G1")
    talk.say("undo", target=unmerged)
    assert talk.problems() == [("G1", "person-twice", ("Ann",))]
    assert talk.table() == ()


def test_a_merged_persons_games_end_at_the_last_of_a_chain_and_merged_into_is_the_direct_one():
    talk = Talk()
    for name in ("Ann", "Annie", "Anna"):
        talk.play((name, 1), ("Ben", 2))
    talk.say("merge", person=1, into=3)
    second = talk.say("merge", person=3, into=4)
    assert talk.club.merged == {1: 3, 3: 4}
    assert talk.places() == [("Anna", 1), ("Ben", 2)]
    assert talk.table()[0].games == 3
    talk.say("undo", target=second)
    assert talk.places() == [("Annie", 1), ("Anna", 2), ("Ben", 3)]  # two wins, one win


def test_merge_is_refused_in_a_ring_if_merged_already_and_if_both_sat_in_one_game():
    talk = Talk()
    for name in ("Ann", "Ben", "Cat", "Dan"):
        talk.say("person", name=name)
    talk.say("merge", person=1, into=2)
    talk.say("merge", person=2, into=3)
    assert talk.refused("merge", person=1, into=4) == [("merged-already", "person")]
    assert talk.refused("merge", person=3, into=1) == [("merged-ring", "into")]
    assert talk.refused("merge", person=4, into=4) == [("merged-ring", "into")]
    assert talk.refused("merge", person=9, into=4) == [("no-such-person", "person")]
    talk.play(("Ann",), ("Dan",), status="playing")  # Ann is Cat by now
    assert talk.refused("merge", person=4, into=2) == [("sat-together", "into")]
    assert talk.refused("merge", person=3, into=4) == [("sat-together", "into")]
    talk.say("drop", code="G1")
    assert talk.refused("merge", person=4, into=2) == []


def test_who_joined_later_sat_together_too():
    talk = Talk()
    talk.play(("Ann",), ("Ben",))
    talk.say("person", name="Cat")
    talk.games[1] = game(("Ann",), ("Ben",), ("Cat",))
    assert talk.refused("merge", person=3, into=1) == [("sat-together", "into")]


def test_a_ring_that_undos_make_is_broken_by_ignoring_the_later_merge():
    talk = Talk()
    for name in ("Ann", "Ben"):
        talk.say("person", name=name)
    first = talk.say("merge", person=1, into=2)
    undo = talk.say("undo", target=first)
    talk.say("merge", person=2, into=1)
    talk.say("undo", target=undo)
    assert talk.club.merged == {1: 2}


def test_a_club_holds_500_people_and_10000_entries():
    talk = Talk()
    for number in range(MOST_PEOPLE):
        talk.log.append(ClubEntry(number + 2, read_sent({"kind": "person", "name": f"P{number}"})))
    assert talk.refused("person", name="One more") == [("club-full", "people")]
    assert talk.refused("person_name", id=1, name="Ann") == []
    talk.log += [ClubEntry(number, talk.log[1].event) for number in range(len(talk.log) + 1, MOST_CLUB_ENTRIES + 1)]
    assert talk.refused("undo", target=2) == [("club-full", "kind")]


# ---- Games


def test_a_code_that_is_no_game_is_refused():
    talk = Talk()
    talk.games[1] = None
    assert talk.refused("game", code="K7P2M4QXR3T") == [("no-such-game", "code")]
    assert talk.refused("game", code="G1") == [("unreadable-game", "code")]
    assert talk.refused("drop", code="G1") == [("no-such-club-game", "code")]
    talk.games[1] = game(("Ann",), ("Ben",))
    assert talk.refused("game", code="G1", people={"3": 1}) == [("no-such-person", "people.3")]
    assert talk.refused("game", code="G1", people={"3": "Cat"}) == [("no-such-seat-there", "people.3")]


def test_a_game_counts_once_and_after_a_drop_the_later_entry_holds():
    talk = Talk()
    first = talk.play(("Ann",), ("Ben",))
    assert talk.refused("game", code="G1") == [("game-twice", "code")]
    dropped = talk.say("drop", code="G1")
    assert talk.played == ()
    again = talk.say("game", code="G1", people={"1": "Eve"})
    talk.say("undo", target=dropped)
    assert [(each.game.entry, each.people) for each in talk.played] == [(again, {1: 3, 2: 2})]
    talk.say("undo", target=again)
    assert [(each.game.entry, each.people) for each in talk.played] == [(first, {1: 1, 2: 2})]


def test_a_copy_of_a_game_that_counts_is_refused_until_the_original_is_dropped():
    talk = Talk()
    talk.play(("Ann",), ("Ben",))
    talk.games[2], talk.copies[2] = talk.games[1], [1]
    assert talk.refused("game", code="G2") == [("game-copied", "code")]
    talk.say("drop", code="G1")
    assert talk.refused("game", code="G2") == []


def test_open_and_left_out_games_do_not_count_and_deleted_ones_are_only_problems():
    talk = Talk()
    for status in ("playing", "buy_ins", "over", "over"):
        talk.play(("Ann",), ("Ben",), status=status)
    del talk.games[3]
    talk.games[4] = None
    assert talk.problems() == [("G3", "gone", ()), ("G4", "unreadable", ())]
    assert [each.counts for each in talk.played] == [False] * 4
    assert talk.refused("people", code="G3", people={"1": 2, "2": 1}) == [("no-such-game", "code")]
    assert talk.refused("people", code="G4", people={"1": 2, "2": 1}) == [("unreadable-game", "code")]


def test_a_right_given_with_a_game_is_lost_by_a_drop_and_comes_back_when_that_is_undone():
    talk = Talk()
    talk.play(("Ann",), ("Ben",))
    assert talk.club.games[1].records
    dropped = talk.say("drop", code="G1")
    assert talk.club.games == {}
    talk.say("undo", target=dropped)
    assert talk.club.games[1].records


# ---- Undo


def test_an_undo_is_refused_for_the_start_for_what_is_not_there_and_twice():
    talk = Talk()
    named = talk.say("name", name="Friday")
    assert talk.refused("undo", target=1) == [("no-such-club-entry", "target")]
    assert talk.refused("undo", target=3) == [("no-such-club-entry", "target")]
    undo = talk.say("undo", target=named)
    assert talk.refused("undo", target=named) == [("club-undone-already", "target")]
    talk.say("undo", target=undo)
    assert talk.club.name == "Friday"


# ---- Table


def test_the_order_is_share_beaten_then_wins_then_more_games_then_name():
    talk = Talk()
    talk.play(("Cat", 1), ("Dan", 2), ("Ben", 2), ("Ann", 4))
    # Cat beats all three; Ben and Dan beat Ann and share with each other: twice one and once one, of twice three
    assert [(row.person, row.place, row.beaten, row.wins) for row in talk.table()] == [
        (1, 1, (6, 6), 1),
        (3, 2, (3, 6), 0),
        (2, 2, (3, 6), 0),
        (4, 4, (0, 6), 0),
    ]


def test_more_games_stand_before_fewer_if_share_and_wins_are_equal():
    talk = Talk()
    talk.play(("Ann", 1), ("Ben", 2))
    talk.play(("Ben", 1), ("Ann", 2))
    talk.play(("Cat", 1), ("Ben", 1))
    talk.play(("Cat", 2), ("Dan", 1))
    # Ann 2 of 4 with 1 win; Ben 0+2+1 of 6 with 2 wins; Cat 1+0 of 4; Dan 2 of 2
    assert talk.places() == [("Dan", 1), ("Ben", 2), ("Ann", 3), ("Cat", 4)]
    talk.play(("Eve", 2), ("Fay", 1), ("Gus", 3))
    # Eve 2 of 4 without a win, after Ann and Ben with as large a share; Fay 4 of 4, Gus 0 of 4
    assert talk.places() == [("Dan", 1), ("Fay", 1), ("Ben", 3), ("Ann", 4), ("Eve", 5), ("Cat", 6), ("Gus", 7)]


def test_the_name_only_sorts():
    talk = Talk()
    talk.play(("Zoë", 1), ("adam", 1), ("Mia", 3), ("Bea", 4))
    assert talk.places() == [("adam", 1), ("Zoë", 1), ("Mia", 3), ("Bea", 4)]


def test_wins_count_shared_first_places():
    talk = Talk()
    talk.play(("Ann", 1), ("Ben", 1))
    assert [row.wins for row in talk.table()] == [1, 1]


def test_who_has_fewer_games_stands_below_without_a_place():
    talk = Talk()
    talk.play(("Ann", 2), ("Ben", 3), ("Lou", 1))
    talk.play(("Ann", 1), ("Ben", 2))
    assert talk.places(least=2) == [("Ann", 1), ("Ben", 2), ("Lou", None)]
    assert [row.ranked for row in talk.table(least=2)] == [True, True, False]


def test_dates_filter_the_table_and_from_after_to_is_an_empty_one():
    talk = Talk()
    for day, names in (("2025-12-31", "AB"), ("2026-01-01", "AC"), ("2026-12-31", "AD")):
        talk.play((names[0], 1), (names[1], 2), day=day)
    assert talk.places("2026-01-01", "2026-12-31") == [("A", 1), ("C", 2), ("D", 2)]
    assert talk.places("2026-01-02", "") == [("A", 1), ("D", 2)]
    assert talk.places("", "2025-12-31") == [("A", 1), ("B", 2)]
    assert talk.table("2026-12-31", "2026-01-01") == ()


def test_a_row_adds_up_hands_and_points_over_games():
    talk = Talk()
    ann = seat(1, "Ann", 1, 20, hands=5, hands_won=3, kalookis=1, held=40, lost=2)
    talk.play(ann, seat(2, "Ben", 2, -20, hands=5, hands_won=2, held=90, lost=3))
    talk.play(ann._replace(hands=4, hands_won=0, kalookis=0, held=60, lost=4, won=-5), ("Cat", 1, 5))
    [row] = [each for each in talk.table() if each.person == 1]
    assert (row.games, row.hands, row.hands_won, row.kalookis, row.left) == (2, 9, 3, 1, (100, 6))
    assert row.money == {"EUR": 15}


def test_a_renamed_persons_table_is_the_same():
    talk = Talk()
    talk.play(("Ann", 1, 5), ("Ben", 2, -5))
    before = talk.table()
    talk.say("person_name", id=1, name="Anna")
    assert talk.table() == before


# ---- Money


def test_owed_clears_balances_less_what_was_paid_and_money_is_without_it():
    talk = Talk()
    talk.play(("Ann", 1, 120), ("Ben", 2, -50), ("Cat", 3, -70))
    talk.play(("Ann", 1), ("Ben", 2), currency=None)
    talk.say("paid", payments=[pay(2, 1, 20)])
    assert talk.owed() == [("Ben", "Ann", 30, "EUR"), ("Cat", "Ann", 70, "EUR")]
    assert [row.money for row in talk.table()] == [{"EUR": 120}, {"EUR": -50}, {"EUR": -70}]


def test_a_game_corrected_after_everything_was_paid_is_owed_again_by_its_difference():
    talk = Talk()
    talk.play(("Ann", 1, 120), ("Ben", 2, -120))
    talk.say("paid", payments=[pay(2, 1, 120)])
    assert talk.owed() == []
    talk.games[1] = game(("Ann", 1, 90), ("Ben", 2, -90))
    assert talk.owed() == [("Ann", "Ben", 30, "EUR")]


def test_several_payments_are_one_entry_and_one_undo():
    talk = Talk()
    talk.play(("Ann", 1, 120), ("Ben", 2, -50), ("Cat", 3, -70))
    paid = talk.say("paid", payments=[pay(2, 1, 50), pay(3, 1, 70)])
    assert talk.owed() == []
    talk.say("undo", target=paid)
    assert talk.owed() == [("Ben", "Ann", 50, "EUR"), ("Cat", "Ann", 70, "EUR")]


def test_a_payment_to_oneself_is_refused_also_after_a_merge():
    talk = Talk()
    for name in ("Ann", "Anna", "Ben"):
        talk.say("person", name=name)
    talk.say("merge", person=2, into=1)
    payments = [pay(3, 1, 5), pay(2, 1, 5), pay(3, 3, 5)]
    assert talk.refused("paid", payments=payments) == [
        ("paid-to-self", "payments.1.to"),
        ("paid-to-self", "payments.2.to"),
    ]
    assert talk.refused("paid", payments=[pay(3, 4, 5)]) == [("no-such-person", "payments.0.to")]


def test_currencies_that_differ_in_case_are_one_spelt_as_in_the_first_game_in_the_most_decimals():
    talk = Talk()
    talk.play(("Ann", 1, 5), ("Ben", 2, -5), currency="Pts", decimals=0)
    talk.say("paid", payments=[pay(2, 1, 2, "pts")])  # told without decimals: 2 whole ones
    talk.play(("Ann", 1, 50), ("Ben", 2, -50), currency="PTS", decimals=1)
    # 5.0 + 5.0 − 2.0
    assert talk.owed() == [("Ben", "Ann", 80, "Pts")]
    assert talk.table()[0].money == {"Pts": 100}
    talk.say("paid", payments=[pay(2, 1, 2, "PTS")])
    assert talk.owed() == [("Ben", "Ann", 78, "Pts")]


def test_a_currency_is_named_only_for_who_played_for_it():
    talk = Talk()
    talk.play(("Ann", 1, 0), ("Ben", 1, 0))
    talk.play(("Ann", 1, 7), ("Cat", 2, -7), currency="GBP")
    talk.play(("Dan", 1), ("Cat", 2), currency=None)
    money = {talk.people()[row.person]: row.money for row in talk.table()}
    assert money == {"Ann": {"EUR": 0, "GBP": 7}, "Ben": {"EUR": 0}, "Cat": {"GBP": -7}, "Dan": {}}


def test_a_merged_persons_debts_are_the_others():
    talk = Talk()
    talk.play(("Ann", 1, 30), ("Ben", 2, -30))
    talk.play(("Benny", 1, 30), ("Ann", 2, -30))
    talk.say("merge", person=3, into=2)
    assert talk.owed() == []
