"""Several phones around one game: each sees what is saved, whatever happens to phones, network and server."""

import pytest

from tests.browser.phones import Table, watch
from tests.pages import hand

pytestmark = pytest.mark.browser


@pytest.fixture
def table(browser, server):
    """A game of three with as many phones as a test asks for; alice's own records."""
    table = Table(browser, server)
    yield table
    table.close()


def shows(phone, name, points):
    """Wait until a phone shows that total for a player."""
    row = phone.locator(".player", has_text=name).locator(".player-total", has_text=str(points))
    row.wait_for()
    return True


@pytest.mark.parametrize("count", [2, 6])
def test_every_phone_shows_a_saved_hand_within_a_second(table, count):
    phones = [table.phone() for _ in range(count)]
    watch(phones, "35")
    table.record(hand(1, s2=35, s3=7))
    delays = table.delays(phones)
    assert max(delays) < 1, delays
    print(f"{count} phones: {', '.join(f'{delay * 1000:.0f}' for delay in sorted(delays))} ms")
