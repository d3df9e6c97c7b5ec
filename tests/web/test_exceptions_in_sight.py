"""The exception that would turn a ruling stands in the ruling or in what to do now, before any tap.

Listed by hand, rule by rule, from what each variant plays.
"""

import pytest
from lxml import html

from app.kalooki.variants import all_variants
from tests.web.words_in_sight import words_in_sight

pytestmark = pytest.mark.one_app

OF_EUROPE = ("european", "north-american", "south-african")
OPENED_BY_MELDS = ("european", "south-african", "kalooki-51", "kalooki-40")
BY_POINTS = (*OF_EUROPE, "kalooki-51", "kalooki-40")
EXCEPTIONS = [
    # a set of four is closed; only a player who has opened frees a joker
    ((*OPENED_BY_MELDS, "classic"), "joker-from-a-set", "both missing suits"),
    ((*OPENED_BY_MELDS, "classic"), "joker-from-a-set", "a set of four keeps its"),
    ((*BY_POINTS, "classic"), "joker-from-a-set", "once you have opened"),
    (("jamaican",), "joker-from-a-set", "in a four it moves"),
    (("jamaican",), "joker-from-a-set", "once you have laid down"),
    ((*BY_POINTS, "classic"), "joker-from-a-run", "once you have opened"),
    ((*BY_POINTS, "classic"), "joker-from-a-run", "into a meld or a build that same turn"),
    ((*BY_POINTS, "classic"), "keeping-a-joker", "in the same turn, never into the hand"),
    # the very first player's first turn is free where S0 says so; a Jamaican who is down draws from the stock
    (OF_EUROPE, "using-the-discard", "except in the hand's very first turn"),
    ((*OF_EUROPE, "kalooki-40"), "using-the-discard", "afterwards you may keep it"),
    (("jamaican",), "using-the-discard", "afterwards you may not take it at all"),
    (OF_EUROPE, "throwing-it-straight-back", "in the very first turn of the hand"),
    (("jamaican",), "throwing-it-straight-back", "unless it is a joker"),
    (("jamaican",), "throwing-it-straight-back", "once you have laid down, you may not take it at all"),
    (OF_EUROPE, "first-upcard", "only in the very first turn"),
    (("kalooki-40",), "first-upcard", "Only if they open in the same turn"),
    # Kalooki: nothing laid before, no builds, no joker from the table; below the minimum only in Kalooki 51
    ((*BY_POINTS, "classic"), "was-it-all-at-once", "nothing before, nothing built, no joker off the table"),
    (("european", "south-african", "kalooki-40"), "was-it-all-at-once", "and 40 points reached"),
    (("north-american",), "was-it-all-at-once", "and 51 points reached"),
    (("kalooki-51",), "was-it-all-at-once", "no minimum"),
    (("jamaican",), "was-it-all-at-once", "after more than 3 calls nothing is doubled"),
    (("jamaican",), "was-it-all-at-once", "laid the contract and went out in the same turn, tacking on or not"),
    # the opening: builds do not count but in North America, beside a new meld; a joker counts as its card
    (OPENED_BY_MELDS, "enough-to-open", "builds left out"),
    (("north-american",), "enough-to-open", "at least one meld being new"),
    (BY_POINTS, "enough-to-open", "a joker"),
    (("kalooki-51",), "enough-to-open", "a Kalooki needs no minimum"),
    (("jamaican",), "enough-to-open", "cards tacked on do not count"),
    (("north-american",), "builds-for-the-opening", "at least one new meld"),
    (("north-american",), "building-before-opening", "except as part of the opening"),
    ((*OPENED_BY_MELDS, "classic"), "building-before-opening", "same turn too"),
    (OPENED_BY_MELDS, "building-at-once", "does not count towards it"),
    (("north-american",), "building-at-once", "beside at least one new meld"),
    (("north-american",), "others-not-open-yet", "or as part of your opening"),
    (("kalooki-51",), "no-contracts", "a Kalooki with fewer"),
    # aces and the corner
    (("european", "south-african", "kalooki-40", "classic"), "ace-low", "no run goes round the corner"),
    (("north-american", "kalooki-51"), "ace-low", "K A 2 never is"),
    (("jamaican",), "ace-low", "K A 2 3 never is"),
    (("kalooki-51",), "worth-of-an-ace", "1 point low"),
    (("jamaican",), "worth-of-an-ace", "a red one 1 point"),
    # two cards an end, unless they lie as a run of their own; in Jamaica the low end waits for the ace
    (OF_EUROPE, "adding-to-a-run", "three or more may lie as a run of their own"),
    (("jamaican",), "adding-to-a-run", "at the low end only once the high end has reached the ace"),
    (("jamaican",), "two-alike", "a four, no"),
    (("jamaican",), "that-is-not-the-contract", "no two fours of one suit"),
    (("jamaican",), "later-melds", "but no second four of one suit"),
    (("jamaican",), "more-than-the-contract", "but no second four of one suit"),
    (("jamaican",), "jokers-in-a-meld", "two jokers never stand side by side"),
    # going out: the last card is thrown, but not in Jamaica; the warning bars one turn only
    ((*BY_POINTS, "classic"), "nothing-to-throw", "one card has to be kept for the discard"),
    ((*OF_EUROPE, "kalooki-40"), "nothing-to-throw", "an opening must still come to"),
    (("kalooki-51",), "nothing-to-throw", "an opening, unless a Kalooki, must still come to"),
    (("jamaican",), "nothing-to-throw", "though one may be"),
    (OF_EUROPE, "no-warning", "discard and warn; the turn after, they may go out"),
    (OF_EUROPE, "saying-out", "unless they failed to warn at 3 cards or fewer"),
    (("jamaican",), "passing", "unless the last cards were laid or tacked on"),
    (("jamaican",), "joker-as-the-last-card", "no card need be thrown to go out"),
    # the stock: once in S0's game and in Jamaica, elsewhere as often as needed
    (OF_EUROPE, "stock-used-up", "once in a hand; the next time the hand is void, unless whoever drew last goes out"),
    (("jamaican",), "stock-used-up", "once in a hand; used up again, the hand is void when somebody wants to draw"),
    (("kalooki-51", "kalooki-40", "classic"), "stock-used-up", "as often as the stock runs out"),
    (("kalooki-51", "kalooki-40", "classic"), "no-end-in-sight", "if all agree"),
    # calls
    (("jamaican",), "calling-for-the-discard", "fewer than 3 calls"),
    (("jamaican",), "calling-for-the-discard", "speak before the draw"),
    (("jamaican",), "calling-for-the-discard", "the player in turn, if not down, goes first"),
    (("jamaican",), "two-want-the-same-card", "of two together the next in turn"),
    (("jamaican",), "call-withdrawn", "Until the upcard has been taken"),
    # what else would turn it
    (("european", "jamaican", "classic"), "what-the-joker-is", "if nothing was said"),
    (("european", "jamaican", "classic"), "card-in-the-middle", "only a joker in it can make way"),
    ((*BY_POINTS, "classic"), "moving-laid-cards", "only a joker taken, and until the discard a card built this turn"),
    (("jamaican",), "moving-laid-cards", "this turn may move until the discard"),
    (("european", "jamaican", "classic"), "whose-turn", "at the start of a hand, left of the dealer"),
    (("kalooki-51",), "whose-turn", "at the start of a hand, whoever drew the highest card"),
    (("european", "jamaican", "classic"), "no-upcard", "if nobody has drawn yet"),
    # the score and the money
    (OF_EUROPE, "stopping-early", "if all still in agree to stop"),
    (
        ("european", "kalooki-51", "kalooki-40"),
        "splitting-early",
        "Only if everybody who can still win or share it agrees",
    ),
    (("european", "south-african"), "exactly-at-the-limit", "may buy in, twice a game, while at least two others"),
    (("north-american",), "exactly-at-the-limit", "nobody buys in"),
    (("european", "south-african"), "how-often-to-buy-in", "while at least two others are still in"),
    (("european", "south-african"), "how-often-to-buy-in", "Buy in before the next deal"),
    (("european", "south-african"), "how-often-to-buy-in", "knocked out by the same hand do not count as still in"),
    (OF_EUROPE, "coming-back", "at a score it chooses below 150 points"),
    (("european", "south-african"), "who-pays", "for a Kalooki the Kalooki stake instead"),
    (("european", "south-african"), "who-pays", "who was already out pays nothing"),
    (("kalooki-51",), "sharing-the-pool", "exactly 100 is too many; if none, the winner takes all"),
    (("kalooki-40",), "sharing-the-pool", "exactly 100 behind still shares; if none, the winner takes all"),
    (("kalooki-51", "kalooki-40"), "never-opened-double", "only a Kalooki adds 25 points"),
    (("jamaican",), "never-opened-double", "only if the winner bent the table"),
    (("jamaican", "kalooki-51", "kalooki-40", "classic"), "same-points", "one deciding hand"),
    (OF_EUROPE, "score-of-who-is-out", "unless nobody is left in the game"),
    (("european", "south-african"), "buy-in-not-paid", "counts only if all agree to record it"),
]
EACH = [(variant_id, slug, words) for variant_ids, slug, words in EXCEPTIONS for variant_id in variant_ids]


def in_sight(box):
    box.set("open", "")
    return " ".join(words_in_sight(html.tostring(box, encoding="unicode", with_tail=False)))


def test_enough_rulings_are_watched():
    assert len({(variant_id, slug) for variant_id, slug, _ in EACH}) >= 100
    assert len({slug for _, slug, _ in EACH}) >= 40


@pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)
def test_the_exception_that_would_turn_a_ruling_is_in_sight(client, variant):
    page = html.fromstring(client.get(f"/disputes?variant={variant.id}").text)
    boxes = {box.get("id"): in_sight(box) for box in page.xpath("//details[@id]")}
    listed = [(slug, words) for variant_id, slug, words in EACH if variant_id == variant.id]

    assert len(listed) >= 15
    assert [row for row in listed if row[1] not in boxes[row[0]]] == []
