"""The disputes of real tables: answered from the values a table plays, so that a house rule changes the answer."""

import pytest

from app.kalooki.claims import check
from app.kalooki.rules.answers import USUAL_REMEDY, rule_answers, settled
from app.kalooki.rules.disputes import of_kind, read_disputes
from app.kalooki.variants import all_variants, load, with_house_rules

VARIANTS = [*all_variants()]


def answers(table):
    return [answer for answer in settled(table) if answer.kind == "dispute"]


def answer(slug, variant_id, **house):
    table, _ = with_house_rules(load(variant_id), house)
    return next((each for each in answers(table) if each.slug == slug), None)


def test_an_answer_names_the_values_that_decide_it():
    """The place of an ace depends on one value; the use of the discard on one before the opening and one at first."""
    assert answer("ace-low", "european").keys == ("ace",)
    assert {"discard_before_opening", "first_draw_free"} <= {*answer("using-the-discard", "european").keys}


def test_disputes_and_rules_but_not_mishaps_are_compared_between_variants():
    european = load("european")
    told = {each.kind: each for each in (*settled(european), *rule_answers(european))}
    assert {kind for kind, each in told.items() if each.is_mishap} == {"mishap"}
    assert {kind for kind, each in told.items() if each.is_compared} == {"dispute", "rule"}


@pytest.mark.parametrize("dispute", of_kind("dispute").values(), ids=lambda dispute: dispute.slug)
def test_a_dispute_has_a_title_at_every_table_and_names_each_rule_once(dispute):
    assert all(text.strip() for _, text in dispute.title)
    assert dispute.title[-1][0] == ""
    for case in dispute.cases:
        assert not set(case.rules) & set(case.beside)


WHOLE = {"group": "lay", "title": "Only one meld a turn!", "ruling": "No."}
CASE = {"when": "later", "ruling": "It stays.", "remedy": "Play on."}
LATER = {"group": "draw", "title": "You took two!", "case": [CASE]}


@pytest.mark.parametrize(
    ("kind", "entry", "file", "key", "reason"),
    [
        ("dispute", {"group": "lay", "ruling": "No."}, "disputes.toml", "title", "missing"),
        ("dispute", {"title": "Out!", "ruling": "No."}, "disputes.toml", "group", "missing"),
        ("dispute", {"group": "lay", "title": "Out!"}, "disputes.toml", "ruling", "missing"),
        ("dispute", WHOLE | {"anwser": "Yes."}, "disputes.toml", "anwser", "not known"),
        ("dispute", WHOLE | {"group": "cards"}, "disputes.toml", "group", "cards"),
        ("dispute", WHOLE | {"rules": ["ace-hihg"]}, "disputes.toml", "rules.0", "ace-hihg"),
        ("dispute", WHOLE | {"rules": "ace-high"}, "disputes.toml", "rules", "list"),
        ("dispute", WHOLE | {"ruling": [["jokres=0", "No."]]}, "disputes.toml", "ruling", "jokres"),
        ("dispute", WHOLE | {"ruling": "It has {jokres}."}, "disputes.toml", "ruling", "jokres"),
        ("dispute", WHOLE | {"ruling": "It has {jokers."}, "disputes.toml", "ruling", "}"),
        ("dispute", WHOLE | {"ruling": [[]]}, "disputes.toml", "ruling", "index"),
        ("mishap", LATER | {"follows": ["thrown-out"]}, "mishaps.toml", "follows.0", "thrown-out"),
        ("mishap", LATER | {"case": [CASE, {"when": "never"}]}, "mishaps.toml", "case.1.when", "never"),
        (
            "mishap",
            LATER | {"case": [{"conditions": ["jokres=0"], "ruling": "No."}]},
            "mishaps.toml",
            "conditions.0",
            "jokres",
        ),
        ("mishap", LATER | {"case": ["later"]}, "mishaps.toml", "case.0", "later"),
    ],
)
def test_a_broken_entry_is_named_with_its_file_its_key_and_the_reason(kind, entry, file, key, reason):
    assert [each.slug for each in read_disputes(kind, {"whole": WHOLE})] == ["whole"]
    with pytest.raises(ValueError, match="odd-one") as told:
        read_disputes(kind, {"odd-one": entry, "whole": WHOLE, "odd-two": entry})
    first, second = str(told.value).splitlines()
    assert first.startswith(f"{file}: odd-one.")
    assert second.startswith(f"{file}: odd-two.")
    assert key in first.split(":")[1].split(" ")[1]
    assert reason in first.partition("odd-one.")[2]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_most_disputes_are_answered_in_every_variant(variant):
    settled = answers(variant)

    assert len(settled) >= 20
    assert not [each.text for each in settled if "{" in each.text]


def test_the_joker_of_a_set_needs_both_suits_in_europe_and_one_in_north_america():
    assert answer("joker-from-a-set", "european").text.startswith("No: once you’re down, add both")
    assert answer("joker-from-a-set", "north-american").text.startswith("Yes")
    assert answer("joker-from-a-set", "jamaican").text.startswith(
        "No: in a three it stays; in a four, put the real card in and the joker slides to the high end."
    )


def test_a_house_rule_changes_the_answer_and_is_named():
    settled = answer("joker-from-a-set", "european", joker_from_set="one")

    assert settled.text.startswith("Yes")
    assert "Joker out of a set of three: for one missing suit" in settled.house_rules


def test_exactly_at_the_limit_follows_the_tables_choice():
    assert answer("exactly-at-the-limit", "european").text.startswith("Out: 150 points is out")
    assert answer("exactly-at-the-limit", "european", out_at="over_limit").text.startswith("Still in")
    assert "points knock nobody out" in answer("exactly-at-the-limit", "european", limit=None).ruling


@pytest.mark.parametrize(
    ("slug", "variant_id"),
    [
        ("exactly-at-the-limit", "kalooki-40"),
        ("how-often-to-buy-in", "kalooki-51"),
        ("sharing-the-pool", "north-american"),
        ("splitting-early", "north-american"),
        ("who-pays", "north-american"),
    ],
)
def test_an_answer_with_a_house_rule_also_states_the_variants_rule(slug, variant_id):
    settled = answer(slug, variant_id)
    assert "by these rules" in settled.ruling.lower()
    assert "your table" in f"{settled.text} {settled.remedy}"


def test_a_player_buys_in_twice_and_no_third_time():
    assert answer("how-often-to-buy-in", "european").ruling.startswith("Up to twice a game")
    assert answer("one-buy-in-too-many", "european").ruling == "No: twice a game is all."
    assert answer("how-often-to-buy-in", "north-american").ruling == "No: by these rules nobody buys in."
    assert answer("how-often-to-buy-in", "north-american", buy_ins=3).ruling.startswith("Up to 3 times")


def test_a_hand_that_never_opened_counts_once_however_the_winner_goes_out():
    assert answer("never-opened-double", "classic").text.count(".") == 1
    assert "only a Kalooki adds 25 points, to every loser" in answer("never-opened-double", "kalooki-51").ruling
    assert "only if the winner bent the table" in answer("never-opened-double", "jamaican").ruling


def test_ending_a_game_early_has_the_same_winner_as_an_end_by_the_rules():
    assert answer("stopping-early", "kalooki-51").ruling.startswith("The lowest total: ")
    assert answer("stopping-early", "kalooki-51", limit=150).ruling.startswith("The lowest total of those still in: ")
    assert "the lowest total of those still in wins" in answer("stopping-early", "kalooki-51", limit=150).rules[0].text


def test_builds_count_towards_the_opening_only_in_north_america():
    assert answer("builds-for-the-opening", "north-american").ruling.startswith("Yes")
    assert answer("builds-for-the-opening", "european").ruling.startswith("No")
    assert "40 points" in answer("builds-for-the-opening", "european").ruling
    assert answer("builds-for-the-opening", "jamaican").ruling.startswith("No")


def test_a_fifth_card_can_join_a_jamaican_three_but_not_a_set():
    assert answer("fifth-card-in-a-set", "north-american").ruling.startswith("No")
    assert answer("fifth-card-in-a-set", "jamaican").ruling.startswith("Yes")


def test_a_card_taken_may_be_thrown_again_if_it_may_be_kept():
    assert answer("throwing-it-straight-back", "kalooki-51").ruling.startswith("Yes")
    assert answer("throwing-it-straight-back", "european").ruling.startswith("Yes, once you’re down; before that only")
    assert answer("throwing-it-straight-back", "european", discard_after_opening="meld").ruling.startswith("No")


def test_a_house_rule_that_leaves_its_rule_without_text_is_still_named():
    settled = answer("no-warning", "european", warning_at=0)

    assert settled.text == "That’s allowed: nobody has to warn."
    assert settled.house_rules == ("Few-cards warning at: none",)
    assert settled.rules == ()


def test_a_dispute_that_cannot_come_up_is_left_out():
    assert answer("that-is-not-the-contract", "european") is None
    assert "Hand 1: 3 threes. Hand 2: 2 threes + 1 four." in answer("that-is-not-the-contract", "jamaican").text


def test_exactly_a_hundred_shares_the_pool_behind_the_winner_but_not_below_a_hundred():
    assert "Exactly 100 is too many" in answer("sharing-the-pool", "kalooki-51").remedy
    assert "Exactly 100 behind still shares" in answer("sharing-the-pool", "kalooki-40").remedy


def test_a_player_knocked_out_shares_the_pool_by_points_if_losers_share():
    assert "knocked out" not in answer("sharing-the-pool", "kalooki-40").text  # nobody is
    sharing = answer("sharing-the-pool", "kalooki-40", limit=150).more
    assert "somebody who is knocked out shares too" in sharing
    assert "or never paid in, gets no share. If the table ends the game early, it decides" in sharing
    scored = answer("score-of-who-is-out", "kalooki-40", limit=150).rules[0].text
    assert "it still counts for a share of the pool. If the table ends the game early" in scored


def test_a_deciding_hand_is_told_whole_before_those_who_are_out():
    told = next(rule.text for rule in answer("same-points", "kalooki-40", limit=150).rules if rule.rule == "tie")
    assert "deciding hand. Its winner takes the place" in told
    assert told.endswith("the last to be knocked out ranks highest among them.")


def test_no_loser_shares_a_pool_that_the_winner_takes():
    takes_all = "The winner of the game takes it all"
    assert answer("sharing-the-pool", "european").ruling == f"{takes_all}; whoever is knocked out gets nothing."
    assert answer("sharing-the-pool", "european", limit=None).ruling == f"{takes_all}."
    assert "Shares are equal" in answer("sharing-the-pool", "kalooki-51").text


@pytest.mark.parametrize(
    "slug",
    [
        *("counted-wrong", "show-the-hand", "always-lucky", "score-of-who-is-out", "same-points", "splitting-early"),
        *("pot-does-not-come-out", "coming-back", "bad-hand", "play-for-somebody", "who-decides"),
    ],
)
def test_a_ruling_that_no_document_states_cites_none(slug):
    assert answer(slug, "european").standing == "usual"


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_an_answer_from_common_practice_cites_no_document(variant):
    """Citing other variants' documents would look as if they were this variant's own."""
    usual = [each for each in answers(variant) if each.standing == "usual"]

    assert usual
    assert not [each.slug for each in usual if each.sources]
    assert all(each.note.startswith("Not in the source") for each in usual)


@pytest.mark.parametrize(
    ("slug", "of_remedy"),
    [
        ("nothing-to-throw", USUAL_REMEDY),  # the document has the last card thrown, and says nothing of having none
        ("using-the-discard", USUAL_REMEDY),
        ("away-from-the-table", ""),  # a usual ruling: that its remedy is usual needs no saying
        ("who-deals-now", ""),
        ("how-many-jokers", ""),  # nothing is to be done
    ],
)
def test_a_remedy_that_no_document_states_is_marked_as_common_practice(slug, of_remedy):
    told = {each.slug: each.of_remedy for each in answers(load("european"))}

    assert told[slug] == of_remedy


def test_common_practice_beside_a_sourced_ruling_is_named():
    told = {each.slug: each.note for each in answers(load("kalooki-40"))}

    # S3 has the discard taken only to open; that the card itself lies in that opening is our default
    assert told["first-upcard"] == "Common practice, not in the source: The card that was taken."


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_an_answer_on_which_a_document_is_unclear_gives_both_readings(variant):
    for each in answers(variant):
        for rule in (*each.rules, *each.beside):
            assert rule.standing != "both" or rule.note in each.note


def test_an_answer_from_common_practice_quotes_the_nearest_statement():
    assert answer("how-many-jokers", "kalooki-40").note.endswith("It only says two packs with their jokers.")


def test_an_answer_names_each_place_of_a_document_once():
    sources = answer("joker-from-a-run", "kalooki-51").sources
    assert [(source.id, source.where.count("Using jokers")) for source in sources] == [("S2", 1)]


def test_without_a_pool_no_answer_divides_one():
    for slug in ("splitting-early", "pot-does-not-come-out", "will-not-pay"):
        assert answer(slug, "jamaican").remedy is None
        assert answer(slug, "european").remedy


@pytest.mark.parametrize("slug", ["sharing-the-pool", "splitting-early", "pot-does-not-come-out"])
def test_only_the_north_american_document_states_that_there_is_no_pool(slug):
    assert [source.where for source in answer(slug, "north-american").sources] == [
        "How to Score in Kalooki, last paragraph, on North America"
    ]
    assert answer(slug, "classic").standing == "usual"


@pytest.mark.parametrize(
    ("slug", "variant", "standing"),
    [
        ("using-the-discard", "european", "source"),
        ("stopping-early", "european", "source"),
        ("saying-out", "classic", "both"),
        ("saying-out", "european", "usual"),
        ("suit-twice", "kalooki-51", "both"),
        ("joker-suit-in-a-set", "jamaican", "source"),
        ("was-it-all-at-once", "european", "source"),
        ("was-it-all-at-once", "kalooki-40", "both"),
        ("exactly-at-the-limit", "european", "both"),
        ("sharing-the-pool", "european", "source"),
        ("sharing-the-pool", "kalooki-51", "both"),
        ("sharing-the-pool", "kalooki-40", "both"),
        ("building-at-once", "north-american", "source"),
        ("building-at-once", "classic", "both"),
        ("joker-from-a-set", "north-american", "source"),
        ("enough-to-open", "kalooki-51", "source"),
        ("worth-of-an-ace", "north-american", "source"),
        ("two-alike", "jamaican", "source"),  # one four of each suit; of threes the document has no word
        ("calling-for-the-discard", "jamaican", "source"),
        ("keeping-a-joker", "jamaican", "source"),
        ("keeping-a-joker", "classic", "source"),
        ("suit-twice", "kalooki-40", "both"),
        ("stock-used-up", "kalooki-51", "both"),
        ("who-pays", "north-american", "both"),
    ],
)
def test_an_answer_has_the_standing_of_the_rules_that_decide_it(slug, variant, standing):
    settled = answer(slug, variant)

    assert settled.standing == standing
    assert {source.id for source in settled.sources} == ({load(variant).source} if standing != "usual" else set())


def test_further_explanation_has_its_own_standing():
    def beside(slug, variant):
        return {rule.rule: rule.standing for rule in answer(slug, variant).beside}

    assert beside("using-the-discard", "european")["discard-kept"] == "source"
    assert beside("using-the-discard", "kalooki-40")["discard-in-the-opening"] == "usual"
    assert beside("joker-from-a-set", "north-american") == {
        "joker-from-full-set": "both",
        "joker-from-two-joker-set": "both",
        "joker-from-run": "source",
        "joker-after-opening": "source",
        "freed-joker": "source",
    }


def test_a_house_rule_beside_the_ruling_does_not_change_its_standing():
    settled = answer("enough-to-open", "kalooki-51", high_ace_points=15)

    assert settled.standing == "source"
    assert settled.house_rules == ("High ace in a run: 15 points",)


def test_a_payment_that_no_document_names_cites_none():
    assert (answer("who-pays", "kalooki-51").standing, answer("who-pays", "kalooki-51").sources) == ("usual", ())


def test_a_ruling_without_a_rule_cites_nothing():
    # Kalooki 40 says that melds are never rearranged, not that a card may belong to one only
    assert answer("one-card-in-two-melds", "european").sources == ()
    assert answer("no-upcard", "classic").sources == ()


@pytest.mark.parametrize("variant", ["european", "north-american", "south-african"])
def test_the_very_first_player_keeps_the_discard(variant):
    assert "first turn" in answer("using-the-discard", variant).text
    assert "first turn" not in answer("using-the-discard", "kalooki-40").text
    assert "first turn" in answer("throwing-it-straight-back", variant).text


def test_a_joker_may_be_taken_but_not_thrown_again_in_jamaica():
    assert "joker" in answer("throwing-it-straight-back", "jamaican").ruling
    assert "joker" not in answer("throwing-it-straight-back", "classic").ruling


def test_a_turn_without_a_discard_ends_a_jamaican_hand():
    assert "unless" in answer("passing", "jamaican").ruling
    assert "unless" not in answer("passing", "european").ruling


def test_variants_without_contracts_say_what_opens_a_hand():
    assert answer("no-contracts", "jamaican") is None
    assert answer("no-contracts", "south-african").standing == "usual"
    assert "melds of 51 points open, a Kalooki with fewer" in answer("no-contracts", "kalooki-51").ruling
    assert "Jamaican Kalooki" in answer("no-contracts", "classic").remedy


def test_an_unpaid_buy_in_is_owed_if_it_costs_anything():
    assert "they owe its price to the pool" in answer("buy-in-not-paid", "european").ruling
    assert "by these rules it costs nothing" in answer("buy-in-not-paid", "north-american", buy_ins=2).ruling
    assert answer("buy-in-not-paid", "classic").ruling.startswith("By these rules nobody buys in")


def test_only_the_player_in_turn_or_a_caller_gets_the_card():
    assert answer("who-took-it-first", "european").ruling.startswith("Whoever was in turn")
    assert "the next in turn" in answer("who-took-it-first", "jamaican").ruling
    assert answer("who-took-it-first", "jamaican").standing == "usual"


# six and seven of hearts are held, the eight lies on the pile: 21 points, down before or not
LAY = {"do": "meld", "cards": "6H 7H 8H"}
THROW = {"do": "discard", "card": "2C"}
KEPT = "6H 7H 2C 3D 4C KS JD 9C QH 5S 10C AD JC"


def may_take_the_discard(table, *, opened, lays, first=False):
    """Return the ruling on the eight of hearts, taken from the pile and laid in a new meld or kept."""
    steps = [{"do": "draw", "from": "discard", "card": "8H"}, *([LAY] if lays else []), THROW]
    verdict = check("turn", {"hand": KEPT, "opened": opened, "first_turn": first, "steps": steps}, table)
    return not {fault.rule for fault in verdict.faults} & {"discard-before-opening", "discard-after-opening"}


@pytest.mark.parametrize("after", ["free", "meld", "never"])
@pytest.mark.parametrize("before", ["open", "free"])
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_answers_about_the_discard_agree_with_the_referee(variant, before, after):
    table, _ = with_house_rules(variant, {"discard_before_opening": before, "discard_after_opening": after})
    told = {each.slug: each.ruling for each in answers(table)}
    assert told["discard-once-down"].startswith("Yes") is may_take_the_discard(table, opened=True, lays=True)
    keeps = told["discard-once-down"] == "Yes, and you may keep it."
    assert keeps is may_take_the_discard(table, opened=True, lays=False)
    not_down = told["discard-while-not-down"]
    assert not_down.startswith("Yes") is may_take_the_discard(table, opened=False, lays=False)
    is_first_free = not_down.startswith("Yes") or "very first turn" in not_down
    assert is_first_free is may_take_the_discard(table, opened=False, lays=False, first=True)


NEW = ("KS KD KH", "QC QD QH", "7S 8S 9S 10S")
ON_TABLE = [{"cards": "4H *=5H 6H", "owner": 2}, {"cards": "JS JD JC", "owner": 2}]


def ending(table, *, laid=False, adds=False, takes_joker=False):
    """Return the ending of a turn that goes out, with or without building a card or taking a joker from the table."""
    melds = [{"do": "meld", "cards": cards} for cards in NEW]
    builds = [{"do": "build", "on": 1, "cards": "JH"}] if adds else []
    freed = [{"do": "free_joker", "on": 0, "give": "5H"}, {"do": "meld", "cards": "2C 3C *"}] if takes_joker else []
    hand = [*" ".join(NEW).split(), *(["JH"] if adds else []), *(["5H", "2C", "3C"] if takes_joker else []), "9D"]
    draw = {"do": "draw", "from": "stock", "card": hand.pop()}
    steps = [draw, *melds, *freed, *builds, {"do": "discard", "card": "9D"}]
    verdict = check("turn", {"hand": " ".join(hand), "table": ON_TABLE, "opened": laid, "steps": steps}, table)
    assert verdict.ok, verdict.faults
    return verdict.ending


@pytest.mark.parametrize("builds", [True, False])
@pytest.mark.parametrize("variant", [each for each in VARIANTS if not each.contracts], ids=lambda variant: variant.id)
def test_answers_about_a_kalooki_agree_with_the_referee(variant, builds):
    table, _ = with_house_rules(variant, {"kalooki_builds": builds})
    told = {each.slug: each.ruling for each in answers(table)}
    assert ending(table) == "kalooki"
    assert (ending(table, laid=True) == "kalooki") is told["kalooki-after-laying"].startswith("Yes")
    assert (ending(table, adds=True) == "kalooki") is told["kalooki-with-an-added-card"].startswith("Yes")
    # where cards may be added, so may a joker be taken, and nothing is said of it
    assert (ending(table, takes_joker=True) == "kalooki") is ("kalooki-with-a-table-joker" not in told)


def test_the_referee_limits_jamaican_calls():
    told = {each.slug: each.ruling for each in answers(load("jamaican"))}
    assert told["calling-once-down"] == "No: only a player who isn’t down may call."
    assert told["fourth-call"] == "No: it costs 50 points and gets no card."
    assert told["second-call-in-a-turn"] == "No: after one call the player in turn draws from the stock."
    assert told["calling-own-throw"] == "No: you can’t call the card you threw."
    assert told["discard-under-the-called-one"].startswith("No: nobody takes the card under it")
    assert answer("calling-own-throw", "jamaican").standing == "usual"


def test_empty_stock_without_discards():
    asked = answer("nothing-to-shuffle", "jamaican")
    assert asked.ruling.startswith("If you aren’t down, you may take the top discard; if you won’t, or are down,")
    assert "No penalty card left? Then take none." in asked.remedy
    assert "penalty" not in answer("nothing-to-shuffle", "european").remedy
    shut = answer("nothing-to-shuffle", "european", discard_before_opening="never", discard_after_opening="never")
    assert shut.ruling == "The hand is void: nobody may take the top discard."


def test_a_player_without_a_discard_takes_back_a_card_a_meld_can_spare():
    asked = answer("nothing-to-throw", "european")
    assert asked.ruling == "No: you must finish by throwing a card."
    assert "a card laid this turn that can be spared" in asked.remedy
    assert asked.remedy.endswith("An opening must still make 40 points.")
    assert answer("nothing-to-throw", "jamaican").ruling.startswith("Yes")


def test_an_answer_gives_other_readings_of_its_documents():
    # the document of Kalooki 40 has fifteen points for a joker, and no other reading; that of Europe is plain
    opening, discard = answer("enough-to-open", "kalooki-40"), answer("using-the-discard", "european")
    assert opening.disagrees
    assert opening.remark.startswith("The source says that a joker is worth 15 points")
    assert (discard.disagrees, discard.remark) == (False, "")
