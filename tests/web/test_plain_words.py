"""Every page speaks as players do: no word of the old dialect is left on any of them."""

import re

import pytest

from tests.pages import Alice, hand

pytestmark = pytest.mark.one_app

OLD = re.compile(
    r"quarrel|\bmend(s|ed|ing)?\b|\btouch(es)?\b|bring in|brought in|all the same|all right"
    r"|(gone|goes) home|own rules|the pen\b|usual (default|ruling)|invented players|take the seat away|buzz|leave least"
    r"|need be left(?<!nothing need be left)|table is bent|does not count|copy a paper|to the hands|turn it round"
    r"|which kalooki\?|and the memory|throw (it|mine) away|but for\b|forget a game|(broken|break(s|ing)?) off"
    r"|\bput right\b|\blies? (on|in|there|face|beside)\b|invented|one's own|handed in|hands? in your"
    r"|\bafresh\b(?<!start afresh)|of no matter|\bis no (meld|run|set|card|kalooki)\b|not down:"
    r"|put back to an older|forgotten hand|falls? away|becomes of|recorded meanwhile|typed as a sum"
    r"|what it becomes|so far –",
    re.IGNORECASE,
)
ANYWHERE = (
    *(
        "/",
        "/new",
        "/new?variant=jamaican",
        "/disputes",
        "/disputes?q=he+picked+up+two+cards",
        "/check",
        "/check?cards=AH",
    ),
    *("/check?check=solve&cards=KS+KD+KH+2C", "/check?check=turn", "/check?check=count&cards=KS", "/wrong/draw"),
    *(
        "/wrong/draw/drew-two",
        "/rules",
        "/rules/european",
        "/rules/jamaican",
        "/compare",
        "/help",
        "/privacy",
        "/device",
    ),
    *("/sheets", "/copy", "/games", "/offline", "/nowhere"),
)
IN_A_GAME = (
    *(
        "",
        "/hand",
        "/disputes",
        "/settle",
        "/more",
        "/history",
        "/share",
        "/sheet",
        "/result",
        "/table",
        "/rules",
        "/check",
    ),
    *("/correct/2", "/insert/2", "/undo/2", "/void", "/delete", "/hands/2", "/rematch", "/seat", "/continue"),
    *(
        "/enter/penalty",
        "/enter/leave",
        "/enter/join",
        "/enter/paid",
        "/enter/stop",
        "/enter/setup",
        "/enter/rename?seat=2",
    ),
)


def old_words(text):
    return {found[0].lower() for found in OLD.finditer(text)}


@pytest.mark.parametrize("path", ANYWHERE)
def test_no_page_speaks_the_old_dialect(client, path):
    assert old_words(re.sub(r"<[^>]*>", " ", client.get(path).text)) == set()


@pytest.mark.parametrize("is_over", [False, True])
def test_no_page_of_a_game_speaks_the_old_dialect(app, is_over):
    alice = Alice(app, stakes={"currency": "GBP", "initial": 50, "buy_in": 50}, house={"jokers": 4})
    alice.record(hand(1, s2="KH QD *", s3=30), {"kind": "penalty", "seat": 2, "points": 5})
    if is_over:
        alice.record(hand(1, s2=150, s3=150))
    pages = {path: alice.client.get(f"/g/{alice.code}{path}", follow_redirects=True).text for path in IN_A_GAME}
    pages["watching"] = app.test_client().get(f"/g/{alice.code}").text
    said = {path: old_words(re.sub(r"<[^>]*>", " ", page)) for path, page in pages.items()}
    assert {path: words for path, words in said.items() if words} == {}
