"""A slow secretary who keeps a club as its contract tells it, to be compared with the program.

Nothing is shared with `app.kalooki.club` and nothing is remembered: every question reads the whole book again, without
what was undone. A book is a list of dicts, numbered from 1: the `event` as sent, and what was recorded with it. `games`
are all games as they are now, by their number in the database, as `plain` tells them: deleted ones are not there, and
one whose address was reset has its new `code`.
"""

from collections import Counter
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import combinations
from zoneinfo import ZoneInfo

from app.kalooki.game.apply import points_held
from app.kalooki.game.finish import places
from app.kalooki.game.state import Game
from app.kalooki.people import identify

MOST_PEOPLE = 500

# A game


def plain(game: Game, day):
    """What happened in a game, in plain values.

    Beside it a club asks for the game's `code`, its `origin`, which copies share, and whether it is `readable`.
    """
    return {
        "day": day,
        "variant": game.variant.id,
        "status": game.status,
        "currency": game.stakes["currency"] if game.stakes else None,
        "decimals": game.stakes.get("decimals", 2) if game.stakes else None,
        "owed": bool(game.stakes) and game.settle == "account",
        "seats": {seat: plain_seat(game, seat) for seat in game.players},
    }


def plain_seat(game, seat):
    hands = [hand for hand in game.hands if not hand.is_void]
    lost = [hand for hand in hands if seat in hand.event.left and seat not in hand.absent]
    won = [hand for hand in hands if hand.winner == seat]
    return {
        "name": game.players[seat].name,
        "place": places(game)[seat],
        "won": sum(movement.amounts.get(seat, 0) for movement in game.movements if movement.why != "paid"),
        "balance": sum(movement.amounts.get(seat, 0) for movement in game.movements),
        "hands": len(lost) + len(won),
        "hands_won": len(won),
        "kalookis": sum(hand.ending in ("kalooki", "bending") for hand in won),
        "left": [sum(points_held(hand.event.left[seat], game.variant) for hand in lost), len(lost)],
    }


def day_of(times, own_zone, club_zone, corrected=""):
    """The day of a game whose first two entries were told at `times`; a sheet from paper has noon twice."""
    if corrected:
        return corrected
    moments = [datetime.fromisoformat(at) for at in times]
    at_home = [moment.astimezone(ZoneInfo(own_zone)) for moment in moments]
    if len(moments) == 2 and all(f"{moment:%H:%M}" == "12:00" for moment in at_home) and at_home[0] == at_home[1]:
        return f"{at_home[0]:%Y-%m-%d}"
    clock = moments[0].astimezone(ZoneInfo(club_zone)).replace(tzinfo=None)
    return f"{clock - timedelta(hours=6):%Y-%m-%d}"


# The book


def undos(book):
    return {
        number: entry["event"]["target"] for number, entry in enumerate(book, 1) if entry["event"]["kind"] == "undo"
    }


def undone(targets, number):
    """Whether an undo that is not undone itself names the entry; `targets` are those of `undos`."""
    return any(target == number and not undone(targets, undo) for undo, target in targets.items())


def standing(book):
    """The entries that count, with their numbers."""
    targets = undos(book)
    return [(number, entry) for number, entry in enumerate(book, 1) if not undone(targets, number)]


def of_kind(book, *kinds):
    return [(number, entry) for number, entry in standing(book) if entry["event"]["kind"] in kinds]


def named(entry):
    """The ids that an entry names."""
    event = entry["event"]
    ids = {event.get("id"), event.get("person"), event.get("into"), *entry.get("seats", {}).values()}
    return ids | {payment[side] for payment in event.get("payments", []) for side in ("from", "to")}


# People


def births(book):
    """Everybody who ever came, also by an entry that was undone: the number of the entry, and the name."""
    return {
        person: (number, name) for number, entry in enumerate(book, 1) for person, name in entry.get("born", {}).items()
    }


def names(book):
    """The people of the club, with the names they have."""
    counting = dict(standing(book))
    kept = {person for entry in counting.values() for person in named(entry)}
    people = {person: name for person, (number, name) in births(book).items() if number in counting or person in kept}
    return people | {entry["event"]["id"]: entry["event"]["name"] for _, entry in of_kind(book, "person_name")}


def mergers(book):
    """Whom each merged person is merged into; who is merged already stays there, and there is no ring."""
    merged = {}
    for _, entry in of_kind(book, "merge"):
        person, into = entry["event"]["person"], entry["event"]["into"]
        if person not in merged and end(merged, into) != person:
            merged[person] = into
    return merged


def end(merged, person):
    """Who somebody is after all merges."""
    while person in merged:
        person = merged[person]
    return person


def called(book, name):
    """All who are called so, after all merges."""
    merged = mergers(book)
    return {end(merged, person) for person, other in names(book).items() if identify(other) == identify(name)}


# Games in the club


def club_games(book):
    """The games that were added and not dropped, by their number in the database."""
    kept = {}
    for number, entry in of_kind(book, "game", "people", "drop"):
        event = entry["event"]
        if event["kind"] == "game":
            kept[entry["game"]] = {"entry": number} | {key: entry[key] for key in ("code", "records", "seats")}
            continue
        for game, added in list(kept.items()):
            if added["code"] == event["code"] and event["kind"] == "drop":
                del kept[game]
            elif added["code"] == event["code"]:
                kept[game] = added | {"seats": added["seats"] | entry["seats"]}
    return kept


def seated(book, seats, game):
    """Who sat in each seat of a game, after all merges; None where nobody, or nobody in particular, has the name."""
    merged = mergers(book)
    if game is None or not game["readable"]:
        return {seat: end(merged, person) for seat, person in seats.items()}
    people = {}
    for seat, sat in game["seats"].items():
        fitting = {end(merged, seats[seat])} if seat in seats else called(book, sat["name"])
        people[seat] = min(fitting) if len(fitting) == 1 else None
    return people


def is_twice(people):
    known = [person for person in people.values() if person is not None]
    return len(known) != len(set(known))


def why_out(game, people):
    """Why a game cannot count, if it cannot."""
    if game is None:
        return "gone"
    if not game["readable"]:
        return "unreadable"
    if is_twice(people):
        return "person-twice"
    return "seat-unknown" if None in people.values() else None


# Telling the book something: what is recorded, and every rule that speaks against it


def tell(book, event, games, records=False):
    """Return what is recorded of an event, and all rules for which it is refused."""
    entry = {"event": event, "records": records}
    asked = {person for person in [*named(entry), *event.get("people", {}).values()] if isinstance(person, int)}
    rules = {"no-such-person"} if asked - set(names(book)) else set()
    if event["kind"] in TELL:
        rules |= TELL[event["kind"]](book, entry, games)
    if len(names(book)) + len(entry.get("born", {})) > MOST_PEOPLE:
        rules.add("club-full")
    return entry, rules


def tell_person(book, entry, _games):
    entry["born"] = {max(births(book), default=0) + 1: entry["event"]["name"]}
    return set()


def tell_game(book, entry, games):
    code, told = entry["event"]["code"], read_seats(entry["event"])
    number = next((number for number, game in games.items() if game["code"] == code), None)
    kept, rules = club_games(book), set()
    if number is None:
        return {"no-such-game"}
    if number in kept:
        rules.add("game-twice")
    if not games[number]["readable"]:
        return rules | {"unreadable-game"}
    if games[number]["origin"] in [games[other]["origin"] for other in kept if other in games and other != number]:
        rules.add("game-copied")
    sat = {seat: each["name"] for seat, each in games[number]["seats"].items()}
    fitting = {seat: called(book, name) for seat, name in sat.items() if seat not in told}
    if any(len(people) > 1 for people in fitting.values()):
        rules.add("which-person")
    found = {seat: min(people) if people else sat[seat] for seat, people in fitting.items()}
    entry |= {"game": number, "code": code}
    return rules | put_in_seats(book, entry, sat, found | told, games[number])


def tell_people(book, entry, games):
    added = [(number, game) for number, game in club_games(book).items() if game["code"] == entry["event"]["code"]]
    if not added:
        return {"no-such-club-game"}
    [(number, game)] = added
    if number not in games:
        return {"no-such-game"}
    if not games[number]["readable"]:
        return {"unreadable-game"}
    return put_in_seats(book, entry, games[number]["seats"], read_seats(entry["event"]), games[number], game["seats"])


def read_seats(event):
    return {int(seat): person for seat, person in event.get("people", {}).items()}


def put_in_seats(book, entry, there, told, game, before=None):
    """Record who sits in each seat, ids or names of new people; return the rules broken."""
    entry |= {"seats": {}, "born": {}}
    for seat, person in sorted(told.items()):
        entry["seats"][seat] = person
        if isinstance(person, str):
            entry["seats"][seat] = max([*births(book), *entry["born"]], default=0) + 1
            entry["born"][entry["seats"][seat]] = person
    rules = {"no-such-seat-there"} if set(told) - set(there) else set()
    merged = mergers(book)
    people = seated([*book, entry], (before or {}) | entry["seats"], game)
    people |= {seat: end(merged, person) for seat, person in entry["seats"].items()}
    return rules | ({"person-twice"} if is_twice(people) else set())


def tell_paid(book, entry, games):
    merged, payments = mergers(book), entry["event"]["payments"]
    known = {name.casefold(): decimals for name, decimals in currencies(book, games).items()}
    entry["decimals"] = {
        each["currency"]: known.get(each["currency"].casefold(), usual_decimals(each["currency"])) for each in payments
    }
    return {"paid-to-self" for each in payments if end(merged, each["from"]) == end(merged, each["to"])}


def usual_decimals(currency):
    return {"JPY": 0, "KWD": 3}.get(currency.upper(), 2)


def tell_merge(book, entry, games):
    merged = mergers(book)
    person, into = entry["event"]["person"], entry["event"]["into"]
    rules = {"merged-already"} if person in merged else set()
    if end(merged, into) == end(merged, person):
        rules.add("merged-ring")
    for number, game in club_games(book).items():
        people = seated(book, game["seats"], games.get(number)).values()
        if end(merged, person) in people and end(merged, into) in people:
            rules.add("sat-together")
    return rules


def tell_drop(book, entry, _games):
    codes = [game["code"] for game in club_games(book).values()]
    return set() if entry["event"]["code"] in codes else {"no-such-club-game"}


def tell_undo(book, entry, _games):
    target = entry["event"]["target"]
    if not 1 < target <= len(book):
        return {"no-such-club-entry"}
    return {"club-undone-already"} if undone(undos(book), target) else set()


TELL = {
    "person": tell_person,
    "game": tell_game,
    "people": tell_people,
    "drop": tell_drop,
    "merge": tell_merge,
    "paid": tell_paid,
    "undo": tell_undo,
}


# What follows


def followed(book, games):
    """The games of the club, with who sat where and whether each counts."""
    for number, added in sorted(club_games(book).items(), key=lambda each: each[1]["entry"]):
        game = games.get(number)
        people = seated(book, added["seats"], game)
        why = why_out(game, people)
        counts = why is None and game["status"] == "over"
        yield added | {"game": game, "people": people, "why": why, "counts": counts}


def counting(book, games):
    return [each for each in followed(book, games) if each["counts"]]


def currencies(book, games):
    """The currencies of the games that count, and of payments, spelt as in the first, with the most decimals of any."""
    played = sorted(counting(book, games), key=lambda each: (each["game"]["day"], each["entry"]))
    told = [(each["game"]["currency"], each["game"]["decimals"]) for each in played if each["game"]["currency"]]
    told += [pair for _, entry in of_kind(book, "paid") for pair in entry["decimals"].items()]
    known = {}
    for name, decimals in told:
        known[spelt(known, name)] = max(known.get(spelt(known, name), 0), decimals)
    return known


def spelt(known, name):
    return next((other for other in known if other.casefold() == name.casefold()), name)


def club(book, games, first="", last="9999", least=1):
    """All that the club's page tells."""
    listed = list(followed(book, games))
    return {
        "people": {person: (name, mergers(book).get(person)) for person, name in names(book).items()},
        "games": {each["entry"]: listing(each) for each in listed if each["game"] and each["game"]["readable"]
                  if first <= each["game"]["day"] <= last},
        "records": {number for number, added in club_games(book).items()
                    if added["records"] and number in games and games[number]["code"] == added["code"]},
        "currencies": currencies(book, games),
        "table": table(book, games, first, last, least),
        "balances": balances(book, games),
        "problems": {(each["entry"], each["why"]) for each in listed if each["why"]},
    }  # fmt: skip


def listing(each):
    game = each["game"]
    return {
        "code": each["code"] if game["code"] == each["code"] else None,
        "day": game["day"],
        "variant": game["variant"],
        "status": game["status"],
        "counts": each["counts"],
        "people": {seat: person for seat, person in each["people"].items() if person is not None},
        "places": {seat: sat["place"] for seat, sat in game["seats"].items()} if each["counts"] else None,
    }


def table(book, games, first, last, least):
    rows, known = {}, currencies(book, games)
    for each in counting(book, games):
        game = each["game"]
        for seat, person in each["people"].items() if first <= game["day"] <= last else ():
            row = rows.setdefault(person, {"person": person, "money": {}, "left": [0, 0], "beaten": [0, 0], **ZEROS})
            add(row, game, seat, known)
    ordered = sorted(
        rows.values(),
        key=lambda row: (row["games"] < least, order(row), identify(names(book)[row["person"]]), row["person"]),
    )
    for row in ordered:
        row["ranked"] = row["games"] >= least
        ahead = sum(other["games"] >= least and order(other) < order(row) for other in ordered)
        row["place"] = ahead + 1 if row["ranked"] else None
    return ordered


ZEROS = dict.fromkeys(["games", "wins", "hands", "hands_won", "kalookis"], 0)


def order(row):
    return -Fraction(*row["beaten"]), -row["wins"], -row["games"]


def add(row, game, seat, known):
    """Add one game of one person to the row."""
    sat = game["seats"][seat]
    others = [other["place"] for number, other in game["seats"].items() if number != seat]
    row["games"] += 1
    row["wins"] += sat["place"] == 1
    row["beaten"][0] += sum(2 * (place > sat["place"]) + (place == sat["place"]) for place in others)
    row["beaten"][1] += 2 * len(others)
    for key in ("hands", "hands_won", "kalookis"):
        row[key] += sat[key]
    row["left"] = [row["left"][0] + sat["left"][0], row["left"][1] + sat["left"][1]]
    if game["currency"] is not None:
        name = spelt(known, game["currency"])
        row["money"][name] = row["money"].get(name, 0) + sat["won"] * 10 ** (known[name] - game["decimals"])


def balances(book, games):
    """What each is owed (below zero: owes) by currency, as exact numbers of the whole unit, without zeros."""
    owed, known, merged = Counter(), currencies(book, games), mergers(book)
    for each in counting(book, games):
        game = each["game"]
        for seat, person in each["people"].items() if game["owed"] else ():
            name = spelt(known, game["currency"])
            owed[name.casefold(), person] += Fraction(game["seats"][seat]["balance"], 10 ** game["decimals"])
    for _, entry in of_kind(book, "paid"):
        for each in entry["event"]["payments"]:
            amount = Fraction(each["amount"], 10 ** entry["decimals"][each["currency"]])
            owed[each["currency"].casefold(), end(merged, each["from"])] += amount
            owed[each["currency"].casefold(), end(merged, each["to"])] -= amount
    return {key: amount for key, amount in owed.items() if amount}


def fewest(amounts):
    """The fewest payments that clear some balances: each group that clears itself saves one."""
    return len(amounts) - most_groups(list(amounts))


def most_groups(amounts):
    if not amounts:
        return 0
    first, *others = amounts
    counted = [
        1 + most_groups([amount for place, amount in enumerate(others) if place not in group])
        for size in range(len(amounts))
        for group in combinations(range(len(others)), size)
        if first + sum(others[place] for place in group) == 0
    ]
    return max(counted)
