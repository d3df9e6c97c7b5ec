"""The best lay-down on the pages: a tab of Check, and beside the losers' cards of a hand that was recorded."""

import pytest

from app.kalooki.variants import all_variants
from tests.json_scorer import Scorer
from tests.pages import hand

pytestmark = pytest.mark.one_app

VARIANTS = [variant.id for variant in all_variants()]


def look(client, **claim):
    answer = client.get("/check", query_string={"check": "solve"} | claim)
    assert answer.status_code == 200
    return " ".join(answer.text.split())


def test_the_least_that_stays_after_the_throw_is_drawn_as_melds(client):
    """27 and 21 open; of a queen and a four, the four stays."""
    page = look(client, cards="QH 7H 8H 9H 7S 7D * 4C")
    assert '<p class="verdict-word">4 points</p>' in page
    assert "left after the discard" in page
    assert "joker as" in page
    assert "How to lay them</h2>" in page


def test_fewest_points_says_whether_that_goes_out(client):
    """Throw the seven: 8 + 9 + 10 and 30 open, and the fours lie with the joker."""
    page = look(client, cards="7H 8H 9H 10H KS QS JS 4D 4C *", variant="south-african")
    assert '<p class="verdict-word">0 points</p>' in page
    assert "Yes, you can go out." in page
    never = look(client, cards="2S 2H 2D 3H 4H 5H 9C")  # 18 of 40
    assert '<p class="verdict-word">18 points</p>' in never
    assert "These cards don’t reach 40 points with a card left to throw." in never


def test_whether_one_can_open_is_yes_or_no(client):
    assert '<p class="verdict-word">YES</p>' in look(client, cards="10H 10S 10D 10C 5C", goal="open")
    no = look(client, cards="10H 10S 10D 5C", goal="open")
    assert '<p class="verdict-word">NO</p>' in no
    assert "don’t reach 40 points" in no


@pytest.mark.parametrize(
    ("variant", "goal", "said"),
    [
        ("european", "go_out", "You can’t lay them all, keeping one to throw."),
        ("european", "kalooki", "You can’t lay them all at once, keeping one to throw."),
        ("european", "open", "These cards don’t reach 40 points with a card left to throw."),
        ("jamaican", "go_out", "You can’t go out."),
        ("jamaican", "kalooki", "You can’t lay them all at once."),
        ("jamaican", "open", "These cards don’t meet the contract."),
    ],
)
def test_a_no_is_true_whatever_keeps_the_cards_in_the_hand(client, variant, goal, said):
    """Nothing here fits anything, so no card to throw is what is missing."""
    page = look(client, cards="2C 5H 9S KC 7D", goal=goal, variant=variant)
    assert '<p class="verdict-word">NO</p>' in page
    assert said in page
    assert "has to be left" not in page


def test_where_only_the_opening_falls_short_the_answer_says_so(client):
    page = look(client, cards="KS KH KD 3H", goal="go_out")
    assert '<p class="verdict-word">NO</p>' in page
    assert "That makes 30; an opening needs 40 points." in page
    assert "lay them all" not in page
    assert '<a href="/rules/european#opening-points">The rule</a>' in page
    contract = look(client, cards="3H 3S 3D 9C 9C 9H 5S 5D 5C KD", goal="go_out", variant="jamaican", hand_number="2")
    assert "All of that can be laid, but not as the contract of this hand: 2 threes + 1 four." in contract


def test_going_out_after_few_cards_names_the_warning(client):
    page = look(client, cards="KS KH KD 3H", goal="go_out", opened="yes")
    assert '<p class="verdict-word">YES</p>' in page
    assert "You can go out. Only if the last turn ended with the warning: few cards in hand (3)." in page
    assert "Only if" not in look(client, cards="KS KH KD 3H", goal="go_out", opened="yes", variant="kalooki-51")


THREE_EACH = "KS KH KD 3H 4H 5H"
"""Two melds, worth 42 with no card over."""
NONE_TO_THROW = "Every card can be laid, but then none is left to throw, and nobody goes out without one."


@pytest.mark.parametrize(
    ("goal", "opened", "word"),
    [
        # kings laid, a five thrown: 3 + 4; without an opening only a king is thrown: 20 + 12
        ("least_points", "yes", "7 points"),
        ("least_points", "no", "32 points"),
        ("go_out", "yes", "NO"),
        ("go_out", "no", "NO"),
    ],
)
def test_where_all_can_be_laid_but_one_is_thrown_both_answers_say_so(client, goal, opened, word):
    page = look(client, cards=THREE_EACH, goal=goal, opened=opened)
    assert f'<p class="verdict-word">{word}</p>' in page
    assert NONE_TO_THROW in page
    assert '<a href="/rules/european#last-discard">The rule</a>' in page


@pytest.mark.parametrize(
    "claim",
    [
        {"cards": THREE_EACH + " 9C"},
        {"cards": THREE_EACH + " 9C", "goal": "go_out"},
        {"cards": "2S 2H 2D 3H 4H 5H", "goal": "go_out"},
        {"cards": "2S 2H 2D 3H 4H 5H"},
        {"cards": "KS KH KD 3H 4H 5H 6H", "variant": "jamaican"},
        {"cards": "KS KH KD 3H 4H 5H 6H", "variant": "jamaican", "goal": "go_out", "opened": "yes"},
    ],
)
def test_with_a_card_over_no_opening_or_none_to_throw_it_is_not_said(client, claim):
    """2+2+2+3+4+5 = 18 do not open; in Jamaica nobody need throw a card."""
    assert NONE_TO_THROW not in look(client, **claim)


def test_what_is_built_and_which_joker_is_freed_is_said(client):
    page = look(client, cards="5H 9S 9D KC 7C", goal="go_out", opened="yes", table=["4H *=5H 6H", "8C 9C 10C"])
    assert "for the joker of" in page
    assert "<span>build</span>" in page
    assert "<span>throw</span>" in page


def test_with_the_discard_that_lay_there_it_is_asked_again(client):
    page = look(client, cards="10H 10S 10D 5C", goal="open", discard="10C")
    assert '<p class="verdict-word">NO</p>' in page
    assert '<p class="verdict-word">YES</p>' in page.split("With that card</h2>")[1]
    useless = look(client, cards="10H 10S 10D 10C 5C", goal="open", discard="2D")
    assert '<p class="verdict-word">NO</p>' in useless.split("With that card</h2>")[1]
    never = look(client, cards="7H 8H", goal="go_out", opened="yes", discard="2D", variant="jamaican")
    assert "With that card</h2><p>" in never


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ({}, "Enter all the cards of the hand."),
        ({"cards": "7H", "table": "4H 5H"}, "A meld has three cards or more"),
        ({"cards": "7H", "goal": "open", "opened": "yes"}, "A player who has opened cannot open again"),
        ({"cards": "7H 11H"}, "“11H” isn’t a card"),
        ({"cards": "7H", "goal": "win"}, "is not one of"),
        ({"cards": "7H", "discard": "8H 9H"}, "this must be one card"),
        ({"cards": "7H 8H 9H 10H JH " * 5}, "too many to search"),
        ({"cards": "7H 7H 7H"}, "NOT LEGAL"),
    ],
)
def test_what_is_missing_or_cannot_be_is_said(client, claim, said):
    assert said in look(client, **claim)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("goal", ["least_points", "open", "go_out", "kalooki", "most_points"])
def test_every_goal_answers_in_every_variant(client, variant, goal):
    page = look(client, cards="3H 3S 3D 9C 9D 9H 5S 6S 7S 8S 7D KD *", goal=goal, variant=variant)
    assert 'class="verdict-word">' in page
    assert "Not judged yet" not in page


LEFT = {
    "s2": "QH 7H 8H 9H 7S 7D *",
    "s3": "KH KS KD 4C 5C 6C QH 2D 9S 8S 3H 3C *",
    "s4": "2C 5H 9S KC 7C 7D 3S 4S JD QS 10C 8H 6D",
    "s5": "K K 4H",
    "s6": 20,
}


@pytest.fixture
def recorded(client):
    """A game with one hand, most of whose losers were counted by cards."""
    game = {"variant": "european", "players": ["Ann", "Ben", "Cat", "Dora", "Eve", "Fay"], "stakes": None}
    scorer = Scorer(client, game)
    scorer.record(hand(1, **LEFT))
    return f"/g/{scorer.code}"


def of(page, name):
    """What is said of one loser."""
    return next(part for part in page.split("<section")[1:] if f"{name}: " in part)


def test_beside_each_losers_cards_stands_what_could_have_been(client, recorded):
    page = " ".join(client.get(f"{recorded}/hands/2/best").text.split())

    assert "10 points could not be avoided." in of(page, "Ben")
    assert "They could have opened with:" in of(page, "Cat")
    assert "They could not have opened: none of the 91 points could be avoided." in of(page, "Dora")
    assert "The suits were not recorded" in of(page, "Eve")
    assert "avoided" not in of(page, "Fay")  # her cards are not known


def test_in_hindsight_a_short_opening_and_the_few_cards_warning_are_named(client):
    game = {"variant": "european", "players": ["Ann", "Ben", "Cat"], "stakes": None}
    scorer = Scorer(client, game)
    # the kings are 30 of 40; the sevens are all that was left, so they had to be announced
    scorer.record(hand(1, s2="KS KH KD 2C 5H 9S 7C 4S JD 8C 8H 6D 2H", s3="7S 7H 7D"))
    page = " ".join(client.get(f"/g/{scorer.code}/hands/2/best").text.split())
    assert "They could not have opened with 30 of 40: none of the" in of(page, "Ben")
    assert "All of it could have been laid, if they gave the few-cards warning." in of(page, "Cat")


def test_a_losers_cards_lead_to_the_question_with_the_table(client, recorded):
    page = client.get(f"{recorded}/hands/2/best").text
    assert "check=solve&amp;cards=QH+7H+8H+9H+7S+7D+*&amp;goal=least_points&amp;opened=yes" in of(page, "Ben")


def test_the_game_and_its_history_lead_there(client, recorded):
    link = f"{recorded}/hands/2/best"
    assert link in client.get(recorded).text
    assert link in client.get(f"{recorded}/history").text


def test_a_hand_without_cards_has_nothing_to_look_at(client, recorded):
    assert client.get(f"{recorded}/hands/1/best").status_code == 404
    assert client.get(f"{recorded}/hands/9/best").status_code == 404


def test_no_ruling_is_kept_of_a_question(client, recorded):
    assert client.post(f"{recorded}/check?check=solve&cards=7H").status_code in (403, 404)
