"""Finding schedules: a space of states, cost models, strategies, measuring.

In: a pipeline with expected sizes, and a budget. Out: Results with schedules that are legal for every size.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipec.autoschedule.emit.schedule_file import SavedSchedule


def autoschedule_strategies() -> dict[str, str]:
    """The ways to search that `autoschedule(strategy=...)` accepts, with one line about each.

    >>> "beam" in hl.autoschedule_strategies()
    True
    """
    from pipec.autoschedule.strategies import STRATEGIES

    return {name: strategy.description for name, strategy in STRATEGIES.items()}


def load_schedule(path: str | Path) -> SavedSchedule:
    """The schedule that `Result.save` wrote; its `apply(pipeline)` gives it to the Funcs.

    It is refused, with the difference named, for an algorithm that has changed since; names do not matter.
    ArgumentError when the file is no saved schedule, or of a later version.

    >>> import tempfile, os
    >>> x = hl.Var("x")
    >>> f = hl.Func("f")
    >>> f[x] = x * x
    >>> file = os.path.join(tempfile.mkdtemp(), "f.json")
    >>> f.autoschedule(sizes=[1000], verify=False).save(file)
    >>> hl.load_schedule(file).apply(f)
    >>> f.realize([3]).numpy().tolist()
    [0, 1, 4]
    """
    from pipec.autoschedule.emit.schedule_file import load

    return load(path)
