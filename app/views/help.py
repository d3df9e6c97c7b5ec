"""Help: the four things a table does, each with a picture of the screen, and what the words mean."""

from __future__ import annotations

from flask import Blueprint, render_template

from app.i18n import N_

blueprint = Blueprint("help", __name__)

WORDS = (
    ("hand", N_("Hand"), N_("One deal, from dealing until somebody goes out. Also the cards a player holds.")),
    ("meld", N_("Meld"), N_("Cards laid on the table: a run in one suit, or a set of one rank.")),
    ("opening", N_("Opening"), N_("The first melds a player lays in a hand: points enough, or the contract.")),
    ("build", N_("Build"), N_("To add cards to a meld that lies on the table.")),
    ("free-a-joker", N_("Free a joker"), N_("To give a meld the card its joker stands for, and take the joker.")),
    ("go-out", N_("Go out"), N_("To get rid of the last card: that player has won the hand.")),
    ("kalooki", N_("Kalooki"), N_("Going out all at once, with nothing laid before. It often costs the others more.")),
    ("limit", N_("Limit"), N_("The total at which a player is out of the game.")),
    ("stake", N_("Stake"), N_("What is played for: for each hand won, at the start of the game, and to buy in again.")),
    ("call-up", N_("Call-up"), N_("What each loser pays the winner of a hand.")),
    ("pool", N_("Pool"), N_("Where initial stakes and buy-ins are kept until somebody has won the game.")),
    ("buy-in", N_("Buy-in"), N_("A player who is out pays again and plays on, with about the highest total still in.")),
    ("void", N_("Void hand"), N_("A hand that does not count: nothing is scored, and the same dealer deals again.")),
    ("pen", N_("Pen"), N_("The right to write the score. One phone gives it to another.")),
)  # fmt: skip
"""What is explained: its name in the address, the word, and what it means."""


@blueprint.get("/help")
def show() -> str:
    """How to score a hand, settle a quarrel, mend a mistake and print."""
    return render_template("help.html", words=WORDS)
