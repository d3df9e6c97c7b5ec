"""The log: every game is a list of entries that only grows.

The only package that reads and writes the database. It keeps every recorded event, in order and exactly once, and
knows no rules of play: the caller judges an event on the log it extends, inside `writing`.
"""

from app.log.appeals import Appeal, LostPen, answer_appeal, appeals, lost_pen, make_appeal, pass_pen
from app.log.changes import Edition, Listener, edition, listen
from app.log.checking import Checked, check
from app.log.copies import BackupRefused, Restore, Size, accepting_older, backup, path_of_database, restoring
from app.log.counts import counts, hand_in
from app.log.database import NoSuchGame, db, now, ping
from app.log.deleting import delete, unused_for
from app.log.entries import (
    Beginning,
    Event,
    Log,
    NewGame,
    StartedBefore,
    StartedOtherwise,
    StoredEntry,
    Writing,
    as_kept,
    codes,
    import_log,
    letters_in,
    new_game,
    read,
    saved_as,
    size_of,
    writing,
)
from app.log.grants import (
    Grant,
    code_for,
    grant_for,
    grants,
    lost_seat,
    mint,
    pen_secret,
    recover,
    renew_code,
    revoke,
    sit,
    take_seat,
)
from app.log.hours import hour_run, hours_to_wait
from app.log.proposals import Opinion, Proposal, give_opinion, name_of, propose, proposed, withdraw
from app.log.rematches import play_on, rematch_of
from app.log.rights import RightGone, ask_rights_of
from app.log.startup import CannotStart, close_database, init, is_open, open_database
from app.log.trouble import Unavailable

__all__ = [
    "Appeal",
    "BackupRefused",
    "Beginning",
    "CannotStart",
    "Checked",
    "Edition",
    "Event",
    "Grant",
    "Listener",
    "Log",
    "LostPen",
    "NewGame",
    "NoSuchGame",
    "Opinion",
    "Proposal",
    "Restore",
    "RightGone",
    "Size",
    "StartedBefore",
    "StartedOtherwise",
    "StoredEntry",
    "Unavailable",
    "Writing",
    "accepting_older",
    "answer_appeal",
    "appeals",
    "as_kept",
    "ask_rights_of",
    "backup",
    "check",
    "close_database",
    "code_for",
    "codes",
    "counts",
    "db",
    "delete",
    "edition",
    "give_opinion",
    "grant_for",
    "grants",
    "hand_in",
    "hour_run",
    "hours_to_wait",
    "import_log",
    "init",
    "is_open",
    "letters_in",
    "listen",
    "lost_pen",
    "lost_seat",
    "make_appeal",
    "mint",
    "name_of",
    "new_game",
    "now",
    "open_database",
    "pass_pen",
    "path_of_database",
    "pen_secret",
    "ping",
    "play_on",
    "propose",
    "proposed",
    "read",
    "recover",
    "rematch_of",
    "renew_code",
    "restoring",
    "revoke",
    "saved_as",
    "sit",
    "size_of",
    "take_seat",
    "unused_for",
    "withdraw",
    "writing",
]
