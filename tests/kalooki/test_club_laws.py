"""What holds for every club, whatever was said in it."""

from random import Random

import pytest

from app.kalooki.club.events import ClubEntry, read_sent
from app.kalooki.club.league import league, slates
from tests.examples import times
from tests.kalooki.club_talk import Talk, pay
from tests.random_clubs import NAMES, random_club, random_game

SEEDS = range(times(40))


def state(talk):
    """What a club is now, but for how it came to be: no numbers of entries, and no ids given in vain."""
    club = talk.club
    games = {number: each._replace(entry=0) for number, each in club.games.items()}
    money = [
        (slate.currency, {each: amount for each, amount in slate.balances.items() if amount}) for slate in bills(talk)
    ]
    return club.name, club.people, club.merged, games, [*club.paid], table(talk), money


def table(talk):
    return league(talk.club, talk.played)


def bills(talk):
    return slates(talk.club, talk.played)


def test_the_random_clubs_say_everything_and_meet_everything():
    clubs = [random_club(seed) for seed in SEEDS]
    said = {event.kind for talk in clubs for _, event in talk.log}
    assert said == {"start", "game", "undo", "merge", "person", "person_name", "people", "drop", "paid"}
    why = {each.problem.why for talk in clubs for each in talk.played if each.problem}
    assert why == {"gone", "unreadable", "person-twice", "seat-unknown"}
    assert max(len(slate.payments) for talk in clubs for slate in bills(talk)) > 3
    assert any(talk.club.merged for talk in clubs)


@pytest.mark.parametrize("seed", SEEDS)
def test_to_undo_what_was_just_said_is_never_to_have_said_it(seed):
    talk, random = random_club(seed), Random(seed)
    before = state(talk)
    for kind, fields in (
        ("merge", {"person": random.choice([*talk.people(), 1]), "into": random.choice([*talk.people(), 1])}),
        ("person", {"name": random.choice(NAMES)}),
        ("person_name", {"id": random.choice([*talk.people(), 1]), "name": random.choice(NAMES)}),
        ("undo", {"target": random.randint(2, len(talk.log) + 1)}),
        *(("drop", {"code": each.game.code}) for each in talk.played[:1]),
        *(("people", {"code": each.game.code, "people": {"1": "New"}}) for each in talk.played[:1]),
    ):
        if not talk.judged(kind, **fields)[1]:
            talk.say("undo", target=talk.say(kind, **fields))
            assert state(talk) == before, (kind, fields)


@pytest.mark.parametrize("seed", SEEDS)
def test_to_undo_anything_is_never_to_have_said_it(seed):
    """Said instead is something without effect; entries that bring somebody into the club would change others' ids."""
    talk = random_club(seed)
    undone = talk.club.undone_by
    for number, event in talk.log[1:]:
        if number not in undone and not event.newcomers:
            without = Talk()
            without.games = talk.games
            nothing = ClubEntry(number, read_sent({"kind": "drop", "code": "nothing"}))
            without.log = [nothing if each.number == number else each for each in talk.log]
            said = len(talk.log)
            talk.log.append(ClubEntry(said + 1, read_sent({"kind": "undo", "target": number})))
            assert state(talk) == state(without), (number, event)
            talk.log = talk.log[:said]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_in_which_games_are_added_does_not_matter_to_the_table(seed):
    random = Random(seed)
    tables = []
    talks = [Talk(), Talk()]
    games = {number: random_game(random) for number in range(1, 13)}
    for talk in talks:
        talk.games = games
        order = random.sample([*games], len(games))
        for name in {name.casefold() for name in NAMES}:
            talk.say("person", name=name)
        for number in order:
            if not talk.judged("game", code=f"G{number}")[1]:
                talk.say("game", code=f"G{number}")
        rows = [row._replace(person=talk.people()[row.person]) for row in talk.table()]
        tables.append(
            [row._replace(money={name.casefold(): amount for name, amount in row.money.items()}) for row in rows]
        )
    assert tables[0] == tables[1]
    assert tables[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_renamed_persons_table_is_the_same_but_for_who_stands_first_of_equals(seed):
    talk = random_club(seed)
    before, twice = {row.person: row for row in talk.table()}, talk.problems()
    for person in before:
        talk.say("person_name", id=person, name=f"{talk.people()[person]} the new")
    if talk.problems() == twice:  # nobody who joined later was found by a former name
        after = {row.person: row for row in talk.table()}
        assert all(after[person] == row for person, row in before.items())


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_owed_sums_to_zero_and_is_paid_by_those_who_owe(seed):
    talk = random_club(seed)
    for slate in bills(talk):
        left = dict(slate.balances)
        assert sum(left.values()) == 0
        for payment in slate.payments:
            assert slate.balances[payment.payer] < 0 < slate.balances[payment.to]
            left[payment.payer] += payment.amount
            left[payment.to] -= payment.amount
        assert not any(left.values())
        if slate.payments:
            paid = [pay(each.payer, each.to, each.amount, slate.currency.name) for each in slate.payments]
            talk.say("paid", payments=paid)
    assert talk.owed() == []
