"""`Pipeline.apply_autoscheduler`: Halide's autoschedulers by the strategies that stand for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pipec.autoschedule.api import autoschedule
from pipec.autoschedule.cost.cpu import CpuEvaluator
from pipec.autoschedule.cost.host_machine import host_machine
from pipec.autoschedule.cost.network import Blend
from pipec.autoschedule.features.gpu.device import device_of
from pipec.autoschedule.params import AUTOSCHEDULERS, AutoschedulerParams, AutoSchedulerResults, options_of
from pipec.autoschedule.result import Result
from pipec.autoschedule.space.gpu.halide import anderson
from pipec.autoschedule.strategies.search_state import Options
from pipec.errors import NotSupportedError
from pipec.func.functions.function import Function
from pipec.records import replace
from pipec.target import Target, require_target

Values = dict[str, float | str]


def apply_autoscheduler(
    outputs: Sequence[Function], target: Target, params: AutoschedulerParams
) -> AutoSchedulerResults:
    """As `Pipeline.apply_autoscheduler`, of these outputs."""
    require_target("apply_autoscheduler", target)
    if not isinstance(params, AutoschedulerParams):
        raise TypeError(
            f"apply_autoscheduler(): incompatible function arguments: AutoschedulerParams are needed, not {params!r}"
        )
    options = options_of(params)
    result = _RUN[params.name](outputs, target, options, params)
    source = result.schedule.to_python()
    return AutoSchedulerResults(target, params, source, _features(result) if params.name == "Adams2019" else [])


def _adams(outputs: Sequence[Function], target: Target, values: Values, params: AutoschedulerParams) -> Result:
    if values["weights_path"]:
        raise NotSupportedError(
            "Error: weights_path names weights of Halide's network, which pipec's is not. Leave it out; pipec has"
            " weights of its own, and `python -m pipec.autoschedule.train` makes others."
        )
    seed = int(values["random_dropout_seed"])
    beam = int(values["beam_size"]) if "beam_size" in params.extra else Options.beam
    dropout = float(values["random_dropout"]) / 100
    strategy = "beam" if dropout >= 1 else "random"
    if int(values["disable_subtiling"]) and dropout >= 1:
        # One level of tiles is what greedy grouping looks through.
        strategy = "grouping"
    # As many states at random as Halide's beam would keep: it drops states, and takes the best of what is left.
    options = Options(beam=max(1, beam), dropout=min(max(dropout, 0.0), 1.0), samples=max(1, beam), seed=seed)
    limit = int(values["memory_limit"])
    return autoschedule(
        outputs,
        verify=False,
        strategy=strategy,
        threads=_threads(values, params),
        memory_limit=limit if limit >= 0 else None,
        target=target,
        options=options,
        for_cpu=True,
    )


def _anderson(outputs: Sequence[Function], target: Target, values: Values, params: AutoschedulerParams) -> Result:
    if not target.has_gpu_feature():
        raise NotSupportedError(
            f"Error: Anderson2021 makes schedules for GPUs, which the target {target} is not. Give one that is, such as"
            ' hl.Target("host-opencl"), or use Adams2019.'
        )
    search = anderson(values, params.extra, device_of(None, target.device))
    return autoschedule(
        outputs,
        verify=False,
        model=search.device,
        strategy=search.strategy,
        target=target,
        options=search.options,
        kernels=search.kernels,
    )


def _mullapudi(outputs: Sequence[Function], target: Target, values: Values, params: AutoschedulerParams) -> Result:
    if int(values["experimental_gpu_schedule"]):
        raise NotSupportedError(
            "Error: experimental_gpu_schedule asks for a GPU, for which Mullapudi2016 is not; take Anderson2021."
        )
    machine = host_machine()
    if "last_level_cache_size" in params.extra:
        machine = replace(machine, l3=float(values["last_level_cache_size"]))
    # What a load from memory costs in units of arithmetic, relative to what is usual.
    share = float(AUTOSCHEDULERS["Mullapudi2016"]["balance"]) / max(float(values["balance"]), 1e-6)
    machine = replace(
        machine, dram_bandwidth=machine.dram_bandwidth * share, dram_bandwidth_all=machine.dram_bandwidth_all * share
    )
    return autoschedule(
        outputs,
        verify=False,
        model=Blend.shipped(machine),
        strategy="grouping",
        threads=_threads(values, params),
        target=target,
        for_cpu=True,
    )


def _li(outputs: Sequence[Function], target: Target, values: Values, params: AutoschedulerParams) -> Result:
    return autoschedule(outputs, strategy="li2018", threads=_threads(values, params), target=target, for_cpu=True)


def _threads(values: Values, params: AutoschedulerParams) -> int | None:
    """Returns the number of threads that the schedule is for; by default those of this machine."""
    return max(1, int(values["parallelism"])) if "parallelism" in params.extra else None


def _features(result: Result) -> list[int]:
    evaluator = result.evaluator
    assert isinstance(evaluator, CpuEvaluator)
    rows = np.array(list(evaluator.rows(result.state).values()), np.float32)
    return list(rows.tobytes())


_RUN: dict[str, Callable[[Sequence[Function], Target, Values, AutoschedulerParams], Result]] = {
    "Adams2019": _adams,
    "Anderson2021": _anderson,
    "Li2018": _li,
    "Mullapudi2016": _mullapudi,
}
