"""The log: every game is a list of entries that only grows.

The only package that reads and writes the database. It keeps every recorded event, in order and exactly once, and
knows no rules of play: the caller judges an event on the log it extends, inside `writing`.
"""

from app.store.changes import (
    Listener,
    NeededRight,
    RightGone,
    Version,
    ask_rights_of,
    game_changed,
    listen,
    tell_afterwards,
    version,
    versions,
)
from app.store.checking import Checked, check
from app.store.copies import Replacement, backup, restoring
from app.store.counts import counts, hand_in
from app.store.database import NoSuchGame, now, ping
from app.store.deleting import delete, unused_for
from app.store.entries import (
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
    play_on,
    read,
    rematch_of,
    saved_as,
    size_of,
    writing,
)
from app.store.gone import is_gone
from app.store.grants import (
    Grant,
    code_for,
    former_codes,
    grant_for,
    grants,
    is_join_secret,
    is_only_starter_recording,
    join,
    join_secret,
    let_only_starter_record,
    mint,
    reset_links,
    was_reset,
)
from app.store.startup import CannotStart, close_database, init, is_open, open_database, opened_beside, schema
from app.store.stores import CopyRefused, Size
from app.store.tables import db
from app.store.trouble import Unavailable
