"""The sampler: what a schedule program asks for its Funcs, for their sizes and for choices."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

from pipec.autoschedule.dag.dag import FuncInfo, StageInfo
from pipec.autoschedule.problem import Problem
from pipec.errors import ArgumentError
from pipec.func.directives.loop_level import LoopLevel, VarOrRVar
from pipec.func.directives.stage import Stage
from pipec.func.functions.definition import stage_shape
from pipec.func.functions.freeze import reachable
from pipec.func.functions.func import Func
from pipec.func.functions.function import Function
from pipec.func.functions.rdom import RVar
from pipec.func.functions.var import Var
from pipec.func.functions.wrappers import func_of
from pipec.ir.stmt import GPU_KINDS, LoopKind
from pipec.programs.trace import ProgramTrace, Value, plain
from pipec.schedule.fields import LevelRef
from pipec.schedule.placement import ComputeAt
from pipec.schedule.schedule import Loop

Choose = Callable[[str, Sequence[Value], Sequence[float]], int]
"""Returns the number of the option that is taken: of a draw by its name, the options and their weights."""
Program = Callable[["Sampler"], object]
TILE_SIZES = tuple(sorted([1 << k for k in range(13)] + [3 << k for k in range(3, 9)]))
LEVELS_OPTIONS = 64
"""Tilings of several levels that one draw offers at most."""
USUAL_TILE = 32
"""The size of inner tiles that is likeliest at first."""
OPEN = (LoopKind.SERIAL, LoopKind.PARALLEL, *GPU_KINDS)
"""Kinds of loops inside which other Funcs can be computed."""


class Sampler:
    """The argument of a schedule program. Draws are recorded by name; those of the same name are numbered.

    `funcs`: the Funcs of the pipeline by name, consumers before producers, without those that the user has scheduled
    and those that cannot be stored.
    """

    def __init__(self, problem: Problem, choose: Choose) -> None:
        self.problem = problem
        self._choose = choose
        self._draws: dict[str, Value] = {}
        functions = {function.name: function for function in reachable(problem.outputs)}
        infos = problem.dag.funcs
        self._all: dict[str, Func] = {name: func_of(functions[name]) for name in infos if name in functions}
        self.funcs: dict[str, Func] = {
            name: func
            for name, func in self._all.items()
            if not (infos[name].fixed or infos[name].must_inline or infos[name].extern)
        }

    @property
    def trace(self) -> ProgramTrace:
        """The draws so far."""
        return ProgramTrace(tuple(self._draws.items()))

    def sample_categorical(
        self, options: Sequence[Value], weights: Sequence[float] | None = None, name: str = "choice"
    ) -> Value:
        """Draws one of the options: numbers, texts, truth values or None, or tuples of these.

        `weights`: how likely each is at first, in any unit; the search learns others. `name`: of the draw in traces.
        ArgumentError without options.
        """
        if not options or (weights is not None and len(weights) != len(options)):
            raise ArgumentError(f"Error: The draw {name!r} has {len(options)} options and weights {weights}.")
        try:
            values = [plain(option) for option in options]
        except TypeError as error:
            raise ArgumentError(f"Error: Traces can't hold an option of the draw {name!r}: {error}.") from None
        unique = next(
            text for k in range(len(self._draws) + 1) if (text := f"{name}#{k}" if k else name) not in self._draws
        )
        number = self._choose(unique, values, [1.0] * len(values) if weights is None else list(weights))
        self._draws[unique] = values[number]
        return values[number]

    def sample_tile(
        self, func: Func | Stage, var: Var | RVar, levels: int = 1, min_size: int = 1, max_inner: int = 64
    ) -> tuple[int, ...]:
        """Draws the sizes of tiles along a dimension, outermost level first; each is a multiple of the next.

        They are at most the expected extent of the dimension; the innermost is between `min_size` and `max_inner`. A
        larger `min_size` than the extent gives `min_size`.
        """
        extent = self.extent(func, var)
        sizes = [size for size in TILE_SIZES if min_size <= size < extent] or [min_size]
        options: list[tuple[int, ...]] = [(size,) for size in sizes if size <= max(max_inner, min_size)]
        for _ in range(levels - 1):
            options = [(outer, *inner) for inner in options for outer in sizes if outer % inner[0] == 0]
        stride = max(1, -(-len(options) // LEVELS_OPTIONS))
        options = options[::stride]
        weights = [1 / (1 + abs(math.log2(option[-1] / USUAL_TILE))) for option in options]
        return tuple(self.sample_categorical(options, weights, f"tile {func.name()}.{VarOrRVar(var).name()}"))

    def sample_location(self, func: Func) -> LoopLevel:
        """Draws where a Func is computed: inlined (if it has no updates), at root, or at a loop around all consumers.

        The loops are those that its consumers have now: schedule consumers first. Use it as `f.compute_at(location)`.
        """
        name = func.name()
        info = self._info(name)
        loops = [] if info.output else self._common_loops(name)
        texts = [
            "root",
            *(["inline"] if info.inlinable else []),
            *[f"{f}.{stage}.{var.name}" for f, stage, var in loops],
        ]
        chosen = self.sample_categorical(texts, name=f"location {name}")
        if chosen in ("root", "inline"):
            return LoopLevel.root() if chosen == "root" else LoopLevel.inlined()
        consumer, stage, loop = loops[texts.index(chosen) - len(texts)]
        return LoopLevel(self._all[consumer], VarOrRVar(loop.name, loop.reduction), stage)

    def extent(self, func: Func | Stage, var: Var | RVar) -> int:
        """The expected extent of a dimension of a Func, or of an RVar of one of its stages, at the sizes of the search.

        ArgumentError for a loop that a directive made.
        """
        name = VarOrRVar(var).name()
        for stage in self._info(func.function.name).stages:
            for loop in stage.loops:
                if loop.name == name and (stage.number == 0 or loop.reduction):
                    return loop.extent
        raise ArgumentError(
            f"Error: {name} is no dimension and no RVar of {func.name()}; sizes are known of these only, not of"
            " loops that split() or tile() made."
        )

    def natural_lanes(self, func: Func) -> int:
        """The lanes of a vector register for the first value of a Func."""
        return self.problem.target.natural_vector_size(func.types()[0])

    def loops(self, func: Func, stage: int = 0) -> list[Loop]:
        """The loops of a stage as they are now, outermost first: their names, kinds and whether they are RVars."""
        function = func.function
        return list(reversed(stage_shape(function, stage, ()).loops(function.schedule).loops))

    def stages(self, func: Func) -> Sequence[StageInfo]:
        """What the search knows of the stages of a Func: loops with extents, whether an update is associative."""
        return self._info(func.name()).stages

    def _info(self, name: str) -> FuncInfo:
        info = self.problem.dag.funcs.get(name)
        if info is None:
            raise ArgumentError(
                f"Error: {name} is no Func of this pipeline; it has {', '.join(self.problem.dag.funcs)}."
            )
        return info

    def _common_loops(self, name: str) -> list[tuple[str, int, Loop]]:
        paths = [self._path(*consumer) for consumer in self.problem.dag.consumers[name]]
        first, *others = paths
        return list(takewhile(lambda level: all([level in path for path in others]), first))

    def _path(self, name: str, stage: int) -> list[tuple[str, int, Loop]]:
        """The loops around the body of a stage, outermost first, that others can be computed in."""
        func = self._all.get(name)
        if func is None:
            return []
        level = _compute_level(func.function)
        own = [(name, stage, loop) for loop in takewhile(lambda loop: loop.kind in OPEN, self.loops(func, stage))]
        if self.problem.dag.funcs[name].output or (level is not None and level.is_root):
            return own
        if level is None or level.is_inlined:
            return self._common_loops(name)
        outer = self._path(level.func, level.stage or 0)
        places = [k for k, (host, _, loop) in enumerate(outer) if (host, loop.name) == (level.func, level.var)]
        return [*outer[: places[0] + 1], *own] if places else []


def _compute_level(function: Function) -> LevelRef | None:
    """Where a Function is computed by the directives so far; None for inline."""
    if "compute" in function.deferred:
        level: LevelRef | None = function.deferred["compute"].level()
        return level
    levels = [d.level for d in function.schedule.directives if isinstance(d, ComputeAt)]
    return levels[-1] if levels else None


def replaying(values: Mapping[str, Value]) -> Choose:
    """Takes the values of a trace. ArgumentError where a draw has none, or no option of that value."""

    def choose(name: str, options: Sequence[Value], weights: Sequence[float]) -> int:
        if name not in values or values[name] not in options:
            has = f"the value {values[name]!r}" if name in values else "no value"
            raise ArgumentError(
                f"Error: The trace has {has} for the draw {name!r}, whose options are {list(options)[:20]}: it is the"
                " trace of another program, or of another version of this one. Search again."
            )
        return options.index(values[name])

    return choose
