"""Search strategies. A strategy is a generator: it offers states to a `SearchState` and yields between its steps.

In: a space with an evaluator, and Options. Out: the best states so far, in the `SearchState`, whenever the search ends.
"""

from __future__ import annotations

from pipec.autoschedule.strategies.beam import beam
from pipec.autoschedule.strategies.dropout import dropout
from pipec.autoschedule.strategies.grouping import grouping
from pipec.autoschedule.strategies.mixed import Mixed
from pipec.autoschedule.strategies.registry import Strategies, Strategy, no_search
from pipec.autoschedule.strategies.search_state import Options, SearchState

__all__ = ["STRATEGIES", "Options", "SearchState", "Strategy"]

_ALL = (
    Strategy(
        "mixed",
        "Beam search; trials are divided between several ways to propose them. The default.",
        beam,
        proposals=Mixed,
    ),
    Strategy("beam", "Decides one Func after the other, makes small changes, then decides some of them again.", beam),
    Strategy("random", "Decides one Func after the other, some of them at random.", dropout, thorough=False),
    Strategy(
        "grouping",
        "Merges Funcs into tiles of their only consumer while that pays; after Mullapudi et al. 2016, in milliseconds.",
        grouping,
        gpu=False,
        verified=False,
        thorough=False,
    ),
    Strategy(
        "li2018",
        "Rules for gradients: element-wise Funcs inlined, the others at root, reductions factored. No search.",
        no_search,
        gpu=False,
        verified=False,
        thorough=False,
    ),
    Strategy("fallback", "Inlines cheap Funcs. No search.", no_search, verified=False, thorough=False),
    Strategy(
        "trivial", "Computes every Func at root that need not be inlined. No search.", no_search, True, False, False
    ),
)
STRATEGIES = Strategies({strategy.name: strategy for strategy in _ALL})
