"""What each surface tells of a game, read back as values; and what the core says of the same game."""

import csv
import io
import re
from itertools import takewhile
from typing import NamedTuple

from flask import render_template
from lxml import html

from app.kalooki.game.corrections import corrections
from app.kalooki.game.finish import places
from app.kalooki.game.play import Game, from_record, play
from app.sheets.result import result_of
from tests.json_scorer import import_game, send
from tests.pages import Alice


class Kept(Alice):
    """Alice with a whole game imported, which takes less than recording it entry by entry."""

    def __init__(self, app, start, *events):
        self.app, self.client = app, app.test_client()
        stamp = {"at": "2026-11-21T20:15:00Z", "by": "Ann"}
        log = [stamp | {"event": event} for event in ({"kind": "start"} | start, *events)]
        self.scorer = import_game(self.client, log)
        self.code, self.secret = self.scorer.code, self.scorer.secret
        assert self.client.get(f"/g/{self.code}/s/{self.secret}").status_code == 303

    def try_to_record(self, event):
        """Record an entry unless the table refuses it."""
        answer = send(self.client, self.code, self.secret, event, seen=self.table.seen)
        assert answer.status_code in (201, 422), answer.text


# What the core says


class Known(NamedTuple):
    """A game, and the one before its last entry; what later entries took back or corrected, by entry."""

    game: Game
    before: Game
    entries: list
    undone: dict
    amended: dict

    @property
    def hands(self):
        return [hand for hand in self.game.hands if not hand.is_void]

    def names(self, by_seat):
        return {self.game.name(seat): value for seat, value in by_seat.items()}


def known(events):
    entries = from_record(events)
    made = corrections(entries)
    return Known(play(entries), play(entries[:-1]), entries, made.undone_by, made.amended_by)


def _ranks(game):
    """Places among those who stayed: who went home has none."""
    stayed = {seat: place for seat, place in places(game).items() if not game.players[seat].has_left}
    return {seat: 1 + sum(other < place for other in stayed.values()) for seat, place in stayed.items()}


def _gone(player):
    return "left" if player.has_left else "out"


def _payments(game, payments):
    return sorted((game.name(payer), game.name(to), amount) for payer, to, amount in payments)


def _cash(game):
    """Cash payments: a payer's balance grows by what they paid."""
    for movement in game.movements:
        if movement.why == "paid":
            to, payer = sorted(movement.amounts, key=movement.amounts.get)
            yield payer, to, movement.amounts[payer]


FACTS = {
    "winners": lambda it: {it.game.name(seat) for seat in it.game.winners},
    "ranks": lambda it: it.names(_ranks(it.game)),
    "totals": lambda it: {player.name: player.total for player in it.game.players.values()},
    "gone": lambda it: {p.name: _gone(p) for p in it.game.players.values() if not p.playing},
    "wins": lambda it: {hand.number: it.game.name(hand.winner) for hand in it.hands},
    "points": lambda it: {
        hand.number: it.names({seat: score.points for seat, score in hand.scores.items()}) for hand in it.hands
    },
    "due": lambda it: _payments(it.game, it.game.payments),
    "paid": lambda it: _payments(it.game, _cash(it.game)),
    "undone": lambda it: it.undone,
    "corrected": lambda it: {number: by for number, by in it.amended.items() if number not in it.undone},
}
"""What every surface could tell, as the core has it; amounts in minor units."""

# Reading


def found(node, name):
    return node.xpath(f".//*[contains(concat(' ', normalize-space(@class), ' '), ' {name} ')]")


def words(node):
    return " ".join(" ".join(node.itertext()).split())


def number(text):
    """A whole number or an amount, in units: “−€1.30” is -130."""
    digits = int(re.sub(r"\D", "", text))
    return -digits if re.search("[-−]", text) else digits


def last_number(text):
    return int(re.search(r"\d+$", text)[0])


def names(phrase):
    return {name for name in re.split(r", | and ", phrase) if name}


def payments(lines, verb):
    read = (re.search(rf"(\w+) {verb} (\w+) \D?([\d.]+)", line) for line in lines)
    return sorted((each[1], each[2], number(each[3])) for each in read if each)


def headline(text):
    """Who won, by the line people read first."""
    won = re.fullmatch(r"(.+?) (won|share first place)", text)
    return names(won[1]) if won else set()


def without_zeros(values):
    return {key: value for key, value in values.items() if value}


# The game page


def page_of(alice):
    page = html.fromstring(alice.get().text)
    shown = html.Element("div")
    shown.extend([*page.xpath("//*[@data-board]"), *page.xpath("//table[contains(@class, 'score-table')]")])
    return shown


def players(page, read):
    return {words(found(each, "face-name")[0]): read(each) for each in found(page, "player")}


def on_felt(page):
    """The only winner and their points, which stand above the others; nothing of any other game."""
    return {
        words(found(each, "face-name")[0]): number(re.match(r"won with (-?\d+)", words(each.getnext()))[1])
        for each in found(page, "finale-name")
    }


def board_winners(page):
    [told] = found(page, "finale") or [None]
    shared = re.search(r"(?:over|early)\. (.+) share first place\.", words(told)) if told is not None else None
    return names(shared[1]) if shared else {*on_felt(page)}


def board_ranks(page):
    read = players(page, lambda each: [number(words(place)) for place in found(found(each, "player-name")[0], "num")])
    return dict.fromkeys(on_felt(page), 1) | {name: place for name, places in read.items() for place in places}


def board_totals(page):
    return on_felt(page) | players(page, lambda row: number(words(found(row, "player-total")[0])))


def board_gone(page):
    badges = players(page, lambda each: {*words(found(each, "player-name")[0]).split()} & {"left", "out"})
    out = players(page, lambda each: "is-out" in each.get("class").split())
    return {name: "left" if "left" in badges[name] else "out" for name in badges if out[name] or badges[name]}


def board_hands(page):
    """The number of each hand that was won, and its cells by the names above them."""
    columns = [words(each) for each in page.xpath(".//thead//*[@class='face-name']")]
    for row in page.xpath(".//tbody/tr"):
        if found(row, "is-winner"):
            yield number(words(row.find("th"))), dict(zip(columns, row.findall("td"), strict=True))


def board_points(page):
    signed = re.compile(r"[+-]\d+(?= doubled$|$)")
    return {
        hand: {
            name: number((signed.search(words(told[0])) or ["0"])[0])
            for name, cell in cells.items()
            if (told := found(cell, "cell-points")) and not found(cell, "cell-absent")
        }
        for hand, cells in board_hands(page)
    }


def board_wins(page):
    return {
        hand: next(name for name, cell in cells.items() if "is-winner" in cell.get("class"))
        for hand, cells in board_hands(page)
    }


def lines_in(name):
    return lambda node: [words(each) for each in node.xpath(f".//{name}")]


# History


def history_of(alice):
    return html.fromstring(alice.get("/history").text).xpath("//ol")[0]


def entries(history):
    """Every entry that was not undone: its number, its title, its element, and its later correction."""
    for each in reversed(history.xpath("./li")):
        links = {words(link): last_number(link.get("href")) for link in each.xpath(".//a[starts-with(@href, '#')]")}
        entry = last_number(each.get("id"))
        yield entry, words(each.xpath(".//strong")[0]), each, links


def history_undone(history):
    return {entry: links["Undone later"] for entry, _, _, links in entries(history) if "Undone later" in links}


CORRECTED = "Corrected later: the correction counts instead"


def history_corrected(history):
    return {entry: links[CORRECTED] for entry, _, _, links in entries(history) if CORRECTED in links}


def winner_by(listed, entry):
    """Who won by an entry: a correction that does not name the winner leaves whoever won before it."""
    title, _, links = listed[entry]
    if (won := re.search(r"won by (\w+)", title)) or "redeal" in title or " corrected: " not in title:
        return won and won[1]
    first = target_of(links)
    before = (
        each
        for each, (other, _, links) in listed.items()
        if each < entry and " corrected: " in other and target_of(links) == first
        if links.get("Undone later", entry) >= entry
    )
    return winner_by(listed, max(before, default=first))


def target_of(links):
    return next((to for words, to in links.items() if words.startswith("Go to what was recorded first")), None)


def standing_hands(history):
    """The number of each hand that counts, who won it, the entry that says how, and whether that is a correction."""
    listed = {entry: (title, each, links) for entry, title, each, links in entries(history)}
    by = history_corrected(history)
    for entry, (original, each, _) in listed.items():
        title, told, _ = listed[by.get(entry, entry)]
        hand = re.match(r"Hand (\d+)(?! corrected)\b", original) or (entry in by and re.match(r"Hand (\d+)", title))
        counts = "is-undone" not in each.get("class", "") and not found(each, "notice-fault")
        if hand and counts and (winner := winner_by(listed, by.get(entry, entry))):
            yield int(hand[1]), winner, told, entry in by


def history_wins(history):
    return {hand: winner for hand, winner, _, _ in standing_hands(history)}


def history_points(history):
    return {
        hand: {name: int(points) for name, points in re.findall(r"(\w+) ([+-]\d+)", words(found(told, "small")[0]))}
        for hand, _, told, is_corrected in standing_hands(history)
        if not is_corrected
    }


def standing(history):
    """The title and the element of every entry that counts: the page says of the others why they do not."""
    for _, title, each, _ in entries(history):
        if "is-undone" not in each.get("class", "") and not found(each, "notice-fault"):
            yield title, each


def history_paid(history):
    return sorted(
        (*re.fullmatch(r"Payment from (\w+) to (\w+)", title).groups(), number(words(found(each, "small")[0])))
        for title, each in standing(history)
        if title.startswith("Payment ")
    )


def history_gone(history):
    return {title.removesuffix(" leaves"): "left" for title, _ in standing(history) if title.endswith(" leaves")}


# The score sheet


def sheet_of(alice):
    return html.fromstring(alice.client.get(f"/api/v1/games/{alice.code}/sheet.html").text)


def foot(sheet, label):
    """A line at the foot by the players' names; nothing if the sheet has no such line."""
    columns = [words(each) for each in sheet.xpath(".//thead//th[@colspan='2']")]
    rows = [row for row in sheet.xpath(".//tbody[@class='feet']/tr") if words(row.find("th")) == label]
    return dict(zip(columns, rows[0].findall("td"), strict=True)) if rows else {}


def sheet_hands(sheet):
    columns = [words(each) for each in sheet.xpath(".//thead//th[@colspan='2']")]
    for row in sheet.xpath(".//tbody[@class='rows']/tr"):
        label = re.match(r"\d+", words(row.find("th")))
        # the words “not dealt in” fill both cells of a player
        cells = [
            each for each in row.xpath("./td[not(@class='contract')]") for _ in range(int(each.get("colspan", "1")))
        ]
        if label and found(row, "won"):
            pairs = zip(columns, cells[::2], cells[1::2], strict=True)
            yield int(label[0]), {name: each for name, each, total in pairs if words(total) and total is not each}


def printed_points(text):
    """“• 20+5” is 25, “✓” nothing."""
    return sum(int(each.replace("−", "-")) for each in re.findall(r"[+−]?\d+", text))


def sheet_gone(sheet):
    out = {name: "out" for name, cell in foot(sheet, "Total").items() if "out" in cell.get("class").split()}
    rows = (re.match(r"(\w+) leaves", words(row)) for row in sheet.xpath(".//tbody[@class='rows']/tr"))
    return out | {each[1]: "left" for each in rows if each}


def sheet_corrected(sheet):
    notes = map(words, sheet.xpath(".//li[starts-with(@id, 'note-')]"))
    named = (re.search(r"Hand (\d+): .*Corrected at", note) for note in notes)
    return {int(each[1]) for each in named if each}


# Files for other programs


def csv_of(alice):
    file = alice.client.get(f"/api/v1/games/{alice.code}/sheet.csv").data.decode("utf-8-sig")
    return [*csv.DictReader(io.StringIO(file))]


def csv_hands(rows):
    """The rows of players who were dealt into a hand."""
    return [row for row in rows if row["kind"] == "hand" and row["result"] != "not dealt in"]


def csv_points(rows):
    hands = {int(row["hand"]): {} for row in csv_hands(rows)}
    for row in csv_hands(rows):
        hands[int(row["hand"])][row["player"]] = int(row["points"])
    return hands


def csv_gone(rows):
    gone = {}
    for row in rows:
        if row["kind"] in ("buy-in", "leave") or row["out"]:
            gone[row["player"]] = {"buy-in": "", "leave": "left"}.get(row["kind"], "out")
    return without_zeros(gone)


def csv_paid(rows):
    cash = [(row["entry"], row["player"], number(row["paid"])) for row in rows if row["kind"] == "payment"]
    return sorted(
        (payer, to, amount)
        for entry, payer, amount in cash
        for other, to, received in cash
        if entry == other and amount > 0 > received
    )


# Texts and pictures


def text_of(address):
    return lambda alice: alice.client.get(address.format(alice.code)).text.splitlines()


def standings(lines):
    """The lines between the result and the money: a place unless they went home, a name, a total, who is gone."""
    ranked = takewhile(bool, lines[lines.index("") + 1 :])
    read = (re.match(r"(?:(\d+)\. )?(\w+) (−?\d+)(?:, (out|left)\b)?", line) for line in ranked)
    return [(each[2], each[1] and int(each[1]), number(each[3]), each[4]) for each in read]


def text_winners(lines):
    won = re.fullmatch(r"(.+?) (?:won|share first place) after .*", lines[1])
    return names(won[1]) if won else set()


def picture_of(alice):
    with alice.app.test_request_context():
        return html.fromstring(render_template("sheets/result.html", result=result_of(alice.table)))


def ranking(picture, read):
    return {words(found(row, "name")[0].find("span")): read(row) for row in picture.xpath("//tr[td[@class='place']]")}


def picture_ranks(picture):
    told = ranking(picture, lambda row: words(found(row, "place")[0]))
    return {name: number(place) for name, place in told.items() if place}


def picture_gone(picture):
    notes = ranking(picture, lambda row: re.findall(r"\b(?:out|left)\b", words(found(row, "name")[0])))
    return {name: said[0] for name, said in notes.items() if said}


def picture_hands(picture):
    """The cells of the last hands by their number."""
    head = picture.xpath("//tr[@class='last'][1]//span") if picture.xpath("//tr[1][@class='last']") else []
    rows = ranking(picture, lambda row: [words(each) for each in row.getnext().xpath(".//span")] if head else [])
    hands = [(at, words(each)) for at, each in enumerate(head) if words(each).isdigit()]
    return {int(hand): {name: cells[at] for name, cells in rows.items()} for at, hand in hands}


def picture_wins(picture):
    won = re.compile("[✓KB]")
    return {hand: next(n for n, cell in row.items() if won.match(cell)) for hand, row in picture_hands(picture).items()}


def picture_points(picture):
    return {
        hand: {name: printed_points(cell) for name, cell in row.items() if cell not in ("", "–")}
        for hand, row in picture_hands(picture).items()
    }


def settle_of(alice):
    return html.fromstring(alice.get("/settle").text).xpath("//main")[0]


def settle_due(page):
    return payments([words(each) for each in page.xpath(".//section[h2='Who pays whom']//li/p")], "pays")


def settle_wins(page):
    """Who was paid a call-up for which hand, by the lines of everybody's account."""
    return {
        number(words(row.find("th"))): words(found(fold, "settled-name")[0])
        for fold in page.xpath(".//details[starts-with(@id, 'seat-')]")
        for row in fold.xpath(".//tbody/tr[th]")
        if " from " in words(row)
    }


# The interface and a preview


def state_of(alice):
    return alice.client.get(f"/api/v1/games/{alice.code}").json


def by_name(state, read):
    return {player["name"]: read(player) for player in state["players"]}


def named(state, seat):
    return next(player["name"] for player in state["players"] if player["seat"] == int(seat))


def json_gone(state):
    told = by_name(state, lambda player: "" if player["in"] else "left" if player["left"] else "out")
    return without_zeros(told)


def json_hands(state):
    return [hand for hand in state["hands"] if not hand["void"]]


def json_points(state):
    return {
        hand["number"]: {named(state, seat): score["points"] for seat, score in hand["scores"].items()}
        for hand in json_hands(state)
    }


def json_paid(state):
    cash = [each for each in state["money"] if each["why"] == "paid"]
    return sorted(
        (named(state, one["seat"]), named(state, other["seat"]), one["amount"])
        for one in cash
        for other in cash
        if one["entry"] == other["entry"] and one["amount"] > 0 > other["amount"]
    )


def json_due(state):
    return sorted(
        (named(state, each["from"]), named(state, each["to"]), each["amount"]) for each in state["settlement"]
    )


def undoing(state):
    """What was undone: an entry by the first later undo of it that was not undone itself."""
    log = state["log"]
    return {each["entry"] for each in log if each["undone"]}


def preview_of(alice, event):
    """The fragment that says what a hand would do, as the form shows it."""
    typed = {f"left-{seat}": held["points"] for seat, held in event["left"].items()}
    answer = alice.client.post(
        f"/g/{alice.code}/hand/preview",
        data={"winner": event["winner"], "ending": event["ending"], "seen": alice.table.seen} | typed,
    )
    assert answer.status_code == 200, answer.text
    return html.fromstring(answer.text)


def preview_rows(page, read):
    return {re.match(r"\w+", words(found(row, "outlook-name")[0]))[0]: read(row) for row in page.xpath(".//li[span]")}


def preview_points(page):
    signed = re.compile(r"([+−]) (\d+) =")
    read = preview_rows(page, lambda row: signed.search(words(found(row, "outlook-sum")[0])))
    return {name: number(each[1] + each[2]) for name, each in read.items() if each}


def preview_gone(page):
    fates = preview_rows(page, lambda row: " ".join(map(words, found(row, "outlook-fate"))))
    return {name: "out" for name, fate in fates.items() if re.match(r"out –|is out", fate)}


def preview_title(page):
    return re.match(r"(\w+) wins hand (\d+)", words(found(page, "outlook-title")[0])).groups()


def preview_winners(page):
    said = " ".join(map(words, found(page, "outlook-end")))
    won = re.search(r"\. (.+?) (wins|share first place)\.", said)
    return names(won[1]) if won else set()


def preview_call_up(page):
    said = (re.match(r"(?:Each|\w+) pays (\w+) \D?([\d.]+)", words(each)) for each in page.xpath(".//p"))
    return {(each[1], number(each[2])) for each in said if each}
