"""The directives of a schedule: frozen records that name Funcs, stages and variables, never objects."""

from __future__ import annotations

import enum

from pipec.ir.expr import Expr
from pipec.ir.stmt import LoopKind, MemoryType, Partition
from pipec.records import dataclass


class TailStrategy(enum.Enum):
    """What a split does where its factor does not divide the extent."""

    RoundUp = 0
    GuardWithIf = 1
    Predicate = 2
    PredicateLoads = 3
    PredicateStores = 4
    ShiftInwards = 5
    ShiftInwardsAndBlend = 6
    RoundUpAndBlend = 7
    Auto = 8


@dataclass(frozen=True)
class StageRef:
    """Stage number `stage` (0: pure, 1...: updates) of Func `func`.

    `path`: which of its specialisations, of that one's own, and so on; empty: the stage outside of all of them.
    """

    func: str
    stage: int = 0
    path: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.func if self.stage == 0 else f"{self.func}.update({self.stage - 1})"


@dataclass(frozen=True)
class LoopLevel:
    """A place in the loop nest: inside loop `var` of Func `func`, at root, or nowhere (inlined).

    `stage` None: whichever stage of `func` uses the producer.
    """

    func: str = ""
    var: str = ""
    stage: int | None = None

    @property
    def is_root(self) -> bool:
        return self.var == "__root"

    @property
    def is_inlined(self) -> bool:
        return not self.func and not self.var


ROOT = LoopLevel(var="__root")
INLINED = LoopLevel()


@dataclass(frozen=True, eq=False, repr=False)
class Directive:
    """Base of all directives. What dataclasses would write for each of them takes as long as importing the others."""

    def __eq__(self, other: object) -> bool:
        return self.__dict__ == other.__dict__ if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join([f'{name}={value!r}' for name, value in self.__dict__.items()])})"


@dataclass(frozen=True, eq=False, repr=False)
class Split(Directive):
    """old = outer * factor + inner; `factor`: an int32 Expr of constants and Params; `tail`: never Auto here."""

    stage: StageRef
    old: str
    outer: str
    inner: str
    factor: Expr
    tail: TailStrategy


@dataclass(frozen=True, eq=False, repr=False)
class Fuse(Directive):
    """fused = outer * extent(inner) + inner."""

    stage: StageRef
    inner: str
    outer: str
    fused: str


@dataclass(frozen=True, eq=False, repr=False)
class Rename(Directive):
    stage: StageRef
    old: str
    new: str


@dataclass(frozen=True, eq=False, repr=False)
class Reorder(Directive):
    """The named variables take their places in this order, innermost first."""

    stage: StageRef
    variables: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Mark(Directive):
    """Loop `var` runs as `kind`."""

    stage: StageRef
    var: str
    kind: LoopKind


@dataclass(frozen=True, eq=False, repr=False)
class SingleThread(Directive):
    """All loops so far run in one thread of one block of a GPU: loops `block` and `thread` of one iteration around."""

    stage: StageRef
    block: str
    thread: str


@dataclass(frozen=True, eq=False, repr=False)
class AllowRaces(Directive):
    """The user vouches for the stage: its loops over reduction variables may run in any order, or at once."""

    stage: StageRef


@dataclass(frozen=True, eq=False, repr=False)
class Atomic(Directive):
    """Updates of one element may come in any order; `override`: the user vouches that the operator allows it."""

    stage: StageRef
    override: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class PartitionLoop(Directive):
    """A wish about the borders of loop `var`."""

    stage: StageRef
    var: str
    policy: Partition


@dataclass(frozen=True, eq=False, repr=False)
class Prefetch(Directive):
    """While loop `at` runs, what `from_` plus `offset` will need of Func or image `source` may be fetched."""

    stage: StageRef
    source: str
    at: str
    from_: str
    offset: Expr


@dataclass(frozen=True, eq=False, repr=False)
class Rfactor(Directive):
    """The update was taken apart: Func `intermediate` has `variables` in the places of the loops over `rvars`.

    `before`: what had been said about the stage. Of the directives that follow, the first `merging` of this stage and
    the first `inner` of the intermediate Func's update come from those.
    """

    stage: StageRef
    rvars: tuple[str, ...]
    variables: tuple[str, ...]
    intermediate: str
    before: tuple[Directive, ...]
    merging: int
    inner: int


@dataclass(frozen=True, eq=False, repr=False)
class Unscheduled(Directive):
    """The user left the stage without a schedule on purpose: no warning about it."""

    stage: StageRef


@dataclass(frozen=True, eq=False, repr=False)
class ComputeWith(Directive):
    """The stage shares the loops of stage `other` from the outermost one to `var`.

    `starts` and `ends`: the shared loops whose first, or last, iterations are to coincide; of all others the
    iterations with the same number do.
    """

    stage: StageRef
    other: StageRef
    var: str
    starts: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Specialize(Directive):
    """Where `condition` holds the stage runs in another version, whose schedule begins as that of `stage` is now.

    The version's path is that of `stage` and the number of specialisations that `stage` had before.
    """

    stage: StageRef
    condition: Expr


@dataclass(frozen=True, eq=False, repr=False)
class SpecializeFail(Directive):
    """Where none of the specialisations before applies the pipeline fails with `message`."""

    stage: StageRef
    message: str


@dataclass(frozen=True, eq=False, repr=False)
class ComputeAt(Directive):
    func: str
    level: LoopLevel


@dataclass(frozen=True, eq=False, repr=False)
class StoreAt(Directive):
    func: str
    level: LoopLevel


@dataclass(frozen=True, eq=False, repr=False)
class HoistStorage(Directive):
    """The memory of the Func may be claimed once for all iterations inside `level`."""

    func: str
    level: LoopLevel


@dataclass(frozen=True, eq=False, repr=False)
class RingBuffer(Directive):
    """The hoisted memory of the Func holds `extent` storages, which the iterations around take in turn."""

    func: str
    extent: Expr


@dataclass(frozen=True, eq=False, repr=False)
class Async(Directive):
    """A thread of its own computes the Func while its consumers run."""

    func: str


@dataclass(frozen=True, eq=False, repr=False)
class Memoize(Directive):
    """What is computed of the Func is kept between runs; `eviction`: an int64 by which it can be forgotten, or None."""

    func: str
    eviction: Expr | None = None


@dataclass(frozen=True, eq=False, repr=False)
class StoreIn(Directive):
    func: str
    memory: MemoryType


@dataclass(frozen=True, eq=False, repr=False)
class StreamStores(Directive):
    """Whether stores to the output Func go past the cache: always, or never. Without it the size decides."""

    func: str
    past_cache: bool


@dataclass(frozen=True, eq=False, repr=False)
class ReorderStorage(Directive):
    """All dimensions in the order of storage, innermost first."""

    func: str
    variables: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class FoldStorage(Directive):
    func: str
    var: str
    factor: Expr
    forward: bool = True


@dataclass(frozen=True, eq=False, repr=False)
class AlignStorage(Directive):
    func: str
    var: str
    alignment: int


@dataclass(frozen=True, eq=False, repr=False)
class Bound(Directive):
    """The Func is computed for exactly [minimum, minimum + extent) in `var`; minimum None: any minimum."""

    func: str
    var: str
    minimum: Expr | None
    extent: Expr | None


@dataclass(frozen=True, eq=False, repr=False)
class ExpectBounds(Directive):
    """The loops are made for exactly [minimum, minimum + extent) in `var`; for others there is a slower variant."""

    func: str
    var: str
    minimum: Expr
    extent: Expr


@dataclass(frozen=True, eq=False, repr=False)
class AlignBounds(Directive):
    """The computed interval of `var` grows until min % modulus == remainder and extent % modulus == 0."""

    func: str
    var: str
    modulus: int
    remainder: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class AlignExtent(Directive):
    """The computed interval of `var` grows at its end until extent % modulus == 0."""

    func: str
    var: str
    modulus: Expr


@dataclass(frozen=True, eq=False, repr=False)
class BoundStorage(Directive):
    """The storage of `var` has room for exactly `extent` values; it fails at run time if more are needed."""

    func: str
    var: str
    extent: Expr


class Traced(enum.Enum):
    """What of a Func is reported while it runs."""

    Loads = "loads"
    Stores = "stores"
    Realizations = "realizations"


@dataclass(frozen=True, eq=False, repr=False)
class Trace(Directive):
    func: str
    what: Traced


@dataclass(frozen=True, eq=False, repr=False)
class TraceTag(Directive):
    """Words about the Func for those who read its trace."""

    func: str
    tag: str


@dataclass(frozen=True, eq=False, repr=False)
class DebugToFile(Directive):
    """All of the Func is written to a file each time it has been computed."""

    func: str
    path: str


@dataclass(frozen=True, eq=False, repr=False)
class Estimate(Directive):
    """Expected interval, for the search only."""

    func: str
    var: str
    minimum: Expr
    extent: Expr
