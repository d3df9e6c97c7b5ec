"""One evening below a path, through a proxy that passes it on or leaves it out."""

import pytest
from playwright.sync_api import expect

from tests.browser.hand_entry import tap_digits
from tests.browser.phone_pool import OPTIONS, PATIENCE
from tests.phone import start
from tests.proxy import Proxy
from tests.server import Server

pytestmark = pytest.mark.browser

SCOPE = "async () => (await navigator.serviceWorker.ready).scope"
KEPT = "async () => [Object.keys(localStorage).sort(), await caches.keys()]"
NEIGHBOUR = "async () => { localStorage.setItem('kalooki:sound', 'true'); await caches.open('kalooki') }"


@pytest.fixture(params=[False, True], ids=["passed on", "left out"])
def proxy(request, database):
    proxy = Proxy("/kalooki", leaves_out=request.param)
    server = Server(f"sqlite:///{database}", BASE_URL=proxy.url)
    proxy.server = server.port
    with server:
        yield proxy
    proxy.close()


def opened(browser, address):
    page = browser.new_context(**OPTIONS | {"service_workers": "allow"}).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    return page


@pytest.mark.long
def test_an_evening_stays_below_the_path(browser, proxy):
    code, secret = start(proxy.url)
    game = f"{proxy.url}/g/{code}"
    scorer, watcher = opened(browser, f"{game}/s/{secret}"), opened(browser, game)
    assert scorer.evaluate(SCOPE) == f"{proxy.url}/"
    scorer.reload()  # from now on the worker keeps what is opened

    scorer.get_by_role("link", name="Record hand 1").tap()
    scorer.locator(".winner .choice", has_text="Ann").tap()
    tap_digits(scorer, "3517")
    scorer.locator("[data-save]").tap()
    scorer.wait_for_url(game)
    for page in (scorer, watcher):
        expect(page.locator(".player", has_text="Ben").locator(".player-total")).to_contain_text("35")
    assert f"/kalooki/g/{code}/live" in proxy.asked

    assert {cookie["path"] for cookie in scorer.context.cookies()} == {"/kalooki"}
    names, caches = scorer.evaluate(KEPT)
    assert (caches, [name for name in names if not name.startswith("kalooki/kalooki:")]) == (["kalooki/kalooki"], [])

    scorer.reload()
    scorer.context.set_offline(True)
    scorer.reload()
    expect(scorer.get_by_role("link", name="Record hand 2")).to_be_visible()
    scorer.goto(f"{game}/settle")
    expect(scorer.get_by_role("heading", name="No connection")).to_be_visible()
    scorer.context.set_offline(False)

    scorer.goto(f"{proxy.url}/device")
    scorer.evaluate(NEIGHBOUR)  # another server of ours at the root of the same name
    scorer.get_by_role("button", name="Delete everything").tap()
    scorer.get_by_text("Nothing is left here").wait_for()
    assert scorer.evaluate(KEPT) == [["kalooki:sound"], ["kalooki"]]

    # in the room, at the machine's own address, as it was before it had a path
    own = f"http://127.0.0.1:{proxy.server}"
    watcher.goto(f"{own}/g/{code}/share?x=1")
    watcher.wait_for_url(f"{own}/kalooki/g/{code}/share?x=1")
    expect(watcher.get_by_role("link", name=game)).to_be_visible()
    for page in (scorer, watcher):
        page.context.close()
    assert proxy.astray == []
