"""Random clubs: people, evenings in several currencies, and everything a club can say about them."""

from itertools import pairwise
from random import Random

from tests.kalooki.club_talk import Talk, game, pay, seat

NAMES = (
    "Ann",
    "ann",
    "Ben",
    "BEN",
    "Cat",
    "Dan",
    "Eve",
    "Fay",
    "Gus",
    "Hal",
    "Ida",
    "Jan",
    "Jane",
    "Kit",
    "Lou",
    "Zoë",
)
MONEY = (("EUR", 2), ("eur", 2), ("EUR", 3), ("JPY", 0), ("jpy", 2), (None, 2))
DAYS = tuple(f"{year}-{day}" for year in (2025, 2026) for day in ("01-01", "02-28", "06-30", "11-26", "12-31"))


def random_club(seed, entries=60):
    """A club after so many things were tried; what was refused is not in its log."""
    random, talk = Random(seed), Talk()
    for _ in range(entries):
        attempt(random, talk)
    return talk


def attempt(random, talk):
    """Say something, if it is not refused; or change, delete or spoil a game that is there."""
    if talk.games and random.random() < 0.15:
        number = random.choice([*talk.games])
        change = random.random()
        if change < 0.7:
            talk.games[number] = random_game(random, talk.games[number])
        elif change < 0.8:
            talk.games[number] = None
        else:
            del talk.games[number]
        return
    kind, fields = random_event(random, talk)
    _, faults = talk.judged(kind, **fields)
    if not faults:
        talk.say(kind, **fields)


def random_event(random, talk):
    people, codes = [*talk.club.people] or [1], [f"G{number}" for number in talk.games] or ["G0"]
    some = random.choice
    who = {
        str(number): some([some(people), some(NAMES)]) for number in random.sample(range(1, 6), random.randint(0, 2))
    }
    kind = some(
        ("game",) * 6 + ("undo",) * 3 + ("merge", "merge", "person", "person_name", "people", "drop", "paid", "paid")
    )
    if kind == "game" and random.random() < 0.8:
        talk.games[len(talk.log) * 1000 + len(talk.games)] = random_game(random)
        return kind, {"code": f"G{[*talk.games][-1]}", "people": who if random.random() < 0.3 else {}}
    return kind, {
        "game": {"code": some(codes), "people": who},
        "undo": {"target": random.randint(1, len(talk.log))},
        "merge": {"person": some(people), "into": some(people)},
        "person": {"name": some(NAMES)},
        "person_name": {"id": some(people), "name": some(NAMES)},
        "people": {"code": some(codes), "people": who},
        "drop": {"code": some(codes)},
        "paid": {"payments": [pay(some(people), some(people), random.randint(1, 500), some(("EUR", "Jpy", "GBP")))]},
    }[kind]


def random_game(random, before=None):
    """A game, or one corrected: the same people, perhaps one more, with other results."""
    names = [each.name for each in before.seats] if before else random.sample(NAMES, random.randint(2, 5))
    if before and random.random() < 0.3:
        names.append(random.choice(NAMES))
    currency, decimals = (before.currency or (None, 2)) if before else random.choice(MONEY)
    cuts = sorted(random.randint(-900, 900) for _ in names[1:])
    won = [high - low for low, high in pairwise((0, *cuts, 0))] if currency else [0] * len(names)
    points = [random.randint(0, 4) for _ in names]
    on_account = random.random() < 0.8
    rows = [
        seat(
            number,
            name,
            1 + sum(other < own for other in points),
            money,
            owed=money if on_account else 0,
            hands=random.randint(0, 20),
            held=random.randint(0, 99),
        )
        for number, (name, money, own) in enumerate(zip(names, won, points, strict=True), 1)
    ]
    day = before.day if before and random.random() < 0.7 else random.choice(DAYS)
    status = "over" if random.random() < 0.85 else "playing"
    return game(*rows, day=day, currency=currency, decimals=decimals, status=status)
