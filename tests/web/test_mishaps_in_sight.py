"""What a page about a mishap shows before any tap: few words, and among them whatever would turn the ruling."""

from statistics import median

import pytest

from app.kalooki.rules.answers import settle
from app.kalooki.rules.quarrels import of_kind
from app.kalooki.variants import all_variants
from tests.pages import Alice
from tests.web.words_in_sight import words_in_sight

pytestmark = pytest.mark.one_app

MOST, USUAL = 65, 40
"""The words in sight: at most, and in the middle of all cases."""

PLAYED = {
    "every": [variant.id for variant in all_variants()],
    "by-points": ["european", "north-american", "south-african", "kalooki-51", "kalooki-40", "classic"],
    "to-open-only": ["european", "north-american", "south-african", "kalooki-40"],
    "first-draw-free": ["european", "north-american", "south-african"],
}
"""What some variants have in common: no contracts, so that jokers leave melds; the discard before the opening."""

EXCEPTIONS = """
# the deal
every | card-exposed-in-dealing | before_first_draw | its owner keeps it or asks for a new deal
every | card-exposed-in-dealing | before_first_draw | two or more: the deal is thrown in
every | wrong-dealer | later | The next deal passes as if the right player had dealt
kalooki-51 | wrong-dealer | before_first_draw | or is about to begin
kalooki-51 | wrong-dealer | later | with the player who began
every | not-cut | before_first_draw | may ask
every | player-skipped-in-deal | later | once over it is void, unless all let the scores stand
every | player-skipped-in-deal | later | record for the skipped player what you agree
first-draw-free | dealt-in-though-out | any | if they went out with those cards, the hand is void
jamaican kalooki-51 kalooki-40 classic | dealt-in-though-out | any | if they went out with them
every | short-pack | any | earlier hands stand
every | card-found-in-the-hand | any | or, seen falling, back into the stock; otherwise the hand is void
every | marked-card | later | Marked on purpose: see “That was cheating”
every | wrong-number-dealt | later | If all hold the same wrong number, play on with it
by-points | wrong-number-dealt | later | until then no laying, building or going out
jamaican | wrong-number-dealt | later | until then no laying, tacking on or going out
# drawing
every | drew-out-of-turn | before_next_draw | A discard goes on its pile; a stock card face up on the stock
every | drew-out-of-turn | before_next_draw | takes it or has it shuffled in
every | drew-out-of-turn | later | unless they have already finished it and the player after them drew
every | has-drawn-already | any | If laid cards are mixed up, count stock and discards
by-points | has-drawn-already | any | but no freed joker
every | has-drawn-already | any | In doubt, draw.
jamaican | has-drawn-already | any | than they got by deal and calls
every | turn-skipped | before_next_draw | A discard goes on its pile; a stock card face up on the stock
every | turn-skipped | before_next_draw | takes it or has it shuffled in
every | drew-two | before_next_draw | Looked at: face up on it
every | drew-two | before_next_draw | If nobody can tell which, the player on the right picks one, unseen
by-points | drew-two | later | do not draw on their next turn, and until then neither lay, build nor go out
jamaican | drew-two | later | do not draw on their next turn, and until then neither lay, tack on nor go out
every | saw-next-card | any | takes it, or has the stock shuffled first
every | stock-knocked-over | any | the cards seen included
to-open-only | changed-mind-after-drawing | any | unless its taker meant to open and cannot
first-draw-free | changed-mind-after-drawing | any | In the very first turn of the hand even that discard is kept
every | touched-the-discard | any | it is once it has joined the hand
first-draw-free | took-discard-cannot-open | before_next_draw | only in the very first turn of the hand it is kept
to-open-only | took-discard-cannot-open | before_next_draw | If you have discarded already, take that card back
every | looking-through-the-pile | any | unless the table agreed otherwise before play
every | drew-before-discard | any | a discard taken goes back
jamaican | drew-before-discard | any | by calling
# laying and building
to-open-only | short-opening-built-on | before_next_draw | a discard taken for it to its pile
first-draw-free | short-opening-built-on | before_next_draw | in the very first turn of the hand it is kept
north-american | short-opening-built-on | before_next_draw | Cards built this turn count.
kalooki-51 | short-opening-built-on | before_next_draw | Only a Kalooki needs no minimum.
jamaican | short-opening-built-on | before_next_draw | unless this hand's whole contract is among the melds
jamaican | short-opening-built-on | later | another hand's contract too, with everything tacked on to it
by-points | bad-meld-joker-gone | before_next_draw | a joker freed from it goes back into it first
by-points | bad-meld-joker-gone | later | A joker freed meanwhile stays where it is.
every | bad-meld-joker-gone | later | what is a legal meld without them stays
jamaican | bad-meld-joker-gone | later | and the contract counts as laid
north-american | built-before-opening | before_next_draw | unless it helped to open, with a new meld
every | built-before-opening | later | where it fits, and does not count as
first-draw-free | third-card-at-an-end | before_next_draw | The three may be laid as a run of their own instead.
every | laid-out-of-turn | later | if they make legal melds
every | joker-taken-wrongly | later | that fits nowhere goes back into the hand
by-points | freed-joker-kept | before_next_draw | If it fits nowhere, it goes back
by-points | freed-joker-kept | later | nobody skips a draw or a discard
every | takes-back-laid-cards | any | until the discard
by-points | takes-back-laid-cards | any | except a card given for a joker
to-open-only | takes-back-laid-cards | any | the meld that justified taking the discard
to-open-only | takes-back-laid-cards | any | The joker goes back before the card given for it.
kalooki-51 classic | takes-back-laid-cards | any | the joker goes back first
jamaican | takes-back-laid-cards | any | a joker that it moved goes back to its place first
every | declared-joker-wrongly | any | A slip put right in the same breath is no change.
every | built-on-wrong-meld | any | until the discard; after that it stays where it fits
every | built-on-wrong-meld | any | Where it does not fit it goes back
# throwing and going out
every | threw-two | before_next_draw | whichever they choose
every | threw-two | later | the lower one if the next player drew from the stock, the other if they took one
jamaican | forgot-to-throw | before_next_draw | unless their hand is empty: then they are out
every | forgot-to-throw | later | do not draw on their next turn
every | takes-discard-back | any | Once let go
every | threw-out-of-turn | later | do not discard on their next turn
jamaican | throws-a-card-that-fits | any | any card but a joker
every | false-call-up | any | Whoever has shown cards meanwhile may have the hand declared void.
every | wrong-finish-found-later | before_first_draw | Until the next hand's first draw
every | won-with-a-wrong-number | before_first_draw | Until the next hand's first draw
every | won-with-a-wrong-number | before_first_draw | unless all were dealt the same wrong number
# talk
first-draw-free | warning-late-or-wrong | later | may not go out on their next turn
jamaican kalooki-51 kalooki-40 classic | warning-late-or-wrong | any | Nobody has to warn here
every | how-many-cards-asked | any | which cards they never need to say
every | advice | any | but what was played stands
every | phone-at-the-table | any | What was played stands.
every | false-word | any | only the number of cards, when asked, must be true
every | cheating-seen | any | a hand that cannot be put right is void
every | cheating-seen | any | What nobody saw is not proved: the hand stands.
jamaican | called-too-late | any | once the player in turn has drawn
jamaican | took-without-calling | before_next_draw | a penalty card face up on the stock
# the score
every | hands-mixed-before-counting | any | Only if the winner's own proof is gone is the hand void.
every | card-found-later | any | otherwise the scores stand
european south-african | leaves-in-mid-hand | any | with the payment to the winner
european south-african | buy-in-after-the-deal | before_first_draw | Only if all agree
every | wrong-rules-noticed | any | rules that change scores are mended only if all agree
every | wrong-rules-noticed | any | Otherwise the rules recorded stay.
every | wrong-count-found-later | any | even after the game
"""
"""Where it is played | the mishap | when it was noticed | the words of an exception that would turn the ruling."""

NO_EXCEPTION = {"joker-upcard", "hand-exposed", "joker-thrown-by-mistake"}
"""Mishaps whose rulings nothing turns but the moment and the variant."""

EXPECTED = [line.split(" | ") for line in EXCEPTIONS.splitlines() if line and not line.startswith("#")]

cached = {}


def in_sight(client, variant):
    """The words in sight of every mishap and moment, by slug and moment."""
    if variant.id not in cached:
        cached[variant.id] = {
            (mishap.slug, case.when): seen(client, f"{where(mishap, case)}?variant={variant.id}")
            for mishap in of_kind("mishap").values()
            for case in settle(mishap, variant).cases
        }
    return cached[variant.id]


def where(mishap, case):
    return f"/wrong/{mishap.group}/{mishap.slug}/{case.when}"


def seen(client, path):
    page = client.get(path).text
    return words_in_sight(page[page.index("<main") : page.index("</main>")])


every_variant = pytest.mark.parametrize("variant", [*all_variants()], ids=lambda variant: variant.id)


@every_variant
def test_a_ruling_on_a_mishap_is_read_in_a_few_seconds(client, variant):
    counts = {place: len(words) for place, words in in_sight(client, variant).items()}
    assert {place: count for place, count in counts.items() if count > MOST} == {}
    assert median(counts.values()) <= USUAL


def test_with_the_buttons_of_a_scorer_it_is_hardly_longer(app):
    alice = Alice(app)
    variant = alice.table.game.variant
    for mishap in of_kind("mishap").values():
        for case in settle(mishap, variant).cases:
            words = seen(alice.client, f"/g/{alice.code}{where(mishap, case)}")
            assert "Keep this ruling" in " ".join(words)
            assert len(words) <= MOST, mishap.slug


@every_variant
def test_what_would_turn_a_ruling_is_in_sight(client, variant):
    said = {place: " ".join(words) for place, words in in_sight(client, variant).items()}
    here = [told for played, *told in EXPECTED if variant.id in PLAYED.get(played, played.split())]
    assert [(slug, when, words) for slug, when, words in here if words not in said[slug, when]] == []


def test_every_mishap_was_asked_what_would_turn_it():
    turned = {slug for _, slug, *_ in EXPECTED}
    assert turned | NO_EXCEPTION == {*of_kind("mishap")}
    assert not turned & NO_EXCEPTION


def test_in_sight_stand_title_moment_ruling_remedy_and_badge(client):
    words = seen(client, "/wrong/draw/drew-two/later?variant=european")
    assert " ".join(words) == (
        "You took two! Later It stays in the hand, which is a card too big. What to do now They do not draw on their "
        "next turn, and until then neither lay, build nor go out. Why usual ruling"
    )


def test_a_ruling_of_a_document_names_it_in_sight(client):
    words = seen(client, "/wrong/out/throws-a-card-that-fits?variant=jamaican")
    assert words[-5:] == ["Why", "source", "Kalooki", "in", "Jamaica"]
