"""The counter of words in sight: what it must not count, and what it must."""

import pytest

from tests.web.words_in_sight import words_in_sight


@pytest.mark.parametrize(("html", "seen"), [
    ("<p>It goes back. <b>Play on.</b></p>", "It goes back. Play on."),
    ("<details class='fold'><summary>Why <i>so</i></summary><p>Because.</p></details> More", "Why so More"),
    ("<details open><summary>Why</summary><p>Because.</p></details>", "Why Because."),
    ("<details><summary>Out</summary><details open><summary>In</summary>Deep</details></details>", "Out"),
    ("<p>Keep<span class='x visually-hidden'>: this one <br>too</span> it</p>", "Keep it"),
    ("<head><title>No</title></head><script>no()</script><section hidden><p>No</p></section>Yes", "Yes"),
    ("<select><option>One</option><option selected>Two</option></option></select>", "Two"),
    ("<p>← When? – 3 × 40 &amp; A</p>", "When? 3 40 A"),
    ("<ul><li>One<li>Two</ul><p>Three", "One Two Three"),
])  # fmt: skip
def test_only_what_is_in_sight_counts(html, seen):
    assert words_in_sight(html) == seen.split()
