"""The deadwood of ten-card gin hands by RLCard's melding; cards are named as RLCard names them."""

import json
import sys
from time import perf_counter_ns

from rlcard.games.base import Card
from rlcard.games.gin_rummy.utils import melding, utils

told = []
for words in json.load(sys.stdin):
    hand = [Card(word[0], word[1]) for word in words]
    start = perf_counter_ns()
    clusters = melding.get_best_meld_clusters(hand)
    alone = perf_counter_ns() - start
    told.append((alone, alone, min(utils.get_deadwood_count(hand, cluster) for cluster in clusters or [[]])))
json.dump(told, sys.stdout)
