"""A process that adds a game to a club: ``club_entry CLUB GAME``."""

import sys

from app import create_app
from app.games import clubs
from app.kalooki.club.events import AddGame


def main(club, game):
    app = create_app()
    with app.app_context():
        seen = clubs.open_club(club).seen
        result = clubs.save(club, AddGame(code=game), seen, game, ("Ann", None), records=True)
        assert result.state == "saved", result


if __name__ == "__main__":
    main(*sys.argv[1:])
