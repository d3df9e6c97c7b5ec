"""The deadwood of ten-card gin hands by RLCard's melding; cards are named as RLCard names them."""

import json
import sys
from time import process_time_ns

from _melds import answers
from rlcard.games.base import Card
from rlcard.games.gin_rummy.utils import melding, utils

told = []
out = answers()
for words in json.load(sys.stdin):
    hand = [Card(word[0], word[1]) for word in words]
    start = process_time_ns()
    clusters = melding.get_best_meld_clusters(hand)
    alone = process_time_ns() - start
    told.append((alone, alone, min(utils.get_deadwood_count(hand, cluster) for cluster in clusters or [[]])))
json.dump(told, out)
out.close()
