"""What a schedule makes of a pipeline at certain sizes, in numbers, without running it.

The statement of loops that lowering writes is walked with numbers for all sizes. Of a loop whose iterations differ only
the first, the middle and the last one are walked, the middle one for all others: so the counts are exact for loops that
are divided evenly, and within a tile's border otherwise. A loop whose extent depends on values that a run computes
counts with the largest extent that these values allow.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from pipec.autoschedule.cost.machine import MachineModel
from pipec.autoschedule.dag.build_dag import Sizes
from pipec.autoschedule.dag.instructions import operation_of
from pipec.autoschedule.dag.operations import type_class
from pipec.bounds.interval import Interval, IntervalAnalysis
from pipec.bounds.ranges import IntegerRange, Ranges
from pipec.bounds.simplify import simplify
from pipec.errors import NotSupportedError
from pipec.func.functions.definition import PipelineDef
from pipec.ir import stmt as s
from pipec.ir.expr import (
    Add,
    Cast,
    Const,
    Expr,
    FuncCall,
    ImageCall,
    Load,
    ParameterRef,
    ReductionVariable,
    Sub,
    Variable,
    const,
)
from pipec.ir.tape import Tape
from pipec.ir.walk import free_variables, postorder, rewrite
from pipec.lower.loop_nest_text import loop_names
from pipec.lower.lower import make_plan
from pipec.lower.planning.build_statement import build_statement
from pipec.pipeline.calls.arguments import properties
from pipec.pipeline.queries import output_buffers
from pipec.records import dataclass, field
from pipec.schedule.schedule import Schedule

Values = dict[str, int | float]
Call = FuncCall | ImageCall
MAX_SHUFFLED_STEP = 4
"""Elements between lanes up to which vectors are loaded densely and shuffled."""
MAX_VISITS = 300_000
"""Statements that are walked in first, middle and last iterations; then the middle ones stand for all."""


@dataclass(eq=False)
class LoopTreeNode:
    """A part of the loop nest: a loop, the production or consumption of a Func, its storage, or the values of a stage.

    kind: "loop", "produce", "consume", "store" or "compute". func, stage: what it belongs to. loop: how a loop runs.
    entered: how often it is begun in a run; iterations: of a loop, in a run; at_most: whether values
    that the run computes may make them fewer. bytes: of storage, each time.
    working_set: of a loop, the bytes of each Func and image that one iteration accesses.
    """

    kind: str
    name: str
    func: str = ""
    stage: int = 0
    loop: str = ""
    entered: float = 0.0
    iterations: float = 0.0
    at_most: bool = False
    bytes: int = 0
    children: list[LoopTreeNode] = field(default_factory=list)
    working_set: dict[str, int] = field(default_factory=dict)

    @property
    def trips(self) -> float:
        """The average number of iterations of a loop."""
        return self.iterations / self.entered if self.entered else 0.0

    def walk(self) -> Iterator[LoopTreeNode]:
        """This node and all below it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(eq=False)
class StageRead:
    """A read of a Func or image in the innermost loop of a stage.

    strides: by how many points each dimension moves for the next lane of the vectorized (else the innermost) loop;
    None where that depends on values.
    """

    name: str
    strides: tuple[int, ...] | None
    bytes: int

    @property
    def lane_step(self) -> int | None:
        """How far apart neighbouring lanes are in dimension 0, in elements; None for gathers."""
        if self.strides is None or any(self.strides[1:]):
            return None
        return abs(self.strides[0]) if self.strides else 0


@dataclass(eq=False)
class StageCounts:
    """What is done for one stage of a Func.

    evaluations: points that are computed in a run. operations: arithmetic of one point; cycles: those that it takes in
    full vectors of the machine, for one lane. loops: those around it, outermost first. accesses: what one point reads.
    store_strides: as the strides of a StageRead, of the point that is written; movements: the same for each loop.
    """

    func: str
    stage: int
    evaluations: float = 0.0
    operations: int = 0
    bytes_per_point: int = 0
    loops: tuple[LoopTreeNode, ...] = ()
    movements: tuple[tuple[int, ...] | None, ...] = ()
    accesses: tuple[StageRead, ...] = ()
    store_strides: tuple[int, ...] | None = None
    values: tuple[Expr, ...] = ()

    @property
    def name(self) -> str:
        """The stage as users write it."""
        return self.func if self.stage == 0 else f"{self.func}.update({self.stage - 1})"

    @property
    def lanes(self) -> float:
        """The iterations of its vectorized loops."""
        return math.prod([loop.trips for loop in self.loops if loop.loop == "vectorized"])

    @property
    def is_parallel(self) -> bool:
        """Whether threads share its loops."""
        return any(loop.loop == "parallel" or loop.loop.startswith("gpu") for loop in self.loops)

    def cycles(self, machine: MachineModel) -> float:
        """Returns the cycles of one point on one core: of its arithmetic, loads and stores."""
        total = 0.0
        lanes = self.lanes
        seen: set[Any] = set()
        stack: list[Any] = list(self.values)
        while stack:
            node = stack.pop()
            if node in seen or not isinstance(node, Expr):
                continue
            seen.add(node)
            if isinstance(node, FuncCall | ImageCall):
                continue
            stack += node.below
            kind, of_type = operation_of(node)
            if kind is not None:
                cycles = machine.operations[kind][type_class(of_type)]
                native = 8 * machine.vector_bytes / max(8, of_type.nbits)
                total += cycles / native if lanes > 1 else cycles * machine.scalar
        for access in self.accesses:
            native = machine.vector_bytes / access.bytes
            step = access.lane_step
            if lanes == 1:
                total += machine.load_scalar
            else:
                total += (
                    machine.gather if step is None or step > MAX_SHUFFLED_STEP else machine.load * max(1, step) / native
                )
        store = machine.store * self.bytes_per_point / machine.vector_bytes
        return total + (store if lanes > 1 else machine.store_scalar)


@dataclass(eq=False)
class StorageCounts:
    """The memory of a Func: bytes of the largest realization, how many there are in a run, where memory is folded.

    order: the dimensions, innermost first.
    """

    func: str
    bytes: int = 0
    realizations: float = 0.0
    depth: int = 0
    is_folded: bool = False
    order: tuple[int, ...] = ()


@dataclass(eq=False)
class Execution:
    """All that a schedule makes of a pipeline. peak_bytes: of intermediate Funcs, at once."""

    root: LoopTreeNode
    stages: dict[tuple[str, int], StageCounts]
    storages: dict[str, StorageCounts]
    inlined: dict[str, float]
    peak_bytes: int

    def evaluations_of(self, func: str) -> float:
        """Returns how many points of a Func are computed in a run, all stages together, inlined or not."""
        own = sum([stage.evaluations for (name, _), stage in self.stages.items() if name == func])
        return own + self.inlined.get(func, 0.0)


def output_boxes(definition: PipelineDef, sizes: Sizes) -> dict[str, list[tuple[int, int]]]:
    """Returns the box of each output buffer."""
    return {buffer: list(sizes.outputs[func]) for buffer, func, _ in output_buffers(definition)}


def values_of(definition: PipelineDef, sizes: Sizes) -> Values:
    """The numbers of all arguments: Params, minima, extents and (dense) strides of buffers."""
    values: Values = dict(sizes.scalars)
    for name, box in (*output_boxes(definition, sizes).items(), *sizes.images.items()):
        values.update(properties(name, box))
        stride = 1
        for d, (_, extent) in enumerate(box):
            values[f"{name}.stride.{d}"] = stride
            stride *= extent
    return values


def executed(definition: PipelineDef, schedule: Schedule, sizes: Sizes, threads: int) -> Execution:
    """Walks the loops of a pipeline. NotSupportedError where values that a run computes do not bound a loop."""
    plan = make_plan(definition, schedule)
    walker = _Walker(
        values_of(definition, sizes),
        loop_names(plan, schedule),
        {name: func.original or name for name, func in plan.funcs.items()},
        threads,
    )
    for name, image in definition.images.items():
        walker.whole[name] = math.prod([e for _, e in sizes.images.get(name, ())]) * image.type.bytes()
        walker.element[name] = image.type.bytes()
    for name, func in plan.funcs.items():
        walker.element[name] = sum([kind.bytes() for kind in func.definition.types])
        box = sizes.outputs.get(name)
        if box is not None:
            walker.whole[name] = math.prod([e for _, e in box]) * walker.element[name]
    root = LoopTreeNode("root", definition.name, entered=1)
    walker.run(build_statement(plan)[0], root, 1.0)
    stages = {key: stage for key, stage in walker.stages.items()}
    inlined = _inlined(definition, stages)
    return Execution(root, stages, walker.storages, inlined, walker.peak)


def _inlined(definition: PipelineDef, stages: Mapping[tuple[str, int], StageCounts]) -> dict[str, float]:
    """The evaluations of Funcs without loops of their own: at each distinct use of their consumers, consumers first."""
    stored = {name for name, _ in stages}
    counts: dict[str, float] = {}
    for name in reversed(list(definition.funcs)):
        func = definition.funcs[name]
        for number, stage in enumerate(func.stages):
            points = stages[name, number].evaluations if (name, number) in stages else counts.get(name, 0.0)
            uses = [node for node in postorder(*stage.roots) if isinstance(node, FuncCall) and node.name not in stored]
            for used in {(use.name, use.args) for use in uses if use.name != name}:
                counts[used[0]] = counts.get(used[0], 0.0) + points
    return counts


class _Walker:
    def __init__(self, values: Values, names: Mapping[str, str], originals: Mapping[str, str], threads: int) -> None:
        self.values, self.names, self.originals, self.threads = values, names, originals, threads
        # The intervals of lets without a number.
        self.intervals: dict[str, Interval] = {}
        self.whole: dict[str, int] = {}
        self.element: dict[str, int] = {}
        self.stages: dict[tuple[str, int], StageCounts] = {}
        self.storages: dict[str, StorageCounts] = {}
        self.live = self.peak = 0
        self.visits = 0
        self._loops: list[tuple[str, LoopTreeNode]] = []
        # Names of lets and loops, in order: the value, or the minimum and the extent. Where those of each loop begin.
        self._scope: list[tuple[str, Expr, Expr | None]] = []
        self._scope_starts: list[int] = []
        self._concurrent = 1
        self._nodes: dict[tuple[int, s.Stmt], LoopTreeNode] = {}
        self._code: dict[Expr, Any] = {}
        self._relevant: dict[s.Stmt, frozenset[str]] = {}

    # Numbers

    def number(self, e: Expr) -> int | float | None:
        """The value of an expression, None where it depends on what a run computes."""
        if isinstance(e, Const):
            constant: int | float = e.value
            return constant
        names = free_variables(e)
        if any(name not in self.values for name in names):
            return None
        if e not in self._code:
            reads = any(isinstance(node, FuncCall | ImageCall | Load) for node in postorder(e))
            tape = Tape(_refuse)
            self._code[e] = None if reads else (tape, *tape.compile([e]))
        if self._code[e] is None:
            return None
        tape, code, places = self._code[e]
        for name in names:
            value = self.values[name]
            tape.registers[tape.name(name)] = np.int64(value) if isinstance(value, int) else np.float64(value)
        with np.errstate(all="ignore"):
            tape.run(code)
        result: int | float = tape.registers[places[0]].item()
        return result

    def interval(self, e: Expr) -> Interval:
        """The interval of an expression under all values that a run may compute."""

        def numbered(node: Any) -> Any:
            has_number = isinstance(node, Variable | ParameterRef) and node.name in self.values
            return Const(node.type, self.values[node.name]) if has_number else node

        return IntervalAnalysis(self.intervals.get).of(simplify(rewrite(e, numbered)))

    def largest(self, e: Expr, what: str) -> int:
        """The value of an extent, the largest one where it depends on what a run computes."""
        value = self.number(e)
        if value is None:
            high = self.interval(e).high
            value = None if high is None else self.number(high)
        if value is None:
            raise NotSupportedError(
                f"Error: {what} depends on values that a run computes ({e}) and that have no bounds, so that its loops"
                " can't be counted beforehand. Clamp the values, or measure with the target feature profile_by_timer."
            )
        return int(value)

    def place(self, e: Expr) -> int:
        """The value of a minimum, a possible one where it depends on what a run computes."""
        value = self.number(e)
        if value is None:
            low = self.interval(e).low
            value = None if low is None else self.number(low)
        return int(value or 0)

    def relevant(self, stmt: s.Stmt) -> frozenset[str]:
        """The names on which the extents and conditions in a statement depend."""
        if stmt in self._relevant:
            return self._relevant[stmt]
        result: frozenset[str] = frozenset()
        for child in stmt.below:
            if isinstance(child, s.Stmt):
                result |= self.relevant(child)
        match stmt:
            case s.LetStmt(name=name, value=value) if name in result:
                result = result - {name} | free_variables(value)
            case s.For(extent=extent):
                result |= free_variables(extent)
            case s.IfThenElse(condition=condition):
                result |= free_variables(condition)
            case s.Realize(bounds=bounds):
                result = result.union(*[free_variables(extent) for _, extent in bounds])
        self._relevant[stmt] = result
        return result

    # Statements

    def child(self, parent: LoopTreeNode, stmt: s.Stmt, kind: str, name: str, func: str, **more: Any) -> LoopTreeNode:
        key = (id(parent), stmt)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = LoopTreeNode(kind, name, func, **more)
            parent.children.append(node)
        return node

    def run(self, stmt: s.Stmt, parent: LoopTreeNode, weight: float) -> None:
        self.visits += 1
        match stmt:
            case s.LetStmt(name=name, value=value, body=body):
                number = self.number(value)
                if number is not None:
                    self.values[name] = number
                else:
                    self.intervals[name] = self.interval(value)
                self._scope.append((name, value, None))
                self.run(body, parent, weight)
                self._scope.pop()
                self.values.pop(name, None)
                self.intervals.pop(name, None)
            case s.Block(stmts=stmts):
                for part in stmts:
                    self.run(part, parent, weight)
            case s.Fork(first=first, second=second):
                self.run(first, parent, weight)
                self.run(second, parent, weight)
            case s.IfThenElse():
                self.branch(stmt, parent, weight)
            case s.ProducerConsumer(name=name, body=body):
                func = self.originals.get(name, name)
                node = self.child(parent, stmt, "produce" if stmt.is_producer else "consume", func, func)
                node.entered += weight
                self.run(body, node, weight)
            case s.For():
                self.loop(stmt, parent, weight)
            case s.Realize():
                self.realize(stmt, parent, weight)
            case s.Provide():
                self.provide(stmt, parent, weight)
            case s.AtomicUpdate(body=body) | s.Allocate(body=body) | s.Report(body=body):
                self.run(body, parent, weight)

    def branch(self, stmt: s.IfThenElse, parent: LoopTreeNode, weight: float) -> None:
        holds = self.number(stmt.condition)
        if holds is None or holds:
            self.run(stmt.then, parent, weight)
        if not holds and stmt.otherwise is not None:
            self.run(stmt.otherwise, parent, weight)

    def loop(self, stmt: s.For, parent: LoopTreeNode, weight: float) -> None:
        label = self.names.get(stmt.name, stmt.name)
        func, stage = _stage_of(stmt.name)
        extent = self.largest(stmt.extent, f"The loop {label} of {func}")
        first = self.place(stmt.minimum)
        if extent <= 0:
            return
        func = self.originals.get(func, func)
        node = self.child(parent, stmt, "loop", label, func, stage=stage, loop=stmt.kind.value)
        node.entered += weight
        node.iterations += weight * extent
        node.at_most |= self.number(stmt.extent) is None
        self._loops.append((stmt.name, node))
        self._scope.append((stmt.name, stmt.minimum, stmt.extent))
        self._scope_starts.append(len(self._scope))
        concurrent, live = self._concurrent, self.live
        if stmt.kind is s.LoopKind.PARALLEL:
            self._concurrent *= max(1, min(self.threads, extent))
        differs = stmt.name in self.relevant(stmt.body) and extent > 2 and self.visits < MAX_VISITS
        middle = first + extent // 2
        places = [(middle, extent - 2), (first, 1), (first + extent - 1, 1)] if differs else [(middle, extent)]
        for value, share in places:
            self.values[stmt.name] = value
            self.run(stmt.body, node, weight * share)
        del self.values[stmt.name]
        self._loops.pop()
        self._scope.pop()
        self._scope_starts.pop()
        self._concurrent, self.live = concurrent, live

    def realize(self, stmt: s.Realize, parent: LoopTreeNode, weight: float) -> None:
        func = self.originals.get(stmt.name, stmt.name)
        folds = stmt.folds or (None,) * len(stmt.bounds)
        stored = [extent if fold is None else fold for (_, extent), fold in zip(stmt.bounds, folds, strict=True)]
        extents = [self.largest(extent, f"The storage of {func}") for extent in stored]
        bytes_ = math.prod([max(extent, 0) for extent in extents]) * sum([kind.bytes() for kind in stmt.types])
        node = self.child(parent, stmt, "store", func, func)
        node.entered += weight
        node.bytes = max(node.bytes, bytes_)
        storage = self.storages.setdefault(
            func, StorageCounts(func, order=tuple(dict.fromkeys([d for d, _ in stmt.layout])))
        )
        storage.bytes = max(storage.bytes, bytes_)
        storage.realizations += weight
        storage.depth = len(self._loops)
        storage.is_folded |= any(fold is not None for fold in stmt.folds)
        self.whole[stmt.name] = bytes_
        own = bytes_ * self._concurrent
        self.live += own
        self.peak = max(self.peak, self.live)
        self.run(stmt.body, node, weight)
        self.live -= own

    def provide(self, stmt: s.Provide, parent: LoopTreeNode, weight: float) -> None:
        func, number = self.originals.get(stmt.name, stmt.name), self._stage(stmt.name)
        node = self.child(parent, stmt, "compute", func, func, stage=number)
        first_visit = node.entered == 0
        node.entered += weight
        stage = self.stages.setdefault((func, number), StageCounts(func, number))
        is_main = not stage.evaluations
        stage.evaluations += weight
        if first_visit:
            calls = _calls(stmt)
            self._add_working_sets(stmt, calls)
            if is_main:
                self._describe(stage, stmt, calls)

    def _stage(self, name: str) -> int:
        """The number of the stage of a Provide: that of the innermost loop of the Func."""
        for loop, _ in reversed(self._loops):
            func, stage = _stage_of(loop)
            if func == name:
                return stage
        return 0

    def _describe(self, stage: StageCounts, stmt: s.Provide, calls: Sequence[Call]) -> None:
        stage.loops = tuple([node for _, node in self._loops])
        stage.movements = tuple([self._strides(stmt.args, name) for name, _ in self._loops])
        stage.values = stmt.values
        stage.bytes_per_point = self.element.get(stmt.name, 0)
        stage.operations = len([n for v in stmt.values for n in _arithmetic(v)])
        vectors = [name for name, node in self._loops if node.loop == "vectorized"]
        moving = vectors[-1] if vectors else self._loops[-1][0] if self._loops else ""
        stage.store_strides = self._strides(stmt.args, moving)
        accesses = [StageRead(call.name, self._strides(call.args, moving), call.type.bytes()) for call in calls]
        stage.accesses = tuple(accesses)

    def _strides(self, args: Sequence[Expr], loop: str) -> tuple[int, ...] | None:
        """By how much each coordinate grows in the next iteration of a loop."""
        if not loop:
            return (0,) * len(args)
        before = dict(self.values)
        here = [self.number(arg) for arg in args]
        self.values[loop] = before[loop] + 1
        for name, value, extent in self._scope:
            number = self.number(value)
            if number is not None and extent is None:
                self.values[name] = number
        there = [self.number(arg) for arg in args]
        self.values = before
        if None in here or None in there:
            return None
        return tuple([int(b) - int(a) for a, b in zip(here, there, strict=True)])  # type: ignore[arg-type]

    def _add_working_sets(self, stmt: s.Provide, calls: Sequence[Call]) -> None:
        """Adds what one iteration of each loop around a Provide accesses."""
        accesses: list[tuple[str, Sequence[Expr]]] = [(stmt.name, stmt.args), *[(c.name, c.args) for c in calls]]
        for depth, (_, node) in enumerate(self._loops):
            ranges = self._ranges(depth + 1)
            boxes: dict[str, list[IntegerRange]] = {}
            for name, args in accesses:
                box = [ranges.of(arg) for arg in args]
                boxes[name] = [a.union(b) for a, b in zip(boxes.get(name, box), box, strict=True)]
            for name, box in boxes.items():
                size = self._box_bytes(name, box)
                user_name = self.originals.get(name, name)
                node.working_set[user_name] = max(node.working_set.get(user_name, 0), size)

    def _ranges(self, depth: int) -> Ranges:
        """The ranges of all names in one iteration of the loops outside of `depth`."""
        variables = {name: IntegerRange(int(v), int(v)) for name, v in self.values.items() if isinstance(v, int)}
        start = 0 if depth == 0 else self._scope_starts[depth - 1]
        for name, _, _ in self._scope[start:]:
            variables.pop(name, None)
        ranges = Ranges(variables)
        for name, value, extent in self._scope[start:]:
            range_ = ranges.of(value) if value.type.integral else IntegerRange(None, None)
            if extent is not None:
                # As one sum, in which the minimum often cancels.
                range_ = IntegerRange(range_.low, ranges.of(Add(value, Sub(extent, const(1)))).high)
            ranges.variables[name] = range_
        return ranges

    def _box_bytes(self, name: str, box: Sequence[IntegerRange]) -> int:
        whole = self.whole.get(name, 1 << 62)
        size = self.element.get(name, 1)
        for low, high in box:
            if low is None or high is None:
                return whole
            size *= max(0, high - low + 1)
        return min(size, whole)


def _refuse(node: Any) -> Any:
    raise AssertionError(f"{node} reads memory")


def _stage_of(loop: str) -> tuple[str, int]:
    """The Func and the number of the stage of a loop, from its name `func.s0.x`."""
    match = re.match(r"(.+?)\.s(\d+)\.", loop)
    return (match[1], int(match[2])) if match else (loop.partition(".")[0], 0)


def _calls(stmt: s.Provide) -> list[Call]:
    """The distinct reads of a Provide but those of the point that it writes."""
    nodes = postorder(*stmt.values, *stmt.args)
    return [
        n for n in nodes if isinstance(n, FuncCall | ImageCall) and not (n.name == stmt.name and n.args == stmt.args)
    ]


def _arithmetic(value: Expr) -> Iterator[Expr]:
    """The distinct operations of a value; coordinates of reads do not count."""
    seen: set[Any] = set()
    stack: list[Any] = [value]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, FuncCall | ImageCall | Const | Variable | ReductionVariable):
            continue
        stack += node.below
        if not isinstance(node, Cast):
            yield node
