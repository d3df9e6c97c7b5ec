"""Laws of every club: what a slow secretary makes of the same story, and what may make no difference."""

import random
from fractions import Fraction

import pytest

from app.kalooki.club.events import ClubEntry, ClubUndo, read_recorded
from app.kalooki.club.fold import fold, meetings
from app.kalooki.club.league import between, currencies, league, slates
from tests import slow_club
from tests.examples import times
from tests.random_club import RandomClub


def told(seed, evenings=8, people=12, happenings=70):
    """A club of which much was told."""
    club = RandomClub(random.Random(seed), evenings, people)
    for _ in range(happenings):
        club.happen()
    return club


@pytest.fixture(scope="module", params=range(times(40)))
def random_club(request):
    return told(request.param)


def balances(club, played):
    """What each is owed, as a number of the whole unit, by currency and person."""
    return {
        (slate.currency.name.casefold(), person): Fraction(amount, 10**slate.currency.decimals)
        for slate in slates(club, played)
        for person, amount in slate.balances.items()
        if amount
    }


def in_small_letters(rows):
    return [row._replace(money={name.casefold(): amount for name, amount in row.money.items()}) for row in rows]


def computed(random_club, first, last, least):
    """All that the program tells of a club, in the slow secretary's form."""
    club, played = random_club.club, random_club.played
    rows = [row._asdict() | {"ranked": row.ranked} for row in league(club, played, first, last, least)]
    return {
        "people": {person: (name, club.merged.get(person)) for person, name in club.people.items()},
        "games": {each.game.entry: listing(random_club, each) for each in between(played, first, last)},
        "records": {
            number
            for number, game in club.games.items()
            if game.records and number in random_club.evenings and random_club.evenings[number].code == game.code
        },
        "currencies": {each.name: each.decimals for each in currencies(club, played).values()},
        "table": [row | {"beaten": [*row["beaten"]], "left": [*row["left"]]} for row in rows],
        "balances": balances(club, played),
        "problems": {(each.game.entry, each.problem.why) for each in played if each.problem},
    }


def listing(random_club, meeting):
    summary, code = meeting.summary, random_club.evenings[meeting.game.id].code
    return {
        "code": code if code == meeting.game.code else None,
        "day": summary.day,
        "variant": summary.variant,
        "status": summary.status,
        "counts": meeting.counts,
        "people": dict(meeting.people),
        "places": {each.seat: each.place for each in summary.seats} if meeting.counts else None,
    }


def assert_told_alike(random_club, first="", last="9999", least=1):
    assert computed(random_club, first, last, least) == slow_club.club(
        random_club.book, random_club.plain, first, last, least
    )


def assert_cleared(random_club):
    """What is owed sums to zero; who owes pays, who is owed is paid, as seldom as can be, and nothing is owed then."""
    for slate in slates(random_club.club, random_club.played):
        owed = {person: amount for person, amount in slate.balances.items() if amount}
        assert sum(owed.values()) == 0
        assert all(owed[each.payer] < 0 < owed[each.to] and each.amount > 0 for each in slate.payments)
        if len(owed) <= 9:
            assert len(slate.payments) == slow_club.fewest([*owed.values()])
        for each in slate.payments:
            owed[each.payer] += each.amount
            owed[each.to] -= each.amount
        assert not any(owed.values())
    paid = random_club.copy()
    paid.pay_all()
    assert not any(slate.payments for slate in slates(paid.club, paid.played))


def test_the_random_clubs_say_everything_and_meet_everything():
    clubs = [told(seed) for seed in range(8)]
    kinds = {event.kind for club in clubs for _, event in club.log}
    assert kinds == {"start", "name", "person", "person_name", "game", "people", "drop", "merge", "paid", "undo"}
    why = {meeting.problem.why for club in clubs for meeting in club.played if meeting.problem}
    assert why == {"gone", "unreadable", "person-twice", "seat-unknown"}
    assert max(len(slate.payments) for club in clubs for slate in slates(club.club, club.played)) > 3
    assert any(club.club.merged for club in clubs)


def test_a_club_is_what_a_slow_secretary_makes_of_it(random_club):
    for length in range(len(random_club.log), 1, -4):
        assert_told_alike(random_club.copy(length))
    assert_told_alike(random_club, "2025-12-06", "2026-03-01", 2)
    assert_cleared(random_club)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_sixty_evenings_of_thirty_people_are_what_a_slow_secretary_makes_of_them(seed):
    random_club = told(seed, evenings=60, people=30, happenings=400)
    assert_told_alike(random_club)
    assert_told_alike(random_club, "2026-01-01", "2026-04-30", 3)
    assert_cleared(random_club)


def seen(random_club, log):
    """All that a club is after a log, but how long it is."""
    club = fold(log)
    played = meetings(club, random_club.summaries)
    return (club.name, club.usual, club.people, club.merged, club.games, club.paid, played,
            league(club, played), slates(club, played))  # fmt: skip


NOTHING = ClubUndo(10**6)


def test_an_undo_of_anything_equals_never_having_said_it(random_club):
    """Later entries keep their numbers by an entry that says nothing."""
    log, undone = random_club.log, random_club.club.undone_by
    for number, event in log[1:]:
        if number in undone or event.newcomers:
            continue
        without = [*log[: number - 1], ClubEntry(number, NOTHING), *log[number:]]
        assert seen(random_club, [*log, ClubEntry(len(log) + 1, ClubUndo(number))]) == seen(random_club, without)


def test_an_undo_of_the_newest_entry_gives_the_club_before_it_back(random_club):
    log = random_club.log
    for length in range(2, len(log) + 1):
        undo, redo = (ClubEntry(length + each, ClubUndo(length + each - 1)) for each in (1, 2))
        assert seen(random_club, [*log[:length], undo]) == seen(random_club, log[: length - 1])
        assert seen(random_club, [*log[:length], undo, redo]) == seen(random_club, log[:length])


def seated_again(random_club, order):
    """The games that count added anew in some order, everybody told by id, and the payments."""
    club = random_club.club
    log = [random_club.log[0]]
    new = [{"kind": "person", "name": f"P{number}"} for number in range(1, club.last_id + 1)]
    new += [{"kind": "person_name", "id": person, "name": name} for person, name in club.people.items()]
    new += [
        {"kind": "game", "code": each.game.code, "game": each.game.id, "people": people, "seats": people}
        for each in order
        for people in [{str(seat): person for seat, person in each.people.items()}]
    ]
    new += [
        {"kind": "paid", "payments": [payment.plain], "decimals": {payment.currency: decimals}}
        for payment, decimals in club.paid
        for payment in [payment._replace(payer=club.whole(payment.payer), to=club.whole(payment.to))]
    ]
    return log + [ClubEntry(number, read_recorded(event)) for number, event in enumerate(new, 2)]


def test_neither_the_order_of_adding_games_nor_new_names_change_the_table(random_club):
    club, played = random_club.club, random_club.played
    counting = [each for each in played if each.counts]
    random_club.rng.shuffle(counting)
    log = seated_again(random_club, counting)
    again = meetings(fold(log), random_club.summaries)
    assert in_small_letters(league(fold(log), again)) == in_small_letters(league(club, played))
    assert balances(fold(log), again) == balances(club, played)

    renamed = [{"kind": "person_name", "id": person, "name": f"Zed {person}"} for person in club.people]
    log += [ClubEntry(number, read_recorded(event)) for number, event in enumerate(renamed, len(log) + 1)]
    rows = {row.person: row for row in in_small_letters(league(fold(log), again))}
    assert rows == {row.person: row for row in in_small_letters(league(club, played))}


def test_a_merge_adds_two_peoples_rows_and_an_unmerge_gives_them_back(random_club):
    random_club, club = random_club.copy(), random_club.club
    alone = [person for person in club.people if person not in club.merged]
    for person in alone:
        before = {row.person: row for row in league(random_club.club, random_club.played)}
        problems = [each.problem for each in random_club.played]
        into = random_club.rng.choice(alone)
        merged = random_club.say(kind="merge", person=person, into=into)
        after = {row.person: row for row in league(random_club.club, random_club.played)}
        if merged and problems == [each.problem for each in random_club.played]:
            for counted in ("games", "wins", "hands", "hands_won", "kalookis"):
                of_both = [getattr(before[each], counted) for each in (person, into) if each in before]
                assert sum(of_both) == (getattr(after[into], counted) if into in after else 0)
            assert person not in after
        if merged:
            random_club.say(kind="undo", target=merged)
            assert {row.person: row for row in league(random_club.club, random_club.played)} == before
