"""Inside a game a ruling says what the game knows: the contract, who deals, the totals, who bought in, who is out."""

import pytest

from app.history.phrases import HERE
from app.kalooki.rules.disputes import of_kind
from app.kalooki.rules.rulebook import rules
from tests.pages import EURO, Alice

pytestmark = pytest.mark.one_app


def test_what_a_dispute_wants_to_know_of_its_game_can_be_told():
    wanted = {dispute.here for dispute in of_kind("dispute").values() if dispute.here}
    assert wanted == set(HERE) - {"stakes"}  # these are told beside the rule of that name
    assert "stakes" in rules()


def test_a_game_for_money_tells_its_stakes(app):
    asked, told = "/disputes?q=the stakes", "Here: call-up €0.10, Kalooki €0.20, stake €0.50, buy-in €0.50."
    assert told in Alice(app, stakes=EURO).see(asked)
    assert "Here: call-up" not in Alice(app, stakes=None).see(asked)
