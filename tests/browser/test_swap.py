"""What a page fetches again takes nothing from somebody who is using it."""

import re

import pytest
from playwright.sync_api import expect

from tests.pages import hand

pytestmark = pytest.mark.browser

EIGHT = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Guy", "Hal"]
PAGE = """
<div id="place">
<section><form>
<input id="text" value=""><textarea id="long">as sent</textarea><input id="hidden" type="hidden" value="1">
<input id="tick" type="checkbox"><input type="radio" name="one" id="first" checked>
<input type="radio" name="one" id="second">
<select id="list"><option>a</option><option>b</option></select>
<details id="fold"><summary>More</summary>inside</details>
<div id="box" class="scroll-x" tabindex="0"><pre>WIDE</pre></div>
</form></section>
<div class="last">old</div>
</div>""".replace("WIDE", 300 * "w")
FRESH = (
    PAGE.replace("<section>", '<div class="notice">A notice.</div><section class="new">')
    .replace('id="hidden" type="hidden" value="1"', 'id="hidden" type="hidden" value="2"')
    .replace(">old<", ">new<")
)
USE = """() => {
    const by = id => document.getElementById(id);
    by("text").value = "joker on tab";
    by("long").value = "a reason";
    by("tick").checked = by("second").checked = by("fold").open = true;
    by("list").value = "b";
    by("box").scrollLeft = 300;
    by("text").focus();
    by("text").setSelectionRange(2, 5);
}"""
STATE = """() => {
    const by = id => document.getElementById(id);
    return {
        text: by("text").value, long: by("long").value, tick: by("tick").checked, second: by("second").checked,
        list: by("list").value, open: by("fold").open, scrolled: by("box").scrollLeft,
        focus: document.activeElement.id, selection: [by("text").selectionStart, by("text").selectionEnd],
        hidden: by("hidden").value, last: document.querySelector(".last").textContent,
    };
}"""
MORPH = """async ([address, html]) => {
    const { swap } = await import(address);
    const answer = new Response(`<main id="main">${html}</main>`, { headers: { "Kalooki-Letter": "1" } });
    await swap(answer, [document.getElementById("place")]);
}"""


def test_what_is_typed_chosen_open_and_scrolled_stays_below_a_new_notice(page):
    page.goto("/")
    script = page.locator("script[type=module]").first.get_attribute("src")
    page.evaluate("html => { document.querySelector('main').innerHTML = html }", PAGE)
    page.evaluate(USE)
    page.evaluate(MORPH, [re.sub(r"\w+\.js", "swap.js", script), FRESH.strip()])
    expect(page.get_by_text("A notice.")).to_be_visible()
    assert page.evaluate(STATE) == {
        "text": "joker on tab",
        "long": "a reason",
        "tick": True,
        "second": True,
        "list": "b",
        "open": True,
        "scrolled": 300,
        "focus": "text",
        "selection": [2, 5],
        "hidden": "2",  # what nobody types is the server's
        "last": "new",
    }


def test_the_hands_stay_where_they_were_scrolled_while_another_phone_saves(begin):
    """A correction leaves a buy-in without sense: a notice appears above the columns that hold the hands."""
    table = begin(players=EIGHT)
    others = {"s2": 1, "s4": 2, "s5": 3, "s6": 4, "s7": 5, "s8": 6}
    table.record(hand(1, s3=150, **others), {"kind": "buy_in", "seat": 3})
    watcher = table.phone()
    hands = watcher.get_by_role("region", name="The hands so far")
    hands.focus()
    hands.evaluate("each => { each.scrollLeft = 60 }")
    table.record({"kind": "amend", "target": 2, "event": hand(1, s3=67, **others)})
    expect(watcher.get_by_text("After a correction this")).to_be_visible()
    expect(hands).to_be_focused()
    assert hands.evaluate("each => each.scrollLeft") == 60
