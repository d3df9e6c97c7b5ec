"""One person in a club: what their row of the table is made of."""

from app.kalooki.club.league import league
from app.kalooki.club.person import best_and_worst, evenings, games_of, opponents
from tests.kalooki.club_talk import Talk

ANN, BEN, CARA, DAN = 1, 2, 3, 4


def two_thursdays():
    talk = Talk()
    talk.play(("Ann", 1, 120), ("Ben", 2, -60), ("Cara", 3, -60), day="2026-11-05")
    talk.play(("Ann", 2, -30), ("Ben", 1, 60), ("Cara", 2, -30), day="2026-11-12")
    talk.play(("Ann", 1, 10), ("Dan", 2, -10), day="2026-11-12")
    return talk


def test_a_persons_games_add_up_to_their_row_of_the_table():
    talk = two_thursdays()
    games = games_of(talk.club, talk.played, ANN)

    assert [(each.beaten, each.money) for each in games] == [((4, 4), 120), ((1, 4), -30), ((2, 2), 10)]
    for row in league(talk.club, talk.played):
        own = games_of(talk.club, talk.played, row.person)
        assert row.beaten == (sum(each.beaten[0] for each in own), sum(each.beaten[1] for each in own))
        assert row.money == {"EUR": sum(each.money for each in own)}


def test_an_evening_has_all_games_of_its_day():
    talk = two_thursdays()
    first, second = evenings(games_of(talk.club, talk.played, ANN))

    assert (first.day, first.beaten, first.money) == ("2026-11-05", (4, 4), {"EUR": 120})
    assert (second.day, second.beaten, second.money) == ("2026-11-12", (3, 6), {"EUR": -20})
    assert best_and_worst([first, second]) == (first, second)
    assert best_and_worst([first]) is None
    assert best_and_worst([]) is None


def test_of_equal_evenings_the_last_is_the_best():
    talk = two_thursdays()
    talk.play(("Ann", 1), ("Ben", 2), day="2026-11-19", currency=None)
    of_ann = evenings(games_of(talk.club, talk.played, ANN))

    best, worst = best_and_worst(of_ann)
    assert (best.day, best.money, worst.day) == ("2026-11-19", {}, "2026-11-12")


def test_against_counts_who_was_ahead_in_each_game():
    talk = two_thursdays()
    met = opponents(talk.club, games_of(talk.club, talk.played, ANN))

    assert [tuple(each) for each in met] == [(BEN, 2, 1, 0, 1), (CARA, 2, 1, 1, 0), (DAN, 1, 1, 0, 0)]


def test_only_games_that_count_in_these_days_are_a_persons():
    talk = two_thursdays()
    talk.play(("Ann", 1), ("Ben", 2), day="2026-11-13", status="running")
    talk.say("drop", code="G3")

    assert [each.meeting.game.code for each in games_of(talk.club, talk.played, ANN)] == ["G1", "G2"]
    assert [each.meeting.game.code for each in games_of(talk.club, talk.played, ANN, "2026-11-06")] == ["G2"]
    assert games_of(talk.club, talk.played, DAN) == ()


def test_a_merged_persons_games_are_the_others():
    talk = two_thursdays()
    talk.say("merge", person=DAN, into=CARA)

    assert [each.meeting.game.code for each in games_of(talk.club, talk.played, CARA)] == ["G1", "G2", "G3"]
    assert games_of(talk.club, talk.played, DAN) == ()
