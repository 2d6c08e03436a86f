"""`python -m bench.autoschedule.gpu_states [APP ...]`: GPU schedules by hand and found ones, as the model costs them.

Nothing runs: the times are those that the model expects of the described device. Hand schedules outside of the space of
the search, such as those that stage parts of a reduction in turn, have no cost.
"""

from __future__ import annotations

import argparse
import math
import time

import pipec as hl
from apps.app import App
from apps.registry import APPS
from pipec.autoschedule.dag.build_dag import build_dag
from pipec.autoschedule.dag.dag import Dag, StageInfo
from pipec.autoschedule.features.gpu.device import NAMED
from pipec.autoschedule.problem import problem_of
from pipec.autoschedule.space.gpu.nests import BLOCK, THREAD, default_kernel, root_placement, thread_nest
from pipec.autoschedule.space.gpu.space import GpuSpace
from pipec.autoschedule.space.state import FULL, INLINED, FuncPlacement, Nest, NestLevel, State, Where
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.build import constant
from pipec.ir.stmt import LoopKind
from pipec.schedule.bounds import Bound
from pipec.schedule.fields import StageRef
from pipec.schedule.loops import Fuse, Mark, Rename
from pipec.schedule.placement import ComputeAt
from pipec.schedule.schedule import Dim, Schedule, stage_loops
from pipec.schedule.split import Split
from pipec.schedule.storage import ReorderStorage

TARGET = hl.Target("host-opencl")


class Loops:
    """The loops of one stage of a hand schedule: of each its dimensions, trips where they are known, and kind."""

    def __init__(self, schedule: Schedule, stage: StageInfo) -> None:
        self.stage = stage
        self.dims: dict[str, tuple[int, ...]] = {loop.name: (d,) for d, loop in enumerate(stage.loops)}
        self.trips: dict[str, int | None] = dict.fromkeys(self.dims)
        ref = StageRef(stage.func, stage.number)
        self.kinds = {d.var: d.kind for d in schedule.directives if isinstance(d, Mark) and d.stage == ref}
        for directive in schedule.directives:
            if getattr(directive, "stage", None) == ref:
                self._transform(directive)
        defined = [Dim(loop.name, loop.reduction) for loop in self._defined()]
        own = [d for d in schedule.directives if getattr(d, "stage", None) == ref]
        self.names = stage_loops(Schedule(tuple(own)), ref, tuple(defined)).names()

    def _defined(self):
        return sorted(self.stage.loops, key=lambda loop: not loop.reduction)

    def _transform(self, directive) -> None:
        match directive:
            case Split(old=old, outer=outer, inner=inner, factor=factor):
                dims, trips = self.dims.pop(old), self.trips.pop(old)
                size = int(constant(factor) or 1)
                self.dims[inner], self.trips[inner] = dims, size
                self.dims[outer], self.trips[outer] = dims, None if trips is None else -(-trips // size)
            case Fuse(inner=inner, outer=outer, fused=fused):
                dims = self.dims.pop(inner) + self.dims.pop(outer)
                self.trips.pop(inner)
                self.trips.pop(outer)
                self.dims[fused], self.trips[fused] = dims, None
            case Rename(old=old, new=new):
                self.dims[new], self.trips[new] = self.dims.pop(old), self.trips.pop(old)

    def kind(self, name: str) -> LoopKind:
        return self.kinds.get(name, LoopKind.SERIAL)

    def of(self, kind: LoopKind) -> list[int]:
        """The dimensions of the loops of a kind, innermost first."""
        return list(dict.fromkeys([d for name in self.names if self.kind(name) is kind for d in self.dims[name]]))

    def count(self, d: int, *kinds: LoopKind) -> int:
        """Trips of the loops of these kinds over a dimension; whole ones count as long as they are expected."""
        result = [n for n in self.names if self.dims[n] == (d,) and self.kind(n) in kinds]
        return math.prod([self.trips[n] or self.stage.loops[d].extent for n in result])

    def kernel(self, dag: Dag) -> Nest:
        """The stage at root. One that is left on the CPU, which has little to do, counts as the usual kernel."""
        if self.of(LoopKind.GPU_BLOCK):
            return self.nest(False)
        return default_kernel(dag, dag.funcs[self.stage.func], self.stage)

    def nest(self, inside: bool) -> Nest:
        threads, blocks = self.of(LoopKind.GPU_THREAD), self.of(LoopKind.GPU_BLOCK)
        order = list(dict.fromkeys([*threads, *blocks, *range(len(self.stage.loops))]))
        tiles = [[FULL] * len(order), [FULL] * len(order)]
        for d in {*threads, *blocks}:
            points = self.count(d, LoopKind.SERIAL, LoopKind.UNROLLED)
            tiles[THREAD][d] = 1 if inside else points
            if not inside:
                tiles[BLOCK][d] = points * self.count(d, LoopKind.GPU_THREAD)
        return Nest((tuple(tiles[0]), tuple(tiles[1])), tuple(order))


def state_of(dag: Dag, schedule: Schedule) -> State:
    """The state of a hand schedule."""
    result: dict[str, FuncPlacement] = {}
    levels = {d.func: d.level for d in schedule.directives if isinstance(d, ComputeAt)}
    orders = {d.func: d.variables for d in schedule.directives if isinstance(d, ReorderStorage)}
    loops = {(f.name, s.number): Loops(schedule, s) for f in dag.funcs.values() for s in f.stages}
    for func in dag.funcs.values():
        level = levels.get(func.name)
        storage = tuple([func.arguments.index(name) for name in orders.get(func.name, ())])
        if func.output or level is not None and level.is_root:
            nests = tuple([loops[func.name, stage.number].kernel(dag) for stage in func.stages])
            result[func.name] = FuncPlacement(Where.ROOT, nests=nests, storage=storage)
        elif level is None or level.is_inlined:
            result[func.name] = INLINED if func.inlinable else root_placement(dag, func)
        else:
            number = level.stage or 0
            host = loops[level.func, number]
            in_block = host.kind(level.var) is LoopKind.GPU_BLOCK
            nest_level = NestLevel(level.func, number, BLOCK if in_block else THREAD)
            stages = [loops[func.name, stage.number] for stage in func.stages]
            own = [loops_of.nest(True) if in_block else thread_nest(loops_of.stage) for loops_of in stages]
            result[func.name] = FuncPlacement(Where.AT, nest_level, None, tuple(own), storage)
    return State(result)


def hand(app: App, device: str) -> float:
    """Milliseconds that the model expects of the hand schedule; infinite where that is outside of its space."""
    algorithm = app.build(hl)
    app.gpu_schedule(hl, algorithm)
    output = algorithm.output.function
    inputs = schedule_of([output])
    definition, _ = freeze([output])
    sizes = problem_of([output], sizes=list(app.bench_size)).sizes
    bounds = Schedule(tuple([d for d in inputs.directives if isinstance(d, Bound)]))
    dag = build_dag(definition, sizes, bounds, 1, TARGET)
    space, state = GpuSpace(dag, NAMED[device]), state_of(dag, inputs)
    return math.inf if space.problems(state) else 1e3 * space.evaluator.cost(state)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.autoschedule.gpu_states", description=__doc__)
    parser.add_argument("apps", nargs="*", metavar="APP", help=", ".join(APPS))
    parser.add_argument("--device", default="generic", choices=NAMED)
    options = parser.parse_args()
    print(f"{'app':16} {'hand ms':>9} {'found ms':>9} {'ratio':>6} {'search s':>9}")
    ratios = []
    for name in options.apps or APPS:
        app = APPS[name]
        by_hand = hand(app, options.device)
        pipeline = hl.Pipeline(app.build(hl).output)
        started = time.perf_counter()
        result = pipeline.autoschedule(
            sizes=list(app.bench_size), target=TARGET, model=options.device, verify=False, apply=False
        )
        ratio = result.predicted_ms / by_hand
        if ratio:
            ratios.append(ratio)
        seconds = time.perf_counter() - started
        print(f"{name:16} {by_hand:9.3f} {result.predicted_ms:9.3f} {ratio:6.2f} {seconds:9.1f}", flush=True)
    print(f"geometric mean of the ratios: {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}")


if __name__ == "__main__":
    main()
