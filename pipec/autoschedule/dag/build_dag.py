"""From frozen definitions to the Dag of the search: boxes, loops, operations and loads, at the estimates."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence, Set

from pipec.autoschedule.dag.affine_forms import Forms
from pipec.autoschedule.dag.constant_bounds import Origins, origins_of_bounds
from pipec.autoschedule.dag.conversions import by_places, conversions_of
from pipec.autoschedule.dag.dag import (
    TYPE_CLASSES,
    Access,
    Dag,
    FuncInfo,
    ImageInfo,
    Interleave,
    LoopInfo,
    Recurrence,
    StageInfo,
)
from pipec.autoschedule.dag.dependences import constants_of, depth_of, recurrence_of
from pipec.autoschedule.dag.joint import joined, joint_funcs
from pipec.autoschedule.dag.operations import counted, parts, steady, tested, varying
from pipec.autoschedule.dag.phases import moduli, phases
from pipec.autoschedule.dag.predicates import iterated_share
from pipec.autoschedule.dag.regions import Limit, accesses, clipped, store_access, touched
from pipec.autoschedule.dag.roles import EdgeLimits, is_fixed, may_inline, must_inline, unbounded_funcs
from pipec.autoschedule.dag.tensor_matches import tensor_matches
from pipec.autoschedule.dag.value_limits import ValueLimits
from pipec.autoschedule.dag.vector_code import vector_code
from pipec.autoschedule.space.cpu.strided_blocks import Halves, halved, halves
from pipec.deep_stack import with_deep_stack
from pipec.errors import UnboundedError
from pipec.func.directives.associativity import operator_of
from pipec.func.functions.definition import (
    FuncDef,
    ImageDef,
    PipelineDef,
    StageDef,
    is_pure_arg,
    stage_shape,
    without_undef,
)
from pipec.ir.expr import TRUE, Const, Expr, ExternValue, FuncCall, ImageCall, Undef
from pipec.ir.types import Float, Int
from pipec.ir.walk import free_variables, postorder
from pipec.jit.llvm.math.emulated import emulates
from pipec.pipeline.calls.arguments import number_of
from pipec.records import dataclass, field, replace
from pipec.schedule.bounds import Bound
from pipec.schedule.placement import func_schedule
from pipec.schedule.races import commutes, dependent_variables, may_be_atomic, needs_lock
from pipec.schedule.schedule import Schedule
from pipec.target import Target, get_host_target

Box = tuple[tuple[int, int], ...]
# Coordinates beyond these have no limits in practice.
FAR = float(1 << 31)
MAX_EXPECTED = 64
"""Dimensions of outputs longer than this are sizes of pictures, which vary."""
PACKED_FROM = 2
"""How often reductions read an element of a copy on which it may pay to store the copy."""


@dataclass(frozen=True)
class Sizes:
    """The expected sizes of a call: a box of (minimum, extent) for each output Func and image, values of Params.

    `strides`: of output Funcs and images those that code is compiled for, by dimension; 1 in dimension 0 by default.
    """

    outputs: Mapping[str, Box]
    images: Mapping[str, Box] = field(default_factory=dict)
    scalars: Mapping[str, float] = field(default_factory=dict)
    strides: Mapping[str, Mapping[int, int]] = field(default_factory=dict)


def build_dag(
    definition: PipelineDef,
    sizes: Sizes,
    schedule: Schedule | None = None,
    threads: int = 1,
    target: Target | None = None,
    joins: bool = False,
) -> Dag:
    """The Dag of a pipeline (with the questions to the target answered) for these sizes.

    `schedule`: the user's directives. Funcs with some keep them and are `fixed`; bounds are respected. `joins`:
    reductions that share values are one Func (`dag/joint.py`). UnboundedError when a Func is read at coordinates that
    have no limits."""
    schedule, target = schedule or Schedule(), target or get_host_target()
    return with_deep_stack(_build, definition, sizes, schedule, threads, target, joins)


def _build(definition: PipelineDef, sizes: Sizes, schedule: Schedule, threads: int, target: Target, joins: bool) -> Dag:
    joint = joint_funcs(definition, schedule) if joins and not target.has_gpu_feature() else {}
    definition = joined(definition, joint)
    builder = _Builder(definition, sizes, schedule, target)
    for name in reversed(definition.funcs):
        builder.infer(name)
    kinds = [Int(int(c[3:])) if c.startswith("int") else Float(int(c[5:])) for c in TYPE_CLASSES]
    lanes = {name: target.natural_vector_size(kind) for name, kind in zip(TYPE_CLASSES, kinds, strict=True)}
    funcs = {name: builder.func_info(name) for name in reversed(definition.funcs)}
    strides = {name: own for name, own in sizes.strides.items() if own and own != {0: 1}}
    return Dag(funcs, builder.image_infos(), tuple(definition.outputs), threads, lanes, strides, joint)


@dataclass
class _Stage:
    """A stage while the Dag is built: its definition, the box it computes, its loops, and what it reads."""

    definition: StageDef
    loops: tuple[LoopInfo, ...]
    forms: Forms
    calls: list[FuncCall | ImageCall]


class _Builder:
    """Infers the required boxes, consumers first, and the properties of the stages."""

    def __init__(self, definition: PipelineDef, sizes: Sizes, schedule: Schedule, target: Target) -> None:
        self.definition, self.sizes, self.schedule, self.target = definition, sizes, schedule, target
        expected = {**sizes.outputs, **sizes.images}
        self.boxes: dict[str, list[Limit]] = {name: _ends(box) for name, box in expected.items()}
        self.numbers = _numbers(definition, sizes)
        self.value_limits = ValueLimits(definition, self.numbers)
        self.origins = origins_of_bounds(definition, schedule)
        self.unbounded = unbounded_funcs(definition)
        self.funcs = {name: without_undef(func) for name, func in definition.funcs.items()}
        self.edge_limits = EdgeLimits(self.funcs, self.numbers)
        self.stages: dict[str, list[_Stage]] = {}
        self.consumers: dict[str, dict[tuple[str, int], None]] = {}

    def infer(self, name: str) -> None:
        """Infers what a Func computes and reads, after its consumers. Last stage first: an earlier one
        must also compute what later ones read of the Func itself."""
        func = self.funcs[name]
        box = self._demanded(name, self.boxes.get(name) or [(0.0, 0.0)] * len(func.args))
        whole = list(box)
        stages: list[_Stage] = []
        for number in reversed(range(len(func.stages))):
            stage = self._stage(func, number, box)
            stages.append(stage)
            written = touched([stage.definition.args], stage.forms)
            whole = _united(whole, self._bounded(name, written, func, number))
            for callee, calls in _by_name(stage.calls).items():
                read = touched([call.args for call in calls], stage.forms)
                if callee == name:
                    box = _united(box, self._bounded(name, read, func, number))
                else:
                    self.consumers.setdefault(callee, {})[name, number] = None
                    self._require(callee, read, func, number)
            self._require_of_extern(func, stage, box)
        self.boxes[name] = _united(whole, box)
        self.stages[name] = stages[::-1]

    def _demanded(self, name: str, box: list[Limit]) -> list[Limit]:
        """The box after bound()."""
        bounds = func_schedule(self.schedule, name).by_dim(Bound)
        ends = []
        for var, (low, high) in zip(self.funcs[name].args, box, strict=True):
            bound = bounds.get(var)
            start = low if bound is None or bound.minimum is None else self._number(bound.minimum)
            ends.append((start, high if bound is None else start + self._number(bound.extent) - 1))
        return ends

    def _number(self, value: Expr) -> float:
        return Forms({}, self.numbers).of(value).least

    def _stage(self, func: FuncDef, number: int, box: Sequence[Limit]) -> _Stage:
        definition = func.stages[number]
        dependent = dependent_variables(stage_shape(func, number))
        ordered = dependent if not commutes(stage_shape(func, number)) else frozenset()
        loops = []
        for var, arg, (low, high) in zip(func.args, definition.args, box, strict=True):
            swept = is_pure_arg(arg, var)
            loops.append(LoopInfo(var, int(high - low) + 1 if swept else 1, minimum=int(low)))
        outside = Forms({}, self.numbers, self.value_limits)
        for loop in definition.rvars:
            low, extent = outside.of(loop.minimum).least, outside.of(loop.extent).most
            trips = max(1, int(extent)) if extent < FAR else 1
            name, start = loop.name, int(low) if abs(low) < FAR else 0
            free, constant = name not in dependent, isinstance(loop.extent, Const)
            loops.append(LoopInfo(name, trips, True, free, name not in ordered, start, constant))
        varying = self._varying(func, definition)
        return _Stage(definition, tuple(loops), self._forms(func.name, loops, varying), list(_calls(definition)))

    def _varying(self, func: FuncDef, stage: StageDef) -> frozenset[str]:
        """The loops of a stage that have other limits for other sizes."""
        pure = [var for var, origins in zip(func.args, self.origins[func.name], strict=True) if origins != frozenset()]
        ends = [(loop.name, loop.minimum, loop.extent) for loop in stage.rvars]
        numbers = [name for name, *parts in ends if all(isinstance(part, Const) for part in parts)]
        return frozenset([*pure, *[name for name, *_ in ends if name not in numbers]])

    def _bounded(self, name: str, box: list[Limit], func: FuncDef, number: int) -> list[Limit]:
        """The box in whole numbers, within what an image is expected to have."""
        expected = self.sizes.images.get(name)
        if expected is not None:
            return _ends(expected)
        for dimension, limits in enumerate(box):
            # What no estimate limits, lowering may: coordinates scaled by numbers from an image.
            if _is_far(limits) and (name not in self.unbounded or self._is_inlinable(name)):
                box[dimension] = self.edge_limits(name, dimension)
            if _is_far(box[dimension]):
                location = func.stages[number].location
                raise UnboundedError(
                    f"{name} is accessed by stage {number} of Func {func.name} in an unbounded way in dimension"
                    f" {dimension} ({location}): its index has no known limits. Clamp it to a range, e.g."
                    " hl.clamp(index, 0, extent - 1)."
                )
        return [(math.floor(low + 1e-6), math.floor(high + 1e-6)) for low, high in box]

    def _require(self, callee: str, read: list[Limit], func: FuncDef, number: int) -> None:
        box = self._bounded(callee, read, func, number)
        self.boxes[callee] = _united(self.boxes[callee], box) if callee in self.boxes else box

    def _require_of_extern(self, func: FuncDef, stage: _Stage, box: list[Limit]) -> None:
        """Requires of what a C function reads as much as it computes, since what it reads is unknown until it runs."""
        for name, dimensions in _operands(stage.definition):
            self.consumers.setdefault(name, {})[func.name, 0] = None
            read = [box[d] if d < len(box) else (0.0, 0.0) for d in range(dimensions)]
            self._require(name, read, func, 0)

    # What the Dag holds

    def func_info(self, name: str) -> FuncInfo:
        func, box = self.funcs[name], self.boxes[name]
        stages = tuple([self._stage_info(func, number) for number in range(len(func.stages))])
        output = name in self.definition.outputs
        fixed = is_fixed(self.schedule, name)
        read_by_extern = any(self.funcs[consumer].extern is not None for consumer, _ in self.consumers.get(name, ()))
        inlinable = not read_by_extern and self._is_inlinable(name)
        return FuncInfo(
            name,
            func.args,
            func.types,
            tuple([int(low) for low, _ in box]),
            tuple([int(high - low) + 1 for low, high in box]),
            stages,
            output,
            inlinable,
            inlinable and (name in self.unbounded or self._is_view(name, stages[0])),
            fixed,
            func.extern is not None,
            tuple([origins if self._few(origins) else None for origins in self.origins[name]]),
        )

    def _is_inlinable(self, name: str) -> bool:
        """Whether a Func need not be stored, as far as its definition and the user's directives tell."""
        own = self.funcs[name].pure and name not in self.definition.outputs
        return own and not is_fixed(self.schedule, name) and may_inline(self.schedule, name)

    def _few(self, origins: Origins) -> bool:
        """Whether all these dimensions of outputs are so short that their bounds may be expected."""
        return all(self.boxes[name][d][1] - self.boxes[name][d][0] < MAX_EXPECTED for name, d in origins or ())

    def _is_view(self, name: str, stage: StageInfo) -> bool:
        """Whether a Func is a view of what it reads which is never worth storing."""
        return must_inline(stage, self.funcs[name].args) and not self._packed(name, stage)

    def _packed(self, name: str, view: StageInfo) -> bool:
        """Whether a copy may be worth storing: reductions read it so often that its lines should lie side by side."""
        if any(load.boundary for load in view.loads):
            return False
        elements = math.prod([loop.extent for loop in view.loops])
        readers = [self.stages[reader][number] for reader, number in self.consumers.get(name, ())]
        return any(
            any(loop.reduction for loop in stage.loops)
            and math.prod([loop.extent for loop in stage.loops]) >= PACKED_FROM * elements
            for stage in readers
        )

    def _stage_info(self, func: FuncDef, number: int) -> StageInfo:
        stage = self.stages[func.name][number]
        info = self._info(func, number, stage)
        interleaves = {} if number or func.extern is not None else self._interleaves(func, stage)
        return replace(info, interleaves=interleaves) if interleaves else info

    def _interleaves(self, func: FuncDef, stage: _Stage) -> dict[int, Interleave]:
        result = {}
        for d, two in halves(stage.definition.values, stage.loops).items():
            origins = self.origins[func.name][d]
            if origins is not None:
                view = self._info(func, 0, self._halved(stage, d, two), frozenset([two.outer.name]))
                result[d] = Interleave(two.stride, two.outer.extent, view, origins)
        return result

    def _halved(self, stage: _Stage, d: int, two: Halves) -> _Stage:
        """The stage with loop d as two."""
        own, name = stage.definition, stage.loops[d].name
        args, values = (tuple([halved(root, name, two) for root in roots]) for roots in (own.args, own.values))
        definition = replace(own, args=args, values=values)
        loops = (*stage.loops[:d], two.inner, *stage.loops[d + 1 :], two.outer)
        return _Stage(definition, loops, self._forms("", loops), list(_calls(definition)))

    def _forms(self, func: str, loops: Collection[LoopInfo], varying: frozenset[str] = frozenset()) -> Forms:
        limits = {loop.name: (float(loop.minimum), float(loop.minimum + loop.extent - 1)) for loop in loops}
        rvars = frozenset([loop.name for loop in loops if loop.reduction])
        return Forms(limits, self.numbers, self.value_limits, varying, (func, rvars))

    def _info(self, func: FuncDef, number: int, stage: _Stage, whole: Set[str] = frozenset()) -> StageInfo:
        """Returns the properties of a stage; `whole`: loops of which every block has all."""
        definition, forms, names = stage.definition, stage.forms, [loop.name for loop in stage.loops]
        loads = accesses(stage.calls, forms, names) + self._extern_accesses(definition, len(names))
        loads = tuple([clipped(access, self.boxes, stage.loops) for access in loads])
        shape = stage_shape(func, number)
        update = number > 0
        operator = operator_of(func.name, definition.args, definition.values, definition.predicate) if update else None
        roots = definition.roots
        store = clipped(store_access(func.name, definition.args, forms, names), self.boxes, stage.loops)
        repeated = moduli(roots, forms, names)
        values = definition.values
        if not self.target.has_gpu_feature():
            values = vector_code(func.name, steady(values, forms))
        computed = (*definition.args, *values, *tested(definition.predicate, forms))
        emulated = emulates(self.target)
        changing = varying(computed, func.name)
        counts = parts(computed, forms, names, emulated=emulated, varying=changing)
        operations = counted(parts(computed, forms, names, varying=changing) if emulated else counts)
        casts = conversions_of(computed, forms, names, changing)
        constants, uses = constants_of(values, names)
        return StageInfo(
            func.name,
            number,
            stage.loops,
            operations,
            tuple([access for access in loads if access.name != func.name]),
            tuple([access for access in loads if access.name == func.name]),
            store,
            definition.predicate is not TRUE,
            operator is not None and operator.neutral,
            update and may_be_atomic(shape) and not needs_lock(shape),
            repeated,
            counts,
            by_places(casts, forms, names, emulated),
            parts(computed, forms, names, emulated=emulated, varying=changing, apart=frozenset(casts)),
            phases(computed, forms, stage.loops, repeated, changing, whole, emulated),
            not loads and not update and func.extern is None and all(free_variables(r) <= set(names) for r in roots),
            all(isinstance(value, Undef) for value in definition.values),
            share=iterated_share(definition.predicate, forms, stage.loops),
            tensors=tensor_matches(shape, stage.loops, forms, self.target),
            depth=depth_of(values, names),
            recurrence=recurrence_of(values, func.name, definition.args) if update else Recurrence(),
            scan=recurrence_of(values, func.name) if update else Recurrence(),
            constants=constants,
            constant_uses=uses,
            ordered=operator is not None and not operator.commutative,
        )

    def _extern_accesses(self, definition: StageDef, loops: int) -> tuple[Access, ...]:
        result = []
        for name, dimensions in _operands(definition):
            low, high = zip(*self.boxes[name], strict=True) if dimensions else ((), ())
            result.append(Access(name, (None,) * dimensions, tuple(low), tuple(high), (), 1))
        return tuple(result)

    def image_infos(self) -> dict[str, ImageInfo]:
        infos = {}
        for name, image in self.definition.images.items():
            box = self._with_constraints(image, self.boxes.get(name) or [(0.0, 0.0)] * image.dimensions)
            minimum, extent = tuple([int(low) for low, _ in box]), tuple([int(high - low) + 1 for low, high in box])
            infos[name] = ImageInfo(name, minimum, extent, image.type.bytes())
        return infos

    def _with_constraints(self, image: ImageDef, box: list[Limit]) -> list[Limit]:
        """The box of an image, with all channels where it says how many it has."""
        ends = []
        for limits, (low, extent, _) in zip(box, image.constraints or [(None, None, None)] * len(box), strict=True):
            first = None if low is None else number_of(low, self.numbers)
            count = None if extent is None else number_of(extent, self.numbers)
            if first is not None and count is not None:
                limits = min(limits[0], first), max(limits[1], first + count - 1)
            ends.append(limits)
        return ends


def _numbers(definition: PipelineDef, sizes: Sizes) -> dict[str, float]:
    """Params and the properties of buffers by name; buffers lie densely in memory."""
    numbers: dict[str, float] = dict(sizes.scalars)
    outputs = {}
    for name, box in sizes.outputs.items():
        count = len(definition.funcs[name].types)
        outputs.update({(name if count == 1 else f"{name}.{i}"): box for i in range(count)})
    for name, box in (*outputs.items(), *sizes.images.items()):
        stride = 1
        for d, (low, extent) in enumerate(box):
            numbers.update({f"{name}.min.{d}": low, f"{name}.extent.{d}": extent, f"{name}.stride.{d}": stride})
            stride *= extent
    return numbers


def _calls(stage: StageDef) -> Iterator[FuncCall | ImageCall]:
    roots = [root for root in stage.roots if not isinstance(root, ExternValue)]
    return (node for node in postorder(*roots) if isinstance(node, FuncCall | ImageCall))


def _operands(stage: StageDef) -> list[tuple[str, int]]:
    """The Funcs and images that a C function is given, with their dimensions."""
    value = stage.values[0]
    if not isinstance(value, ExternValue):
        return []
    calls = [operand for operand in value.operands if isinstance(operand, FuncCall | ImageCall)]
    return list(dict.fromkeys([(call.name, len(call.args)) for call in calls]))


def _by_name(calls: Sequence[FuncCall | ImageCall]) -> dict[str, list[FuncCall | ImageCall]]:
    groups: dict[str, list[FuncCall | ImageCall]] = {}
    for call in calls:
        groups.setdefault(call.name, []).append(call)
    return groups


def _is_far(limits: Limit) -> bool:
    return limits[0] < -FAR or limits[1] > FAR


def _ends(box: Box) -> list[Limit]:
    return [(float(low), float(low + extent - 1)) for low, extent in box]


def _united(a: Sequence[Limit], b: Sequence[Limit]) -> list[Limit]:
    return [(min(p[0], q[0]), max(p[1], q[1])) for p, q in zip(a, b, strict=True)]
