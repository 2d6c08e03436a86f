"""The reference evaluator: a pipeline computed straight from its definitions, with no schedule and no lowering.

Each Func is computed over the box of points that its consumers turn out to read: pure dimensions as numpy arrays,
reductions one iteration after the other in their order. Shares only the meaning of single operations with the rest.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from pipec.errors import BoundsError, InternalError, RequirementError
from pipec.func.functions.definition import FuncDef, PipelineDef, StageDef, without_undef
from pipec.ir import expr as e
from pipec.ir import numerics
from pipec.ir.placeholders import versions
from pipec.ir.tape import Instruction, Tape
from pipec.ir.walk import postorder

Value = Any
Array = np.ndarray[Any, np.dtype[Any]]
# For each dimension the first and the last coordinate.
Box = tuple[tuple[int, int], ...]
Compiled = tuple[list[Instruction], list[int]]

# Called with a print effect and the values of its parts at each point where it prints, dimension 0 fastest.
Report = Callable[[e.Effect, list[tuple[Value, ...]]], None]
# Points of a stage, over all iterations, up to which the region that it reads is computed before it runs.
MAX_DEMAND_POINTS = 1 << 22


def interpret(
    definition: PipelineDef,
    inputs: Mapping[str, tuple[Array, tuple[int, ...]]],
    scalars: Mapping[str, int | float],
    output_boxes: Mapping[str, tuple[tuple[int, int], ...]],
    report: Report | None = None,
) -> dict[str, Array]:
    """The outputs over boxes of (minimum, extent) pairs, as arrays with dimension 0 first.

    Inputs are pairs of an array with dimension 0 first and the coordinates of its first element. The elements of
    a Tuple output `f` are named `f.0`, `f.1`, ... in the result. Reads outside of an input raise BoundsError.
    `report` is called for prints; a `require` that fails raises RequirementError.
    """
    evaluation = _Evaluation(definition, inputs, scalars, output_boxes)
    evaluation.report = report
    with np.errstate(all="ignore"):
        evaluation.check_requirements()
        for name, box in output_boxes.items():
            evaluation.require(name, tuple([(minimum, minimum + extent - 1) for minimum, extent in box]))
        for name in reversed(definition.funcs):
            evaluation.spread(name)
        for name in definition.funcs:
            evaluation.compute(name)
    results: dict[str, Array] = {}
    for name, box in output_boxes.items():
        for index, array in enumerate(evaluation.crop(name, box)):
            results[name if len(definition.funcs[name].types) == 1 else f"{name}.{index}"] = array
    return results


class _Outside(Exception):
    """A Func being computed reads itself outside of its box."""

    def __init__(self, box: Box) -> None:
        super().__init__()
        self.box = box


class _Stage:
    """A stage laid out for evaluation."""

    def __init__(self, func: FuncDef, stage: StageDef, tape: Tape) -> None:
        self.tape = tape
        self.pure = [d for d, arg in enumerate(stage.args) if isinstance(arg, e.Variable) and arg.name == func.args[d]]
        self.names = [func.args[d] for d in self.pure]
        self.rvars = [loop.name for loop in stage.rvars]
        self.bounds = tape.compile([bound for loop in stage.rvars for bound in (loop.minimum, loop.extent)])
        self.predicate = None if stage.predicate is e.TRUE else tape.compile([stage.predicate])
        several = versions((*stage.args, *stage.values))
        self.body = tape.compile([part for version in several for part in version])
        self.stored = [k for k, value in enumerate(stage.values) if not isinstance(value, e.Undef)]
        # Calls whose coordinates do not depend on other Funcs: what they read is known before any of them is computed.
        nodes = list(postorder(*[root for version in several for root in version]))
        effects = [node for node in nodes if isinstance(node, e.Effect)]
        self.effects = [
            (node, tape.compile([node.condition, *[part for part in node.parts if isinstance(part, e.Expr)]]))
            for node in effects
        ]
        calls = [node for node in nodes if isinstance(node, e.FuncCall) and not any(map(_calls_func, node.args))]
        self.calls = [] if _calls_func(stage.predicate) else [(call.name, tape.compile(call.args)) for call in calls]

    def evaluate(self, compiled: Compiled) -> list[Value]:
        """The values of compiled expressions."""
        code, places = compiled
        self.tape.run(code)
        return [self.tape.registers[place] for place in places]

    def set(self, names: list[str], values: tuple[Value, ...] | list[Value]) -> None:
        """Give variables their values."""
        for name, value in zip(names, values, strict=True):
            self.tape.registers[self.tape.name(name)] = value

    def domain(self) -> list[Array]:
        """The coordinates of each reduction variable, innermost first."""
        bounds = iter([int(bound) for bound in self.evaluate(self.bounds)])
        return [np.arange(low, low + max(next(bounds), 0), dtype=np.int32) for low in bounds]

    def coordinates(self, box: Box) -> list[Array]:
        """The coordinates of the pure dimensions in the box, an axis each."""
        return [np.arange(box[d][0], box[d][1] + 1, dtype=np.int32) for d in self.pure]


def _calls_func(root: e.Expr) -> bool:
    return any(isinstance(node, e.FuncCall) for node in postorder(root))


def _spread_axes(axes: list[Array]) -> list[Array]:
    """Each array along its own axis, so that they broadcast to their product."""
    return [axis.reshape([-1 if d == i else 1 for d in range(len(axes))]) for i, axis in enumerate(axes)]


def _union(a: Box | None, b: Box) -> Box:
    if a is None:
        return b
    return tuple([(min(p[0], q[0]), max(p[1], q[1])) for p, q in zip(a, b, strict=True)])


def _box_of(args: tuple[Value, ...] | list[Value]) -> Box | None:
    """The smallest box around points; None when there are none."""
    if any(np.size(arg) == 0 for arg in args):
        return None
    return tuple([(int(np.min(arg)), int(np.max(arg))) for arg in args])


class _Evaluation:
    """One evaluation of a pipeline: the required box of each Func, and the values computed so far."""

    def __init__(
        self,
        definition: PipelineDef,
        inputs: Mapping[str, tuple[Array, tuple[int, ...]]],
        scalars: Mapping[str, int | float],
        output_boxes: Mapping[str, tuple[tuple[int, int], ...]],
    ) -> None:
        self.definition = definition
        self.images = {name: (array, tuple(mins) or (0,) * array.ndim) for name, (array, mins) in inputs.items()}
        self.constants: dict[str, Value] = {}
        for name, value in scalars.items():
            self.constants[name] = numerics.constant(e.Const(definition.scalars[name], value))
        for name, (array, mins) in self.images.items():
            self._describe(name, tuple(zip(mins, array.shape, strict=True)))
        for name, box in output_boxes.items():
            self._describe(name, box)
        self.stages: dict[str, list[_Stage]] = {}
        self.required: dict[str, Box] = {}
        self.boxes: dict[str, Box] = {}
        self.values: dict[str, list[Array]] = {}
        self.in_progress: set[str] = set()
        self.report: Report | None = None

    def _describe(self, name: str, box: tuple[tuple[int, int], ...]) -> None:
        stride = 1
        for d, (minimum, extent) in enumerate(box):
            for fact, value in (("min", minimum), ("extent", extent), ("stride", stride)):
                self.constants[f"{name}.{fact}.{d}"] = np.int32(value)
            stride *= extent

    def _tape(self) -> Tape:
        tape = Tape(self._access)
        for name, value in self.constants.items():
            tape.registers[tape.name(name)] = value
        return tape

    def _access(self, node: Any) -> Any:
        if isinstance(node, e.ImageCall):
            return lambda *args: self.read_image(node.name, args)
        if isinstance(node, e.FuncCall):
            return lambda *args: self.read(node.name, node.value_index, args)
        raise InternalError(f"There is a {type(node).__name__} in a definition.")

    def check_requirements(self) -> None:
        """Requirements of the pipeline must hold."""
        for condition, words in self.definition.requirements:
            tape = self._tape()
            code, (place, *places) = tape.compile([condition, *[w for w in words if isinstance(w, e.Expr)]])
            tape.run(code)
            if not tape.registers[place]:
                values = iter(places)
                shown = [w if isinstance(w, str) else str(tape.registers[next(values)]) for w in words]
                raise RequirementError(f"Requirement Failed: (false) {' '.join(shown)}")

    def require(self, name: str, box: Box) -> None:
        """Adds a box to what is required of a Func; an empty box requires nothing."""
        if all(low <= high for low, high in box):
            self.required[name] = _union(self.required.get(name), box)

    def spread(self, name: str) -> None:
        """Adds the boxes that a Func reads, except those that depend on values of other Funcs."""
        before: Box | None = None
        while name in self.required and self.required[name] != before:
            # Repeated when the Func reads itself outside of the required box.
            before = self.required[name]
            for stage in self._stages(name):
                for callee, box in self._reads(stage, before):
                    self.require(callee, box)

    def _reads(self, stage: _Stage, box: Box) -> Iterator[tuple[str, Box]]:
        axes = [*stage.coordinates(box), *stage.domain()]
        if not stage.calls or np.prod([float(len(axis)) for axis in axes]) > MAX_DEMAND_POINTS:
            return
        names = [*stage.names, *stage.rvars]
        stage.set(names, _spread_axes(axes))
        if stage.predicate is not None:
            (holds,) = stage.evaluate(stage.predicate)
            places = np.nonzero(np.broadcast_to(holds, [len(axis) for axis in axes])) if axes else ()
            stage.set(names, [axis[place] for axis, place in zip(axes, places, strict=True)])
        for callee, args in stage.calls:
            read = _box_of(stage.evaluate(args))
            if read is not None:
                yield callee, read

    def compute(self, name: str) -> None:
        """Computes a Func over its required box."""
        while name in self.required and self.boxes.get(name) != self.required[name]:
            self.in_progress.add(name)
            try:
                self._run_stages(name, self.required[name])
            except _Outside as outside:
                self.require(name, outside.box)
                self.boxes.pop(name, None)
            finally:
                self.in_progress.discard(name)

    def _run_stages(self, name: str, box: Box) -> None:
        func = self.definition.funcs[name]
        shape = [high - low + 1 for low, high in box]
        self.boxes[name] = box
        self.values[name] = [np.zeros(shape, numerics.value_dtype(kind)) for kind in func.types]
        for stage in self._stages(name):
            axes = stage.coordinates(box)
            domain = stage.domain()
            # The product of the reversed loops counts with its last axis fastest: the innermost loop.
            for point in itertools.product(*reversed(domain)):
                stage.set(stage.rvars, point[::-1])
                stage.set(stage.names, _spread_axes(axes))
                self._run_point(name, stage, axes)

    def _run_point(self, name: str, stage: _Stage, axes: list[Array]) -> None:
        if stage.predicate is not None:
            (holds,) = stage.evaluate(stage.predicate)
            if not np.any(holds):
                return
            if not np.all(holds):
                places = np.nonzero(np.broadcast_to(holds, [len(axis) for axis in axes]))
                stage.set(stage.names, [axis[place] for axis, place in zip(axes, places, strict=True)])
        for effect, compiled in stage.effects:
            self._tell(effect, stage, stage.evaluate(compiled))
        results = stage.evaluate(stage.body)
        width = len(self.boxes[name]) + len(self.values[name])
        for first in range(0, len(results), width):
            self._store(name, stage, results[first : first + width])

    def _store(self, name: str, stage: _Stage, results: list[Value]) -> None:
        box = self.boxes[name]
        args, values = results[: len(box)], [results[len(box) + k] for k in stage.stored]
        offsets = [arg - np.int64(low) for arg, (low, _) in zip(args, box, strict=True)]
        inside: Value = np.bool_(True)
        for offset, (low, high) in zip(offsets, box, strict=True):
            inside = inside & (offset >= 0) & (offset <= high - low)
        # Points outside of the required box are not stored.
        if not np.all(inside):
            shape = np.broadcast_shapes(np.shape(inside), *[np.shape(value) for value in values])
            inside = np.broadcast_to(inside, shape)
            offsets = [np.broadcast_to(offset, shape)[inside] for offset in offsets]
            values = [np.broadcast_to(value, shape)[inside] for value in values]
        for k, value in zip(stage.stored, values, strict=True):
            self.values[name][k][tuple(offsets)] = value

    def _tell(self, effect: e.Effect, stage: _Stage, values: list[Value]) -> None:
        """Reports a print at all its points; raises RequirementError for a requirement that fails at one."""
        points = [stage.tape.registers[stage.tape.name(name)] for name in stage.names]
        shape = np.broadcast_shapes(*map(np.shape, [*points, *values]))
        condition, *columns = [np.broadcast_to(value, shape).ravel(order="F") for value in values]
        reported = condition if effect.kind == "print" else ~condition
        rows = [tuple([column[at] for column in columns]) for at in np.flatnonzero(reported)]
        if rows and effect.kind == "require":
            shown = iter(rows[0])
            words = [part if isinstance(part, str) else str(next(shown)) for part in effect.parts]
            raise RequirementError(f"Error: Requirement Failed: (false) {' '.join(words)}")
        if rows and self.report is not None:
            self.report(effect, rows)

    def _stages(self, name: str) -> list[_Stage]:
        stages = self.stages.get(name)
        if stages is None:
            func = without_undef(self.definition.funcs[name])
            stages = self.stages[name] = [_Stage(func, stage, self._tape()) for stage in func.stages]
        return stages

    def read(self, name: str, index: int, args: tuple[Value, ...]) -> Value:
        """Values of a Func at points; it is computed there first when it has not been."""
        kind = self.definition.funcs[name].types[index]
        box = _box_of(args)
        if box is None:
            return np.zeros(np.broadcast_shapes(*map(np.shape, args)), numerics.value_dtype(kind))
        computed = self.boxes.get(name)
        if computed is None or _union(computed, box) != computed:
            if name in self.in_progress:
                raise _Outside(box)
            self.require(name, box)
            self.compute(name)
        offsets = [arg - np.int64(low) for arg, (low, _) in zip(args, self.boxes[name], strict=True)]
        return self.values[name][index][tuple(offsets)]

    def read_image(self, name: str, args: tuple[Value, ...]) -> Value:
        """Elements of an input at points."""
        array, mins = self.images[name]
        for d, (arg, low) in enumerate(zip(args, mins, strict=True)):
            if np.size(arg) and (np.min(arg) < low or np.max(arg) >= low + array.shape[d]):
                raise BoundsError(
                    f"Input {name} is read at {int(np.min(arg))} ... {int(np.max(arg))} in dimension {d}, "
                    f"but reaches from {low} to {low + array.shape[d] - 1}."
                )
        value = array[tuple([arg - np.int64(low) for arg, low in zip(args, mins, strict=True)])]
        return numerics.from_storage(value, self.definition.images[name].type)

    def crop(self, name: str, box: tuple[tuple[int, int], ...]) -> list[Array]:
        """The values of an output over (minimum, extent) pairs, as they are stored in memory."""
        func = self.definition.funcs[name]
        if any(extent <= 0 for _, extent in box):
            return [np.zeros([max(extent, 0) for _, extent in box], kind.numpy()) for kind in func.types]
        computed = self.boxes[name]
        part = tuple([slice(m - low, m - low + n) for (m, n), (low, _) in zip(box, computed, strict=True)])
        arrays = self.values[name]
        return [np.asarray(numerics.to_storage(a[part], k)) for a, k in zip(arrays, func.types, strict=True)]
