"""What seated phones say beside the log: own counts, opinions on a hand, calls for the referee, asking for the pen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from flask import Blueprint, abort, current_app, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from app import log
from app.forms.fields import folded
from app.forms.hand import OUT, as_fields, count_of, counting
from app.kalooki.cards import Malformed
from app.table.agreement import Proposed, Stopped, became_of, give_opinion, proposed, withdraw
from app.table.recording import Table
from app.views import access, device
from app.views.game import page_of
from app.views.game.workflow import form_of, hand_begun, pressed, to_the_game

blueprint = Blueprint("messages", __name__, url_prefix="/g/<code>")

REFEREE_SECONDS = 300
"""How long phones show a call for the referee, unless somebody settles it."""
TAKING_SECONDS = 90
"""How long a pen that nobody refused may be taken; after that the player must ask again."""
ANSWER_SECONDS = 20
_ANSWERS = {
    "settle": ("settled", access.require_share),
    "refuse": ("refused", access.require_scorer),
    "give": ("given", access.require_scorer),
}
"""What each button answers, and who may press it; a pen that is given is taken by the phone that asked."""


class Shown(NamedTuple):
    """An appeal as a phone shows it for `lasts` seconds more.

    `state` is called (the referee), asked (for the pen), free (to be taken), given (to be taken), passed or refused.
    `is_own` says that this device made it.
    """

    appeal: log.Message
    state: str
    lasts: int
    is_own: bool


def appeals_shown(code: str, said: Sequence[log.Message]) -> list[Shown]:
    """The appeals every phone of a game shows now."""
    return [shown for each in said if each.kind in log.APPEALS and (shown := _shown(code, each)) is not None]


def pen_appeals(said: Sequence[log.Message]) -> list[log.Message]:
    """All requests for the pen, oldest first."""
    return [each for each in said if each.kind == "pen"]


def _shown(code: str, appeal: log.Message) -> Shown | None:
    age = appeal.age
    for state, seconds in _states(appeal.answer or appeal.kind):
        if age < seconds:
            # once this device has the pen it asked for, its seat is that of who writes
            own = access.own_seat(code) if state == "passed" else access.seat(code)
            return Shown(appeal, state, seconds - age, appeal.seat == own)
        age -= seconds
    return None


def _states(last: str) -> list[tuple[str, int]]:
    """What an appeal is shown as since it was made or answered, and for how many seconds each."""
    states = {
        "referee": [("called", REFEREE_SECONDS)],
        "pen": [("asked", _patience()), ("free", TAKING_SECONDS)],
        "given": [("given", TAKING_SECONDS)],
        "settled": [],
    }
    return states.get(last, [(last, ANSWER_SECONDS)])


def _patience() -> int:
    """Seconds the scorer has to refuse."""
    return int(current_app.config["PEN_SECONDS"])


def wait_for_pen(said: Sequence[log.Message], seat: int | None) -> int:
    """Seconds before a refused seat may ask for the pen again."""
    ages = [each.age for each in pen_appeals(said) if (each.seat, each.answer) == (seat, "refused")]
    return max(int(current_app.config["PEN_AGAIN_SECONDS"]) - min(ages), 0) if ages else 0


@blueprint.get("/pen")
def ask_pen(code: str) -> str:
    """What taking the pen means, and the button that asks for it."""
    table = access.table_or_404(code)
    if access.lost_pen(code) is None:
        access.require_seat(code)
    said = log.messages_of(code)
    return page_of(
        table,
        "pen.html",
        appeals=appeals_shown(code, said),
        wait=wait_for_pen(said, access.seat(code)),
        patience=_patience(),
        begun=hand_begun(),
        **access.whose_phone(code),
    )


@blueprint.post("/appeals")
def appeal(code: str) -> ResponseReturnValue:
    """Make an appeal or answer one, as the button says: `referee`, `pen`, `refuse-3` or `give-3`."""
    access.table_or_404(code)
    match pressed():
        case kind, [] if kind in log.APPEALS:
            return _make(code, kind)
        case "read", [] if lost := access.lost_pen(code):
            device.put_away("pen", lost.grant_id)
            return to_the_game(code)
        case "take", [appeal_id]:
            return _take(code, appeal_id)
        case do, [appeal_id] if do in _ANSWERS:
            answer, require = _ANSWERS[do]
            require(code)
            log.answer_appeal(code, appeal_id, answer, device.name())
            return _go_on(code)
    return abort(400)


def _make(code: str, kind: str) -> ResponseReturnValue:
    lost = access.lost_pen(code) if kind == "pen" else None
    seat = _seat_again(code, lost) if lost and access.seat(code) is None else access.require_seat(code)
    # the page says who must wait, and asks whose phone it is
    if seat is not None and not (kind == "pen" and wait_for_pen(log.messages_of(code), seat)):
        lasts = sum(seconds for _state, seconds in _states(kind))
        log.make_appeal(code, kind, seat, device.name(), lasts)
    return _to_the_pen(code) if kind == "pen" else to_the_game(code)


def _seat_again(code: str, lost: log.LostPen) -> int | None:
    """The seat that a phone which used to write gets back; None if nobody has said whose phone it is.

    A seat is no right to write: it lets the phone ask, and the phone that writes may refuse.
    """
    players = access.table_or_404(code).game.players
    seat = lost.seat if lost.seat in players else request.form.get("seat", 0, type=int)
    if seat not in players:
        return None
    device.remember(code, log.mint(code, "player", seat, device.name()))
    return seat


def _take(code: str, appeal_id: int) -> ResponseReturnValue:
    """Pass the pen to the phone that asked for it, once the scorer has had time to refuse."""
    own_secret = access.own_secret(code)
    secret = log.pen_secret(code, appeal_id, own_secret)
    if own_secret and log.grant_for(code, secret):  # it has passed already: the answer was lost on its way
        device.remember(code, secret)
        return _go_on(code)
    seat, right = access.require_seat(code), access.grant(code)
    shown = appeals_shown(code, log.messages_of(code))
    own = next((each for each in shown if (each.appeal.id, each.appeal.seat) == (appeal_id, seat)), None)
    if own and own.state == "asked":
        flash(f"The scorer may still refuse, for {own.lasts} seconds.", "warn")
    elif own and right and log.pass_pen(code, appeal_id, seat, device.name(), right, secret):
        device.remember(code, secret)
        return _go_on(code)
    else:
        flash("The pen was refused, or it is too late for this request: ask once more.", "warn")
    return _to_the_pen(code)


def _go_on(code: str) -> ResponseReturnValue:
    """To the hand that was being typed, or to the game, where every phone shows the answer."""
    begun = hand_begun()
    return redirect(form_of(code, begun), 303) if begun else to_the_game(code)


def _to_the_pen(code: str) -> ResponseReturnValue:
    """To the page that asks for the pen, with the hand begun that waits for it."""
    return redirect(url_for("messages.ask_pen", code=code, **hand_begun()), 303)


@blueprint.post("/seat")
def sit(code: str) -> ResponseReturnValue:
    """Record whose phone writes, so that it keeps a seat when somebody takes the pen; or dismiss the question."""
    table = access.scorers_table(code)
    own = access.grant(code)
    seat = request.form.get("seat", 0, type=int)
    if own and seat in table.game.players:
        log.sit(code, own.id, seat)
        flash(f"This is {table.game.name(seat)}’s phone.", "ok")
    elif own:
        device.put_away("seat", own.id)
    return to_the_game(code)


def asks_whose(table: Table) -> bool:
    """Whether to ask whose phone writes, until answered: before the first hand, later if it came by link or code.

    One question at a time: who plays first comes before this.
    """
    own = access.grant(table.code) if access.may_write(table.code) else None
    if own is None or own.seat is not None or not table.game.first or table.game.finish:
        return False
    is_starter = not own.device
    return (table.dealt_after == 1 or not is_starter) and not device.has_put_away("seat", own.id)


def writer(code: str) -> int | None:
    """The seat of whoever writes, as far as one phone alone does and its owner is known."""
    writers = [each.seat for each in log.grants(code) if each.role == "scorer" and not each.revoked_at]
    return writers[0] if len(writers) == 1 else None


def right_told(code: str) -> str:
    """Identifies the notice this phone shows about its own right, given or lost, and whether it was dismissed."""
    own, lost = access.grant(code), lost_pen_told(code)
    is_read = own is not None and device.has_put_away("seat", own.id)
    return f"{lost.grant_id if lost else 0}{'-read' if is_read else ''}"


def lost_pen_told(code: str) -> log.LostPen | None:
    """The pen this phone has lost, until the notice is dismissed."""
    lost = access.lost_pen(code)
    return lost if lost and not device.has_put_away("pen", lost.grant_id) else None


@blueprint.get("/count")
def ask_count(code: str) -> str:
    """What this phone's player has left, as sent so far."""
    return _count_page(access.table_or_404(code), access.require_seat(code))


@blueprint.post("/count")
def hand_in(code: str) -> ResponseReturnValue:
    """Keep the count until the hand is saved; the last one sent counts."""
    table = access.table_or_404(code)
    seat = access.require_seat(code)
    if request.form.get("seen") != str(table.dealt_after):
        flash("That hand is already recorded: your count was no longer needed.", "warn")
        return to_the_game(code)
    cards, points = (request.form.get(f"{part}-{seat}", "") for part in ("cards", "points"))
    try:
        kept = OUT if request.form.get("do") == "out" else count_of(cards, points, table.game.variant)
    except Malformed as error:
        page = _count_page(table, seat, request.form, error=error.say())
        return page, 422
    log.hand_in(code, table.dealt_after, seat, kept)
    flash(_SAID.get(kept, "Handed in: it stands in the scorer’s form for this hand."), "ok")
    return to_the_game(code)


_SAID = {"": "Taken back.", OUT: "You went out: the scorer’s form for this hand begins with that."}


def handed_in(table: Table, said: Sequence[log.Message]) -> dict[int, str]:
    """What players still in have handed in for the hand in play, by seat; `OUT` for going out."""
    counts = {each.seat: each.contents for each in said if (each.kind, each.about) == ("count", table.dealt_after)}
    return {player.seat: counts[player.seat] for player in table.game.playing if player.seat in counts}


def _count_page(table: Table, seat: int, typed: Mapping[str, str] | None = None, **shown: object) -> str:
    """The page to count on, as typed, or as handed in so far."""
    said = log.messages_of(table.code, table.edition)
    fields = as_fields(handed_in(table, said)) if typed is None else typed
    return page_of(
        table,
        "count.html",
        player=table.game.players[seat],
        seat=seat,
        typed={part: fields.get(f"{part}-{seat}", "") for part in ("cards", "points")},
        entry=counting(table.game),
        appeals=appeals_shown(table.code, said),
        **shown,
    )


@blueprint.get("/arriving")
def arriving(code: str) -> str:
    """What has arrived since the scorer opened a hand after entry `seen`: appeals, opinions, others' entries.

    With the `kind` record (the next hand), also the counts handed in.
    """
    table = access.table_or_404(code)
    if lost := access.lost_pen(code):
        return page_of(table, "fragments/lost_pen.html", lost=lost, begun=hand_begun())
    access.require_scorer(code)
    seen = request.args.get("seen", 0, type=int)
    is_next = table.seen == seen and request.args.get("kind", "record") == "record"
    said = log.messages_of(code, table.edition)
    return page_of(
        table,
        "fragments/arriving.html",
        counted=as_fields(handed_in(table, said) if is_next else {}),
        meanwhile=table.story.since(seen),
        appeals=appeals_shown(code, said),
        proposed=proposed(table, said),
        **access.whose_phone(code),
        begun=hand_begun(),
    )


@blueprint.post("/opinion")
def say(code: str) -> ResponseReturnValue:
    """Keep what this phone's player says to the hand shown, or that they have `read` what became of it.

    The last answer counts.
    """
    table = access.table_or_404(code)
    seat = access.require_seat(code)
    do, name = request.form.get("do", ""), request.form.get("of", "")
    if do == "read":
        device.forget_stop(code)
        return to_the_game(code)
    if do not in ("right", "stop"):
        abort(400)
    words = folded(request.form.get("words")) if do == "stop" else ""
    about = give_opinion(table, name, seat, do, words)
    if not about:
        flash("The scorer has changed the hand, or saved it: look again.", "warn")
    elif do == "right":
        device.forget_stop(code)
    else:
        device.stop(code, Stopped(table.seen, name, about))
    return to_the_game(code)


@blueprint.post("/withdraw")
def leave(code: str) -> ResponseReturnValue:
    """Withdraw the proposal named `of`, because the scorer's page no longer shows it.

    The page's button leads back to the game; a script gets an empty answer.
    """
    access.scorers_table(code)
    withdraw(code, request.form.get("of", ""))
    return to_the_game(code) if request.form.get("do") == "back" else ("", 204)


def question(table: Table, said: Sequence[log.Message]) -> Proposed | None:
    """What this phone's player is asked about; None if nothing, or if nobody asks this phone."""
    return proposed(table, said) if access.seat(table.code) else None


def question_shown(code: str, said: Sequence[log.Message]) -> str:
    """Identifies the proposal a phone shows, and how long it will; empty if it shows none."""
    kept = log.proposal_in(said) if access.seat(code) else None
    return f"{kept.name}-{kept.lasts}" if kept and kept.lasts else ""


def stop_told(table: Table, said: Sequence[log.Message]) -> str:
    """What became of the hand that this phone's player stopped; empty if there is nothing to say."""
    stop = device.stopped(table.code)
    return became_of(table, stop, said) if stop.name and access.seat(table.code) else ""
