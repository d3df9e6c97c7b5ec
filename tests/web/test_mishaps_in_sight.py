"""What a page about a mishap shows before any tap: few words, and among them whatever would turn the ruling."""

from statistics import median

import pytest

from app.kalooki.rules.answers import settle
from app.kalooki.rules.disputes import of_kind
from app.kalooki.variants import all_variants
from tests.pages import Alice
from tests.web.words_in_sight import words_in_sight

pytestmark = pytest.mark.one_app

MOST, USUAL = 60, 40
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
every | card-exposed-in-dealing | before_first_draw | two or more: deal again
every | wrong-dealer | later | as if the right player had dealt
kalooki-51 | wrong-dealer | before_first_draw | also if the wrong player is about to begin
kalooki-51 | wrong-dealer | later | with the player who began
every | not-cut | before_first_draw | may ask
every | player-skipped-in-deal | later | once it’s over it’s void, unless all let the others’ scores stand
every | player-skipped-in-deal | later | Record for the skipped player what you agree
first-draw-free | dealt-in-though-out | any | if they won with those cards, the hand is void
jamaican kalooki-51 kalooki-40 classic | dealt-in-though-out | any | They won the hand with them? Void:
every | short-pack | any | earlier hands stand
every | card-found-in-the-hand | any | into the stock if seen falling from it; otherwise the hand is void
every | marked-card | later | and it stands
every | wrong-number-dealt | later | unless all hold the same wrong number
every | wrong-number-dealt | later | Until then you can’t lay, add or go out.
# drawing
every | drew-out-of-turn | before_next_draw | A discard goes on its pile; a stock card goes face up on the stock
every | drew-out-of-turn | before_next_draw | theirs to take or shuffle in
every | drew-out-of-turn | later | or stands if you finished and the next player has drawn
every | has-drawn-already | any | Melds mixed up? Count stock and discards
by-points | has-drawn-already | any | without freed jokers
every | has-drawn-already | any | If in doubt, draw.
jamaican | has-drawn-already | any | than by deal and calls
every | turn-skipped | before_next_draw | A discard goes on its pile; a stock card goes face up on the stock
every | turn-skipped | before_next_draw | theirs to take or shuffle in
every | drew-two | before_next_draw | Looked at: face up on it
every | drew-two | before_next_draw | Nobody knows which? The player on the right picks one from your hand, unseen
every | drew-two | later | skip your next draw
every | drew-two | later | Until then you can’t lay, add or go out.
every | saw-next-card | any | takes it, or shuffles it in first
every | stock-knocked-over | any | including the cards seen
to-open-only | changed-mind-after-drawing | any | unless you can’t open with it
first-draw-free | changed-mind-after-drawing | any | in the hand’s very first turn you keep it
every | touched-the-discard | any | it’s taken once it is in your hand
first-draw-free | took-discard-cannot-open | before_next_draw | in the hand’s very first turn you keep it
to-open-only | took-discard-cannot-open | before_next_draw | Thrown already? Take that back too.
every | looking-through-the-pile | any | unless the table agreed otherwise before play
every | drew-before-discard | any | a discard they took goes back
jamaican | drew-before-discard | any | by calling
# laying and building
to-open-only | short-opening-built-on | before_next_draw | Took a discard? Put it back
first-draw-free | short-opening-built-on | before_next_draw | in the hand’s very first turn you keep it
north-american | short-opening-built-on | before_next_draw | Cards added this turn count.
kalooki-51 | short-opening-built-on | before_next_draw | Only a Kalooki needs no minimum.
jamaican | short-opening-built-on | before_next_draw | unless this hand’s whole contract is among the melds
jamaican | short-opening-built-on | later | with everything added to it
by-points | bad-meld-joker-gone | before_next_draw | A joker freed from it goes back first
by-points | bad-meld-joker-gone | later | A joker freed meanwhile stays where it is.
every | bad-meld-joker-gone | later | the rest stays
jamaican | bad-meld-joker-gone | later | and the contract counts as laid
north-american | built-before-opening | before_next_draw | unless it helped to open, beside a new meld
every | built-before-opening | later | where it fits, but they still aren’t down
first-draw-free | third-card-at-an-end | before_next_draw | Or lay the three as a new run.
jamaican | third-card-at-an-end | any | at the low end you add only once the four has its ace
every | laid-out-of-turn | later | if they are legal melds
every | joker-taken-wrongly | later | that doesn’t fit goes back to hand
by-points | freed-joker-kept | before_next_draw | Fits nowhere? Put it back
by-points | freed-joker-kept | later | it stays in their hand
by-points | freed-joker-kept | later | Nobody skips a draw or a discard.
every | takes-back-laid-cards | any | before you throw
to-open-only | takes-back-laid-cards | any | except the meld for which you took the discard
to-open-only | takes-back-laid-cards | any | A joker you took goes back first.
kalooki-51 classic | takes-back-laid-cards | any | a joker you took goes back first
jamaican | takes-back-laid-cards | any | a joker it moved goes back first
every | declared-joker-wrongly | any | unless you corrected the slip in the same breath
every | built-on-wrong-meld | any | before you throw; after that it stays where it fits
every | built-on-wrong-meld | any | If it doesn’t fit there, it goes back
# throwing and going out
every | threw-two | before_next_draw | whichever you choose
every | threw-two | later | the lower one if the next player drew from the stock, the other if they took one
jamaican | forgot-to-throw | before_next_draw | unless your hand is empty: then you’re out
every | forgot-to-throw | later | skip your next draw
every | takes-discard-back | any | once you let go
every | threw-out-of-turn | later | skip your next throw
jamaican | throws-a-card-that-fits | any | any card but a joker
every | false-call-up | any | Anyone who has shown cards meanwhile may have the hand made void.
every | wrong-finish-found-later | before_first_draw | Before the next hand’s first draw
every | won-with-a-wrong-number | before_first_draw | Before the next hand’s first draw
every | won-with-a-wrong-number | before_first_draw | unless all were dealt the same wrong number
# talk
first-draw-free | warning-late-or-wrong | later | they can’t go out on their next turn
jamaican kalooki-51 kalooki-40 classic | warning-late-or-wrong | any | nobody has to warn here
every | how-many-cards-asked | any | never which cards
every | advice | any | but what was played stands
every | phone-at-the-table | any | What was played stands.
every | false-word | any | only the number, when asked, must be true
every | cheating-seen | any | if you can’t, the hand is void
every | cheating-seen | any | Nobody saw it? The hand stands.
jamaican | called-too-late | any | once the player in turn has drawn
jamaican | took-without-calling | before_next_draw | the penalty card face up on the stock
# the score
every | hands-mixed-before-counting | any | Only if nobody can check the winner’s cards any more is the hand void.
every | card-found-later | any | otherwise the scores stand
european south-african | leaves-in-mid-hand | any | and you pay the winner
european south-african | buy-in-after-the-deal | before_first_draw | Only if all agree
every | wrong-rules-noticed | any | old scores change only if everyone agrees
every | wrong-rules-noticed | any | Otherwise the recorded rules stay.
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
            assert "Add to history" in " ".join(words)
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
        "You took two! Later Keep it and skip your next draw. What to do now Until then you can’t lay, add or go out. "
        "Why common practice"
    )


def test_a_ruling_of_a_document_names_it_in_sight(client):
    words = seen(client, "/wrong/out/throws-a-card-that-fits?variant=jamaican")
    assert words[-6:] == ["Why", "written", "rule", "Kalooki", "in", "Jamaica"]
