"""Search strategies. A strategy is a generator: it offers states to a `SearchState` and yields between its steps.

In: a space with an evaluator, and Options. Out: the best states so far, in the `SearchState`, whenever the search ends.
"""

from __future__ import annotations

from pipec.autoschedule.strategies.adams2019 import adams2019
from pipec.autoschedule.strategies.annealing import annealing
from pipec.autoschedule.strategies.beam import beam
from pipec.autoschedule.strategies.dropout import dropout
from pipec.autoschedule.strategies.ensemble import EnsembleProposals, ensemble
from pipec.autoschedule.strategies.evolution import Evolved, evolution
from pipec.autoschedule.strategies.grouping import grouping
from pipec.autoschedule.strategies.mcts import MeasuredMoves, mcts
from pipec.autoschedule.strategies.mixed import Mixed
from pipec.autoschedule.strategies.mullapudi2016 import mullapudi2016
from pipec.autoschedule.strategies.registry import Strategies, Strategy, no_search
from pipec.autoschedule.strategies.search_state import Options, SearchState
from pipec.autoschedule.strategies.sketches import sketches
from pipec.autoschedule.strategies.tvm2018 import tvm2018
from pipec.autoschedule.strategies.value import value

__all__ = ["FOR_CPU", "STRATEGIES", "Options", "SearchState", "Strategy"]

_ALL = (
    Strategy(
        "mixed",
        "Beam search; trials are divided between several ways to propose them. The default.",
        beam,
        proposals=Mixed,
    ),
    Strategy("beam", "Decides one Func after the other, makes small changes, then decides some of them again.", beam),
    Strategy(
        "mcts",
        "Monte-Carlo tree search with several models, measuring before each decision if it may; after ProTuner 2020.",
        mcts,
        proposals=MeasuredMoves,
    ),
    Strategy(
        "evolution",
        "Mutation and crossover of complete schedules, after Ansor 2020 and MetaSchedule 2022.",
        evolution,
        proposals=Evolved,
    ),
    Strategy("sketches", "Structures by derivation rules, sizes at random and changed; after Ansor 2020.", sketches),
    Strategy("value", "Decisions by a learnt value of partial schedules, after Steiner et al. 2021.", value),
    Strategy(
        "adams2019", "A beam of 32 in five coarse-to-fine passes, as published.", adams2019, gpu=False, thorough=False
    ),
    Strategy(
        "anderson2021", "The same for kernels of a GPU, with the cheap Funcs decided first.", adams2019, cpu=False
    ),
    Strategy(
        "ensemble",
        "Differential evolution, simplexes and other techniques over vectors of decisions; after OpenTuner 2014.",
        ensemble,
        proposals=EnsembleProposals,
    ),
    Strategy("annealing", "Random small changes, of which slower ones are accepted ever more rarely.", annealing),
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
        "mullapudi2016",
        "The same by the analytic cost of the paper.",
        mullapudi2016,
        gpu=False,
        verified=False,
        thorough=False,
    ),
    Strategy(
        "tvm2018",
        "Fusion by classes of operators, loops by the cost model; after Chen et al. 2018, in milliseconds.",
        tvm2018,
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
        "trivial",
        "Computes every Func at root that need not be inlined. No search.",
        no_search,
        verified=False,
        thorough=False,
    ),
)
STRATEGIES = Strategies({strategy.name: strategy for strategy in _ALL})
FOR_CPU = tuple([name for name, strategy in STRATEGIES.items() if strategy.cpu])
