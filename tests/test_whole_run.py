"""What the whole run makes of tests that failed."""

import pytest

from tests.__main__ import all_in_browsers

IN_A_BROWSER = "tests/browser/test_pen.py::test_a_pen_is_lent"
ELSEWHERE = "tests/web/test_pen.py::test_a_pen_is_lent"


@pytest.mark.parametrize(
    ("failed", "run_again"),
    [
        ([IN_A_BROWSER], True),
        ([IN_A_BROWSER, ELSEWHERE], False),
        ([ELSEWHERE], False),
        ([], False),
    ],
)
def test_only_what_waits_for_a_browser_runs_again(failed, run_again):
    assert all_in_browsers(failed) is run_again
