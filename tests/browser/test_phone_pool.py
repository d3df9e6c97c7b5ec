"""Phones are lent to one test after the other."""

from tests.browser import phone_pool


def test_a_phone_that_never_closes_is_not_lent_again(browser, server, monkeypatch):
    stuck = phone_pool.lend(browser, server).context
    monkeypatch.setattr(phone_pool, "SECONDS_TO_CLOSE", 0)
    phone_pool.take_back(stuck)
    monkeypatch.undo()
    page = phone_pool.lend(browser, server)
    assert page.context is not stuck
    phone_pool.take_back(page.context)
    again = phone_pool.lend(browser, server)
    assert again.context is page.context
    phone_pool.take_back(again.context)
    assert phone_pool.is_closed(stuck)
