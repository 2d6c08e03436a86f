"""The methods of Pipelines and Funcs that find schedules; the work is done by `pipec.autoschedule`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pipec.func.functions.function import Function
from pipec.target import Target

if TYPE_CHECKING:
    from pipec.autoschedule.params import AutoschedulerParams, AutoSchedulerResults
    from pipec.autoschedule.result import Result
    from pipec.autoschedule.strategies.search_state import Options


class Scheduling:
    """Finding schedules automatically."""

    __slots__ = ()

    def _checked(self) -> tuple[Function, ...]:
        raise NotImplementedError

    def autoschedule(
        self,
        like: Any = None,
        sizes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
        *,
        model: Any = None,
        strategy: str = "beam",
        budget: str | float | timedelta | None = None,
        trials: int | None = None,
        search_seconds: float | None = None,
        threads: int | None = None,
        seed: int = 0,
        memory_limit: int | None = None,
        database: Any = None,
        target: Target | None = None,
        options: Options | None = None,
        verbose: bool | None = None,
        apply: bool = True,
    ) -> Result:
        """Find a schedule and give it to the Funcs; the next run uses it. Returns a Result that tells about it.

        Nothing is measured unless a budget is given; a search takes seconds.

        What sizes to expect: `like`, an array or Buffer like the input, or a dictionary of arrays, sizes and numbers by
        the names of images, outputs and Params; `sizes`, the extents of the output, dimension 0 first (by name when
        there are several). Without them Buffers that are bound, `set_estimates` and explicit bounds are used, then what
        is usual. Sizes decide what is fast, never what is right: any size may be run.

        Options:

        * `budget`: time to measure candidates on this machine, seconds or "5 min"; `trials`: how many to measure.
        * `model`: "blend" (what there is for it), "roofline" or "network"; `strategy`: "beam", "grouping" or "random".
        * `target`: one with a GPU feature for kernels; `model` is then the description of a device: "generic",
          "laptop", "server", a GpuDevice, or None for the one at hand.
        * `search_seconds`: at most so much of searching by the model, by default 8, for many Funcs up to 24.
        * `seed`: of what is random.
        * `options`: how hard to look (`pipec.autoschedule.strategies.search_state.Options`). With a limit of states,
          not of time, the same schedule is found on slow machines as on fast ones.
        * `threads`: how many the schedule is for, by default those that run pipelines here.
        * `memory_limit`: bytes that intermediate results may take.
        * `database`: the file that remembers what was measured, so that a second call goes on where the first ended; by
          default one in the user's data folder.
        * `apply`: False to look only. `verbose`: the progress line on stderr; None where that is a terminal.

        Funcs that have a schedule keep it. Calling it again starts anew: what a search gave is taken back first. Ctrl-C
        ends the search and gives the best schedule so far. ArgumentError for sizes that don't fit the pipeline.

        >>> x, y = hl.vars("x y")
        >>> f, g = hl.funcs("f g")
        >>> f[x, y] = x * y
        >>> g[x, y] = f[x, y] + f[x + 1, y]
        >>> result = hl.Pipeline(g).autoschedule(sizes=[1920, 1080])
        >>> g.realize([3, 1]).numpy().tolist()
        [[0, 0, 0]]
        """
        from pipec.autoschedule.api import autoschedule

        return autoschedule(
            self._checked(),
            like,
            sizes,
            model=model,
            strategy=strategy,
            budget=budget,
            trials=trials,
            search_seconds=search_seconds,
            threads=threads,
            seed=seed,
            memory_limit=memory_limit,
            database=database,
            target=target,
            options=options,
            verbose=verbose,
            apply=apply,
        )

    def apply_autoscheduler(self, target: Target, autoscheduler_params: AutoschedulerParams) -> AutoSchedulerResults:
        """Halide's way: a schedule by "Adams2019" (beam search), "Mullapudi2016" (greedy grouping), "Anderson2021" (for
        GPUs) or "Li2018".

        Sizes are those of `set_estimates`, or what is usual where there are none. ArgumentError for other names and for
        options that the autoscheduler does not have.

        >>> x, y = hl.vars("x y")
        >>> f = hl.Func("f")
        >>> f[x, y] = x + y
        >>> _ = f.set_estimates([(0, 640), (0, 480)])
        >>> hl.load_plugin("autoschedule_mullapudi2016")
        >>> params = hl.AutoschedulerParams("Mullapudi2016", {"parallelism": 2})
        >>> results = hl.Pipeline(f).apply_autoscheduler(hl.get_host_target(), params)
        >>> "vectorize" in results.schedule_source
        True
        """
        from pipec.autoschedule.halide import apply_autoscheduler

        return apply_autoscheduler(self._checked(), target, autoscheduler_params)
