"""The rules of building, and of freeing jokers."""

from app.kalooki.claims import check
from app.kalooki.rules.rulebook import explain
from tests.kalooki.rule_talk import broken, named, table, text_of, turn

# ---- Building


def test_building():
    assert broken("build", on="4H 5H 6H", cards="") == ["building"]
    assert broken("build", on="4H 5H 6H", cards="7H") == []


def test_build_after_opening():
    """In a turn, the build waits until the opening lies."""
    hand = "10S JS QS KS 2C 4D 9D 8H QD 3C 6H 7D 5C"
    lying = [{"cards": "3H 4H 5H", "owner": 2}]
    steps = ("meld 10S JS QS KS", "build 0 6H")
    assert turn("draw stock AS", *steps, "discard AS", hand=hand, table=lying) == []
    assert turn("draw stock AS", *reversed(steps), "discard AS", hand=hand, table=lying) == ["build-after-opening"]


def test_build_same_turn():
    """A joker is not freed in that turn either; who has opened before may do both."""
    own = table(build_same_turn=False)
    hand = "10S JS QS KS 2C 4D 9D 8H QD 3C 6H 7D 5C"
    lying = [{"cards": "5H * 7H", "owner": 2}]
    steps = ("draw stock AS", "meld 10S JS QS KS", "free_joker 0 6H", "build 0 *", "discard AS")
    assert turn(*steps, hand=hand, table=lying, variant=own) == ["build-same-turn"]
    assert turn(*steps, hand=hand, table=lying, variant=own, opened=True) == []
    assert turn(*steps, hand=hand, table=lying) == []


def test_closed_set():
    """A missing suit closes a set with a joker: afterwards not even the last suit can be added."""
    assert broken("build", on="6S 6H *", cards="6D") == []
    assert broken("build", on="6S 6H 6D *", cards="6C") == ["closed-set"]


def test_full_set():
    """Nothing is added to four of a rank, and the ruling rests on that, not on the set with a joker."""
    fault = check("build", {"on": "6S 6H 6D 6C", "cards": "*"}, table()).faults[0]
    assert (fault.rule, explain(fault, table()).sources[0].where) == (
        "closed-set",
        "Turn by turn play, (2) Melding; Turn by turn play, (3) Laying Off",
    )
    assert explain(fault, table("kalooki-51")).standing == "both"
    assert text_of("full-set", "jamaican") == ""


def test_build_end_limit():
    """Two on each end are four cards and legal; three on one end are not, in two builds either."""
    assert broken("build", on="5H 6H 7H", cards="3H 4H 8H 9H") == []
    assert broken("build", on="5H 6H 7H", cards="8H 9H 10H") == ["build-end-limit"]
    assert broken("build", on="5H 6H 7H 8H", cards="9H 10H", built_this_turn={"high": 1}) == ["build-end-limit"]
    assert broken("build", table("kalooki-40"), on="5H 6H 7H", cards="8H 9H 10H") == []
    assert named("build", on="5H 6H 7H", cards="4H 8H 9H 10H") == ["8H 9H 10H"]


def test_run_ends():
    """The ace built in the same breath opens the low end."""
    jamaican = table("jamaican")
    assert broken("build", jamaican, on="10H JH QH KH", cards="9H") == ["run-ends"]
    assert broken("build", jamaican, on="10H JH QH KH", cards="9H AH") == []
    assert named("build", jamaican, on="9H 10H JH QH", cards="KH 8H") == ["8H"]


def test_build_without_melding():
    lying = [{"cards": "7S 8S 9S", "owner": 2}]
    assert turn("draw stock 10S", "build 0 10S", "discard 2C", hand="2C 5D 9H", table=lying, opened=True) == []


def test_build_order():
    """In North America the build may come first: twenty built and forty of a new meld open."""
    hand = "10S JS QS KS 2C 4D 9D 8H 10D 3C 6H 7D 5C 2H 3D"
    lying = [{"cards": "7D 8D 9D", "owner": 2}]
    steps = ("draw stock JD", "build 0 10D JD", "meld 10S JS QS KS", "discard 2C")
    assert turn(*steps, hand=hand, table=lying, variant=table("north-american")) == []
    assert "build-after-opening" in turn(*steps, hand=hand, table=lying)


def test_new_run_limit():
    """Two more on each end of a run that was laid in this turn, not three."""
    hand = "4H 5H 6H 7H 8H 9H 2C KD"
    two = ("draw stock 2D", "meld 4H 5H 6H", "build 0 7H 8H", "discard 2C")
    three = ("draw stock 2D", "meld 4H 5H 6H", "build 0 7H 8H 9H", "discard 2C")
    assert turn(*two, hand=hand, opened=True) == []
    assert turn(*three, hand=hand, opened=True) == ["build-end-limit"]


def test_joker_built():
    """In place of the ten; in Jamaica not beside another joker."""
    assert broken("build", on="7S 8S 9S", cards="*") == []
    assert broken("build", table("jamaican"), on="6S 7S 8S *=9S", cards="*=10S") == ["jokers-together"]


# ---- Jokers


def test_joker_after_opening():
    """The turn of the opening counts, once the opening lies."""
    hand = "10S JS QS KS 2C 4D 9D 8H QD 3C 6H 7D 5C"
    lying = [{"cards": "5H * 7H", "owner": 2}]
    freed = ("free_joker 0 6H", "build 0 *")
    opened = ("draw stock AS", "meld 10S JS QS KS", *freed, "discard AS")
    early = ("draw stock AS", *freed, "meld 10S JS QS KS", "discard AS")
    assert turn(*opened, hand=hand, table=lying) == []
    assert turn(*early, hand=hand, table=lying) == ["build-after-opening", "joker-after-opening"]


def test_joker_for_naturals():
    """More naturals than the joker costs are refused, also where one would do."""
    assert broken("joker", table("north-american"), on="8S 8H *", give="8D 8C") == ["joker-for-naturals"]
    assert broken("joker", on="8S 8H 8D", give="8C") == ["joker-for-naturals"]


def test_joker_from_set():
    """Both missing suits, whatever suit the joker was declared to be."""
    assert broken("joker", on="8S 8H *=8D", give="8D 8C") == []
    assert broken("joker", on="8S 8H *=8D", give="8D") == ["joker-from-set"]
    assert broken("joker", table("jamaican"), on="8S 8H *", give="8D 8C") == ["joker-from-set"]


def test_joker_from_full_set():
    """Closed in Europe; in North America the missing suit takes it."""
    assert broken("joker", on="8S 8H 8D *", give="8C") == ["joker-from-full-set"]
    assert broken("joker", table("north-american"), on="8S 8H 8D *", give="8C") == []


def test_joker_from_two_joker_set():
    """Two naturals free one joker; the other stays in the set they close."""
    verdict = check("joker", {"on": "8S * *", "give": "8H 8C"}, table())
    assert (verdict.released, str(verdict.result), verdict.closed) == (1, "8S 8H 8C *", True)
    assert broken("joker", on="8S *=8H *=8D", give="8H") == ["joker-from-two-joker-set"]


def test_joker_from_run():
    """The other copy of the very same card frees it as well; its neighbour does not."""
    assert broken("joker", on="5S * 7S", give="6S") == []
    assert broken("joker", on="5S * 7S", give="8S") == ["joker-from-run"]
    moved = check("joker", {"on": "9S 10S * QS KS", "give": "JS"}, table("jamaican"))
    assert (moved.released, str(moved.result)) == (0, "9S 10S JS QS KS *=AS")


def test_freed_joker():
    """A joker of one's own may stay in the hand, a freed one may not."""
    lying = [{"cards": "5S * 7S", "owner": 2}]
    steps = ("draw stock 2D", "free_joker 0 6S", "discard 2D")
    assert turn(*steps, hand="6S * 9S 9D JC", table=lying, opened=True) == ["freed-joker"]
    placed = ("draw stock 2D", "free_joker 0 6S", "meld 9S 9D *", "discard 2D")
    assert turn(*placed, hand="6S * 9S 9D JC", table=lying, opened=True) == []


def test_joker_same_turn():
    """Once the opening is on the table; unless the table forbids building in that turn."""
    assert "once the opening is on the table" in text_of("joker-same-turn")
    assert text_of("joker-same-turn", build_same_turn=False) == ""


def test_no_card_too_many():
    told = explain(
        check("joker", {"on": "8S 8H *", "give": "8D 8C"}, table("north-american")).faults[0], table("north-american")
    )
    assert (told.rule, told.standing) == ("joker-for-naturals", "usual")


def test_freed_joker_where():
    assert "be built on any meld" in text_of("freed-joker-where")
    assert text_of("freed-joker-where", "jamaican") == ""
