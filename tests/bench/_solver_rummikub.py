"""The most tiles a rack can lay, as users of rummikub-solver ask for it: the same cards under other names.

Rummikub's rules for groups and runs are those of European Kalooki, one place lower: the ace above the king is its 13.
"""

import json
import sys
from time import process_time_ns

from _melds import JOKER_POINTS, answers, points
from rummikub_solver import RuleSet

hands = json.load(sys.stdin)
rules = RuleSet(jokers=sum(suit < 0 for suit, _ in hands[0]))
named = {
    (number, place): tile for tile, (number, place) in enumerate(((s, p) for s in range(4) for p in range(2, 15)), 1)
}
card_of = {tile: card for card, tile in named.items()}
told = []
out = answers()
for hand in hands:
    start = process_time_ns()
    game = rules.new_game()
    game.initial = False
    game.add_rack(*(named.get((suit, place), 53) for suit, place in hand))
    alone = process_time_ns()
    found = rules.solve(game)
    end = process_time_ns()
    tiles = [int(tile) for tile in found.tiles] if found else []
    laid = sum(points(card_of[tile][1]) if tile in card_of else JOKER_POINTS for tile in tiles)
    told.append((end - start, end - alone, laid))
json.dump(told, out)
out.close()
