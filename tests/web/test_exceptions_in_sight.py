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
    ((*OPENED_BY_MELDS, "classic"), "joker-from-a-set", "Add only one and it stays for good."),
    ((*BY_POINTS, "classic"), "joker-from-a-set", "once you’re down"),
    (("jamaican",), "joker-from-a-set", "in a four, put the real card in"),
    (("jamaican",), "joker-from-a-run", "once you’re down"),
    ((*BY_POINTS, "classic"), "joker-from-a-run", "once you’re down"),
    ((*BY_POINTS, "classic"), "joker-from-a-run", "Use the joker this turn"),
    ((*BY_POINTS, "classic"), "keeping-a-joker", "this turn, in a new meld or added to one"),
    # the very first player’s first turn is free where S0 says so; a Jamaican who is down draws from the stock
    (OF_EUROPE, "using-the-discard", "except on the hand’s very first turn"),
    ((*OF_EUROPE, "kalooki-40"), "using-the-discard", "If you’re down, keep it"),
    (("jamaican",), "using-the-discard", "once you’re down you can’t take it"),
    (OF_EUROPE, "throwing-it-straight-back", "on the hand’s very first turn"),
    (("jamaican",), "throwing-it-straight-back", "unless it’s a joker"),
    (("jamaican",), "throwing-it-straight-back", "after that you can’t take it"),
    (OF_EUROPE, "first-upcard", "the hand’s very first turn is free"),
    (("kalooki-40",), "first-upcard", "unless they open with it this turn"),
    # Kalooki: nothing laid before, no builds, no joker from the table; below the minimum only in Kalooki 51
    ((*BY_POINTS, "classic"), "was-it-all-at-once", "spoil"),
    (("european", "south-african", "kalooki-40"), "was-it-all-at-once", "new melds worth 40 points"),
    (("north-american",), "was-it-all-at-once", "new melds worth 51 points"),
    (("kalooki-51",), "was-it-all-at-once", "of any points"),
    (("jamaican",), "was-it-all-at-once", "after more than 3 calls, no bonus"),
    (("jamaican",), "was-it-all-at-once", "put the contract down and went out in one turn"),
    # the opening: builds do not count but in North America, beside a new meld; a joker counts as its card
    (OPENED_BY_MELDS, "enough-to-open", "cards added to other melds"),
    (("north-american",), "enough-to-open", "at least one new meld of your own"),
    (BY_POINTS, "enough-to-open", "A joker counts as the card it stands for."),
    (("kalooki-51",), "enough-to-open", "a Kalooki needs no minimum"),
    (("jamaican",), "enough-to-open", "added cards don’t count"),
    (("north-american",), "builds-for-the-opening", "at least one new meld"),
    (("north-american",), "building-before-opening", "except as part of your opening"),
    ((*OPENED_BY_MELDS, "classic"), "building-before-opening", "even this turn"),
    (OPENED_BY_MELDS, "building-at-once", "doesn’t count towards the opening"),
    (("north-american",), "building-at-once", "beside at least one new meld"),
    (("north-american",), "others-not-open-yet", "or as part of your opening"),
    (("kalooki-51",), "no-contracts", "a Kalooki with fewer"),
    # aces and the corner
    (("european", "jamaican"), "king-ace-two", "once the next player has drawn, only the cards that make no meld"),
    (("european", "north-american"), "fifth-card-in-a-set", "even after the next player has drawn"),
    (("jamaican",), "three-cards-on-one-end", "at the low end only once the four has its ace"),
    (("european",), "kalooki-with-a-table-joker", "pays the call-up, not the Kalooki stake"),
    ((*BY_POINTS, "classic"), "king-ace-two", "an ace is an end of a run, never its middle"),
    (("north-american", "kalooki-51"), "ace-low", "and high after the king"),
    (("jamaican",), "king-ace-two", "an ace is an end of a four, never its middle"),
    (("kalooki-51",), "worth-of-an-ace", "1 point low"),
    (("jamaican",), "worth-of-an-ace", "1 point if red"),
    # two cards an end, unless they lie as a run of their own; in Jamaica the low end waits for the ace
    (OF_EUROPE, "adding-to-a-run", "Three in a row may go down as a new run."),
    (("jamaican",), "adding-to-a-run", "at the low end only once the four has its ace"),
    (("jamaican",), "two-alike", "no to the four"),
    (("jamaican",), "that-is-not-the-contract", "fours in different suits"),
    (("jamaican",), "later-melds", "but no second four of one suit"),
    (("jamaican",), "more-than-the-contract", "but no second four of one suit"),
    (("jamaican",), "jokers-in-a-meld", "jokers can’t be side by side"),
    # going out: the last card is thrown, but not in Jamaica; the warning bars one turn only
    ((*BY_POINTS, "classic"), "nothing-to-throw", "you must finish by throwing a card"),
    ((*OF_EUROPE, "kalooki-40"), "nothing-to-throw", "An opening must still make"),
    (("kalooki-51",), "nothing-to-throw", "An opening, Kalooki excepted, must still make"),
    (("jamaican",), "nothing-to-throw", "you needn’t throw a card"),
    (OF_EUROPE, "no-warning", "unless they gave the number before the next player drew"),
    (OF_EUROPE, "no-warning", "may have the hand made void"),
    (OF_EUROPE, "saying-out", "unless they failed to warn at 3 cards or fewer"),
    (("jamaican",), "passing", "unless your last cards went down"),
    (("jamaican",), "joker-as-the-last-card", "you needn’t throw to go out"),
    # the stock: once in S0's game and in Jamaica, elsewhere as often as needed
    (OF_EUROPE, "stock-used-up", "second time: hand void, unless whoever drew last goes out"),
    (("jamaican",), "stock-used-up", "second time: hand void when somebody wants to draw"),
    (("kalooki-51", "kalooki-40", "classic"), "stock-used-up", "as often as it happens"),
    (("kalooki-51", "kalooki-40", "classic"), "no-end-in-sight", "if all agree"),
    # calls
    (("jamaican",), "calling-for-the-discard", "up to 3 calls a hand"),
    (("jamaican",), "calling-for-the-discard", "before the player in turn draws"),
    (("jamaican",), "calling-for-the-discard", "The player in turn comes first, unless they’re down."),
    (("jamaican",), "two-want-the-same-card", "if two call together, the next in turn"),
    (("jamaican",), "call-withdrawn", "until you hold the card"),
    # what else would turn it
    (("european", "jamaican", "classic"), "what-the-joker-is", "if nothing was said"),
    (("european", "jamaican", "classic"), "card-in-the-middle", "only the exact card a joker stands for"),
    ((*BY_POINTS, "classic"), "moving-laid-cards", "a card you added this turn, before you throw, or a joker you took"),
    (("jamaican",), "moving-laid-cards", "only a card you added this turn, before you throw"),
    (("european", "jamaican", "classic"), "whose-turn", "at the start, the player left of the dealer"),
    (("kalooki-51",), "whose-turn", "the highest begins"),
    (("european", "jamaican", "classic"), "no-upcard", "if nobody has drawn yet"),
    # the score and the money
    (OF_EUROPE, "stopping-early", "if all still in agree to stop"),
    (("european", "south-african"), "splitting-early", "and anyone who may still buy in"),
    (("european", "kalooki-51", "kalooki-40"), "splitting-early", "the others have no say"),
    (
        ("european", "south-african"),
        "exactly-at-the-limit",
        "may buy back in, twice a game, while at least two players",
    ),
    (("north-american",), "exactly-at-the-limit", "nobody buys in"),
    (("european", "south-african"), "how-often-to-buy-in", "while at least two others are still in"),
    (("european", "south-african"), "how-often-to-buy-in", "Buy in before the next deal"),
    (("european", "south-african"), "how-often-to-buy-in", "knocked out by the same hand don’t count as in"),
    (OF_EUROPE, "coming-back", "at a score you choose below 150 points"),
    (("european", "south-african"), "who-pays", "for a Kalooki the Kalooki stake instead"),
    (("european", "south-african"), "who-pays", "Whoever was out before pays nothing."),
    (("kalooki-51",), "sharing-the-pool", "Exactly 100 is too many. If nobody qualifies, the winner takes all."),
    (
        ("kalooki-40",),
        "sharing-the-pool",
        "Exactly 100 behind still shares. If nobody qualifies, the winner takes all.",
    ),
    (("kalooki-51", "kalooki-40"), "never-opened-double", "only a Kalooki adds 25 points"),
    (("jamaican",), "never-opened-double", "only if the winner bent the table"),
    (("jamaican", "kalooki-51", "kalooki-40", "classic"), "same-points", "one deciding hand"),
    (OF_EUROPE, "same-points", "Of those knocked out last, the lowest total wins"),
    (OF_EUROPE, "score-of-who-is-out", "whoever was knocked out last ranks highest"),
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
