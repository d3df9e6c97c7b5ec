"""The table view: what everybody wants to see from across the table, and nothing to write."""

import pytest

from tests.pages import words

pytestmark = pytest.mark.one_app


def test_its_part_is_the_page_without_its_frame(alice):
    part = alice.get("/table?part=1").text
    assert "<html" not in part
    assert words(part) in alice.see("/table")
