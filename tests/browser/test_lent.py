"""Phones are lent to one test after the other."""

from tests.browser import lent


def test_a_phone_that_never_closes_is_not_lent_again(browser, server, monkeypatch):
    stuck = lent.lend(browser, server).context
    monkeypatch.setattr(lent, "SECONDS_TO_CLOSE", 0)
    lent.take_back(stuck)
    monkeypatch.undo()
    page = lent.lend(browser, server)
    assert page.context is not stuck
    lent.take_back(page.context)
    again = lent.lend(browser, server)
    assert again.context is page.context
    lent.take_back(again.context)
    assert lent.is_closed(stuck)
