"""The store: every game is a list of entries that only grows.

The only package that reads and writes the database. It keeps every recorded event, in order and exactly once, and
knows no rules of play: the caller judges an event on the log it extends, and appends it if that is still the newest.
"""

from app.store.changes import NeededRight, NotAllowed, Version, ask_rights_of, game_changed, is_gone, version, versions
from app.store.continuations import Continuation, continuations, continue_in, copies_among, play_on, rematch_of
from app.store.copies import backup, check, copy_to, restore, restoring, size_of_file
from app.store.database import NoSuchGame, ping
from app.store.games import (
    Event,
    Log,
    NewGame,
    StoredEntry,
    append,
    codes,
    counts,
    delete,
    hand_in,
    import_log,
    load,
    new_game,
    saved_as,
    serialize,
    size_of,
    unused,
)
from app.store.grants import (
    Right,
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
from app.store.models import Count, Entry, Game, Gone, Grant, db
from app.store.opening import close_database, init, is_open, open_database, schema
from app.store.trouble import Unavailable
