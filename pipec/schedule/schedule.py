"""A schedule as a value: a tuple of directives, and what they say about one stage's loops or one Func's place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

from pipec.errors import InternalError
from pipec.ir.expr import Expr
from pipec.ir.stmt import LoopKind, MemoryType
from pipec.records import dataclass, field, replace
from pipec.schedule.directive import (
    INLINED,
    AlignBounds,
    AlignExtent,
    AlignStorage,
    AllowRaces,
    Async,
    Atomic,
    Bound,
    BoundStorage,
    ComputeAt,
    ComputeWith,
    DebugToFile,
    Directive,
    Estimate,
    ExpectBounds,
    FoldStorage,
    Fuse,
    HoistStorage,
    LoopLevel,
    Mark,
    Memoize,
    PartitionLoop,
    Prefetch,
    Rename,
    Reorder,
    ReorderStorage,
    Rfactor,
    RingBuffer,
    SingleThread,
    Specialize,
    SpecializeFail,
    Split,
    StageRef,
    StoreAt,
    StoreIn,
    StreamStores,
    Trace,
    Traced,
    TraceTag,
    Unscheduled,
)

Transform = Split | Fuse | Rename
_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Dim:
    """A variable of a stage as it was defined; `reduction`: it comes from a reduction domain."""

    name: str
    reduction: bool = False


@dataclass(frozen=True)
class Loop:
    """A loop of a scheduled stage."""

    name: str
    kind: LoopKind = LoopKind.SERIAL
    reduction: bool = False


@dataclass(frozen=True)
class StageLoops:
    """The loops of a stage, innermost first, and the changes of variables that lead to them, first to last."""

    loops: tuple[Loop, ...]
    transforms: tuple[Transform, ...] = ()

    def find(self, name: str) -> Loop | None:
        return next((loop for loop in self.loops if loop.name == name), None)

    def names(self) -> tuple[str, ...]:
        return tuple(loop.name for loop in self.loops)


@dataclass(frozen=True)
class FuncSchedule:
    """Where and how a Func is computed and stored; the dictionaries are keyed by pure variables of the Func.

    `storage_order` names every dimension, innermost first, or is empty when no reorder_storage was given.
    """

    compute: LoopLevel = INLINED
    store: LoopLevel = INLINED
    store_explicit: bool = False
    memory: MemoryType = MemoryType.Auto
    bounds: Mapping[str, tuple[Expr | None, Expr | None]] = field(default_factory=dict)
    align_bounds: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    storage_order: tuple[str, ...] = ()
    alignments: Mapping[str, int] = field(default_factory=dict)
    folds: Mapping[str, tuple[Expr, bool]] = field(default_factory=dict)
    estimates: Mapping[str, tuple[Expr, Expr]] = field(default_factory=dict)
    hoist: LoopLevel | None = None
    traced: frozenset[Traced] = frozenset()
    tags: tuple[str, ...] = ()
    debug_file: str = ""
    ring: Expr | None = None
    align_extents: Mapping[str, Expr] = field(default_factory=dict)
    storage_bounds: Mapping[str, Expr] = field(default_factory=dict)
    concurrent: bool = False
    memoized: bool = False
    eviction: Expr | None = None
    streamed: bool | None = None
    expected: Mapping[str, tuple[Expr, Expr]] = field(default_factory=dict)


_Index = dict[StageRef | str, tuple[Directive, ...]]


def _subject(directive: Directive) -> StageRef | str:
    """What a directive is about: a stage, or a whole Func by its name."""
    subject = getattr(directive, "stage", None)
    if subject is None:
        subject = directive.func  # type: ignore[attr-defined]
    assert isinstance(subject, StageRef | str)
    return subject


@dataclass(frozen=True)
class Schedule:
    """Directives in the order they were given. Equal schedules hash equal; a schedule can be pickled."""

    directives: tuple[Directive, ...] = ()

    def add(self, *directives: Directive) -> Schedule:
        """This schedule followed by `directives` (the checked way is `pipec.schedule.apply`)."""
        longer = Schedule((*self.directives, *directives))
        if "_index" in self.__dict__:
            # Growing a copy keeps building a schedule step by step from indexing it anew at every step.
            index = dict(self._index)
            for directive in directives:
                key = _subject(directive)
                known = index.get(key, ())
                if isinstance(directive, Specialize | SpecializeFail):
                    child, inherited = version_of(directive, known)
                    index[child] = tuple(inherited)
                index[key] = (*known, directive)
            longer.__dict__["_index"] = index
        return longer

    def __add__(self, other: Schedule) -> Schedule:
        return self.add(*other.directives)

    def _repr_html_(self) -> str:
        from html import escape

        from pipec.schedule.python_text import to_python

        return f"<pre>{escape(to_python(self))}</pre>"

    def __len__(self) -> int:
        return len(self.directives)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        return Schedule, (self.directives,)

    @cached_property
    def _hash(self) -> int:
        return hash(self.directives)

    @cached_property
    def _index(self) -> _Index:
        lists: dict[StageRef | str, list[Directive]] = {}
        for directive in self.directives:
            known = lists.setdefault(_subject(directive), [])
            if isinstance(directive, Specialize | SpecializeFail):
                child, inherited = version_of(directive, known)
                lists[child] = inherited
            known.append(directive)
        return {key: tuple(found) for key, found in lists.items()}

    def of_stage(self, stage: StageRef) -> tuple[Directive, ...]:
        """The directives about the loops of `stage`; those of a specialisation begin with what it inherits."""
        return self._index.get(stage, ())

    def of_func(self, func: str) -> tuple[Directive, ...]:
        """The directives about the place and storage of `func`."""
        return self._index.get(func, ())

    def scheduled_stages(self) -> tuple[StageRef, ...]:
        """The stages that have directives of their own."""
        return tuple(key for key in self._index if isinstance(key, StageRef))

    def funcs(self) -> tuple[str, ...]:
        """The Funcs that any directive is about, in order of first mention."""
        return tuple(dict.fromkeys(key if isinstance(key, str) else key.func for key in self._index))

    def restricted_to(self, funcs: frozenset[str]) -> Schedule:
        """The part of this schedule that is about `funcs`."""
        return Schedule(tuple(d for d in self.directives if _func_of(d) in funcs))

    def to_python(self) -> str:
        """Python calls on Funcs which, executed, give this schedule."""
        from pipec.schedule.text import to_python

        return to_python(self)

    def to_json(self) -> str:
        """The schedule as JSON text, one directive a line."""
        from pipec.schedule.text import to_json

        return to_json(self)

    @staticmethod
    def from_json(text: str) -> Schedule:
        """The schedule that `to_json` wrote."""
        from pipec.schedule.text import from_json

        return from_json(text)


def version_of(
    directive: Specialize | SpecializeFail, before: Sequence[Directive]
) -> tuple[StageRef, list[Directive]]:
    """The version that a specialisation after the directives `before` of its stage makes, and what it inherits."""
    own = directive.stage
    number = sum(isinstance(d, Specialize | SpecializeFail) for d in before)
    child = StageRef(own.func, own.stage, (*own.path, number))
    inherited = [d for d in before if not isinstance(d, Specialize | SpecializeFail)]
    return child, [replace(d, stage=child) for d in inherited]  # type: ignore[call-arg]


def _func_of(directive: Directive) -> str:
    subject = _subject(directive)
    return subject if isinstance(subject, str) else subject.func


def stage_loops(schedule: Schedule, stage: StageRef, dims: tuple[Dim, ...]) -> StageLoops:
    """The loops of a stage whose variables, innermost first, are `dims`."""
    return _stage_loops(schedule.of_stage(stage), dims)


def func_schedule(schedule: Schedule, func: str) -> FuncSchedule:
    """The place and storage of `func`."""
    return _func_schedule(schedule.of_func(func))


@lru_cache(maxsize=4096)
def _stage_loops(directives: tuple[Directive, ...], dims: tuple[Dim, ...]) -> StageLoops:
    loops = [Loop(dim.name, LoopKind.SERIAL, dim.reduction) for dim in dims]
    transforms: list[Transform] = []
    for directive in directives:
        _apply(directive, loops)
        if isinstance(directive, Split | Fuse | Rename):
            transforms.append(directive)
    return StageLoops(tuple(loops), tuple(transforms))


def _apply(directive: Directive, loops: list[Loop]) -> None:
    match directive:
        case Split(old=old, outer=outer, inner=inner):
            at = _position(loops, old)
            found = loops[at]
            loops[at : at + 1] = [Loop(name, found.kind, found.reduction) for name in (inner, outer)]
        case Fuse(inner=inner, outer=outer, fused=fused):
            gone = loops.pop(_position(loops, outer))
            at = _position(loops, inner)
            kept = loops[at]
            loops[at] = Loop(fused, kept.kind, kept.reduction or gone.reduction)
        case Rename(old=old, new=new):
            at = _position(loops, old)
            loops[at] = Loop(new, loops[at].kind, loops[at].reduction)
        case Reorder(variables=variables):
            places = [_position(loops, name) for name in variables]
            for place, loop in zip(sorted(places), [loops[p] for p in places], strict=True):
                loops[place] = loop
        case Mark(var=var, kind=kind):
            at = _position(loops, var)
            loops[at] = Loop(var, kind, loops[at].reduction)
        case SingleThread(block=block, thread=thread):
            loops += [Loop(thread, LoopKind.GPU_THREAD), Loop(block, LoopKind.GPU_BLOCK)]
        case AllowRaces() | Atomic() | PartitionLoop() | Prefetch() | Rfactor() | Unscheduled():
            pass
        case Specialize() | SpecializeFail():
            pass
        case ComputeWith():
            pass
        case _:
            raise InternalError(f"{type(directive).__name__} is not about the loops of a stage")


def _position(loops: list[Loop], name: str) -> int:
    for at, loop in enumerate(loops):
        if loop.name == name:
            return at
    raise InternalError(f"The schedule names the loop {name}, but the loops are {[loop.name for loop in loops]}.")


# Directives about a Func that are read off below, whatever their order.
_READ_OFF = (Async, Trace, TraceTag, DebugToFile, Memoize, AlignExtent, BoundStorage, StreamStores, ExpectBounds)


@lru_cache(maxsize=4096)
def _func_schedule(directives: tuple[Directive, ...]) -> FuncSchedule:
    compute: LoopLevel = INLINED
    store: LoopLevel | None = None
    memory = MemoryType.Auto
    order: tuple[str, ...] = ()
    bounds: dict[str, tuple[Expr | None, Expr | None]] = {}
    align_bounds: dict[str, tuple[int, int]] = {}
    alignments: dict[str, int] = {}
    folds: dict[str, tuple[Expr, bool]] = {}
    estimates: dict[str, tuple[Expr, Expr]] = {}
    hoist: LoopLevel | None = None
    ring: Expr | None = None
    memos = [directive for directive in directives if isinstance(directive, Memoize)]
    streams = [directive for directive in directives if isinstance(directive, StreamStores)]
    for directive in directives:
        match directive:
            case ComputeAt(level=level):
                compute = level
                if level.is_inlined:
                    store = None
            case StoreAt(level=level):
                store = level
            case StoreIn(memory=kind):
                memory = kind
            case ReorderStorage(variables=variables):
                order = variables
            case FoldStorage(var=var, factor=factor, forward=forward):
                folds[var] = (factor, forward)
            case AlignStorage(var=var, alignment=alignment):
                alignments[var] = alignment
            case Bound(var=var, minimum=minimum, extent=extent):
                bounds[var] = (minimum, extent)
            case AlignBounds(var=var, modulus=modulus, remainder=remainder):
                align_bounds[var] = (modulus, remainder)
            case Estimate(var=var, minimum=low, extent=size):
                estimates[var] = (low, size)
            case HoistStorage(level=level):
                hoist = level
            case RingBuffer(extent=extent):
                ring = extent
            case _ if not isinstance(directive, _READ_OFF):
                raise InternalError(f"{type(directive).__name__} is not about the place of a Func")
    return FuncSchedule(
        compute,
        compute if store is None else store,
        store is not None,
        memory,
        _frozen(bounds),
        _frozen(align_bounds),
        order,
        _frozen(alignments),
        _frozen(folds),
        _frozen(estimates),
        hoist,
        frozenset([directive.what for directive in directives if isinstance(directive, Trace)]),
        tuple([directive.tag for directive in directives if isinstance(directive, TraceTag)]),
        ([""] + [directive.path for directive in directives if isinstance(directive, DebugToFile)])[-1],
        ring,
        _frozen({d.var: d.modulus for d in directives if isinstance(d, AlignExtent)}),
        _frozen({d.var: d.extent for d in directives if isinstance(d, BoundStorage)}),
        any(isinstance(directive, Async) for directive in directives),
        bool(memos),
        memos[-1].eviction if memos else None,
        streams[-1].past_cache if streams else None,
        _frozen({d.var: (d.minimum, d.extent) for d in directives if isinstance(d, ExpectBounds)}),
    )


def _frozen(values: dict[str, _Value]) -> Mapping[str, _Value]:
    return MappingProxyType(values)
