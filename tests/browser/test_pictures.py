"""The pictures in README and help show the pages as they are."""

import json

import pytest

from tests.bench.pictures import SCREENS, WORDS, photograph

pytestmark = pytest.mark.browser

ANEW = "look at these pages, and photograph them anew: python3 -m tests.bench pictures"


@pytest.mark.long
def test_the_pictures_say_what_their_pages_say_today(browser, tmp_path):
    words = photograph(browser, tmp_path)
    pictured = json.loads(WORDS.read_text("utf-8"))
    assert {path.stem for path in SCREENS.iterdir()} == set(words)
    for name, said in words.items():
        assert said.split() == pictured[name].split(), f"{name}: {ANEW}"
