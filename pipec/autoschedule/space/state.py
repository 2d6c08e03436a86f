"""A state: where every Func of a pipeline is computed and how its loops run. Always complete, always a value.

A state is what the strategies build, change and compare; `emit` turns it into directives. Tiles are sizes for speed
only: emitted schedules are right for every size of image.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

FULL = 0
"""As the extent of a tile: all of what the level around covers, so this level has no loop over the dimension."""


class Where(enum.Enum):
    """Where a Func is computed: inlined, at root, or at a loop of a consumer."""

    INLINE = "inline"
    ROOT = "root"
    AT = "at"


@dataclass(frozen=True, slots=True)
class NestLevel:
    """Inside the loops of level `level` of one stage: one iteration of them covers nest.tiles[level] of that stage."""

    func: str
    stage: int
    level: int


@dataclass(frozen=True, slots=True)
class Nest:
    """The loops of one stage, over its dimensions: pure ones in the order of the arguments, then RVars.

    `tiles[k][d]`: points of dimension d that one iteration of level k covers (FULL: all that level k - 1 covers).
    Level 0 loops over the region that is required at the Func's compute level in steps of tiles[0]; level k over
    tiles[k - 1] in steps of tiles[k]. The last tile is the block: no loops remain in it; `vector` names its dimension
    that becomes vectors of `lanes` lanes, all else in it is unrolled. (A block dimension that is FULL is unrolled
    whole and must have a small constant extent.) `order`: dimensions innermost first, the same on all levels.
    `parallel`: dimensions whose level 0 loops run on many threads (root Funcs only). `atomic`: the vector or a parallel
    dimension is an RVar whose partial results are combined. `interleaved`: a dimension of which the block has not
    neighbours but points as far apart as the stage's `Interleave` says, where all of it is required. `tensor`: the
    tensor intrinsic that computes the block, where the block is one that it can compute (`space.cpu.tensors`).
    """

    tiles: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    vector: int | None = None
    lanes: int = 1
    parallel: tuple[int, ...] = ()
    atomic: bool = False
    interleaved: int | None = None
    tensor: str = ""
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        fields = self.tiles, self.order, self.vector, self.lanes, self.parallel, self.atomic
        object.__setattr__(self, "_hash", hash((*fields, self.interleaved, self.tensor)))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Without the hash, which differs from process to process."""
        sizes = self.tiles, self.order, self.vector, self.lanes
        return Nest, (*sizes, self.parallel, self.atomic, self.interleaved, self.tensor)


@dataclass(frozen=True, slots=True)
class FuncPlacement:
    """Where one Func is computed and stored, and the nest of each of its stages (none when inline).

    `compute` is None at root and inline. `store` is None when it is stored where it is computed; else an enclosing
    NestLevel, or ROOT_STORE: then the window slides along the loops between.
    `storage`: dimensions of the storage, innermost first; () for the order of the arguments.
    """

    where: Where
    compute: NestLevel | None = None
    store: NestLevel | None = None
    nests: tuple[Nest, ...] = ()
    storage: tuple[int, ...] = ()
    streamed: bool = False
    _hash: int = field(init=False, repr=False, compare=False, default=0)

    def __post_init__(self) -> None:
        fields = (self.where.value, self.compute, self.store, self.nests, self.storage, self.streamed)
        object.__setattr__(self, "_hash", hash(fields))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Without the hash, which differs from process to process."""
        return FuncPlacement, (self.where, self.compute, self.store, self.nests, self.storage, self.streamed)


ROOT_STORE = NestLevel("", 0, -1)
"""The store NestLevel of a Func that is stored at root but computed inside a (serial) root loop nest."""

INLINED = FuncPlacement(Where.INLINE)


@dataclass(frozen=True, slots=True)
class Factoring:
    """One rfactor of an update: blocks of `size` iterations of an RVar become a pure dimension of partial results.

    With `inner` there are `size` partial results, and iteration r belongs to number r % size, so that neighbours are in
    different lanes. Factoring precedes all other decisions: the Dag of a state with factorings has the intermediate
    Func among its Funcs.
    """

    func: str
    stage: int
    rvar: str
    size: int
    inner: bool = False


Choice = tuple[Factoring, ...]
"""One way to factor one update."""


class Origin(NamedTuple):
    """The state that another one was derived from, and the Funcs whose placements may differ."""

    state: State
    changed: frozenset[str]


@dataclass(frozen=True)
class State:
    """A complete state. Equal states hash equal.

    A state that was derived from another one knows its origin, so that hashes and costs need not look at all Funcs.
    """

    placements: Mapping[str, FuncPlacement]
    factorings: tuple[Factoring, ...] = ()

    @cached_property
    def _sum(self) -> int:
        """A sum, so that the order of the Funcs does not matter."""
        return sum(map(hash, self.placements.items()))

    @cached_property
    def _hash(self) -> int:
        return hash((self._sum, self.factorings))

    @cached_property
    def inlined(self) -> frozenset[str]:
        """The names of the inlined Funcs."""
        inline = Where.INLINE
        return frozenset([name for name, placement in self.placements.items() if placement.where is inline])

    @cached_property
    def storage(self) -> Mapping[str, tuple[int, ...]]:
        """The orders in memory that are not those of the arguments."""
        return {name: placement.storage for name, placement in self.placements.items() if placement.storage}

    @property
    def origin(self) -> Origin | None:
        """The state that this one was derived from; None where that is not known, or forgotten."""
        return self.__dict__.get("_origin")

    def forget_origin(self) -> None:
        """Makes this state one that others are derived from; its own origin is no longer held."""
        self.__dict__.pop("_origin", None)

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Without the hashes, which differ from process to process."""
        return State, (self.placements, self.factorings)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self is other or (
            self._hash == other._hash and self.factorings == other.factorings and self.placements == other.placements
        )

    def __getitem__(self, func: str) -> FuncPlacement:
        return self.placements[func]

    def placing(self, **changes: FuncPlacement) -> State:
        """Returns the state with other placements, given by name."""
        return self.placing_all(changes)

    def placing_all(self, changes: Mapping[str, FuncPlacement]) -> State:
        """This state with other placements for some Funcs."""
        state, before = State({**self.placements, **changes}, self.factorings), self.placements
        old = {name: before[name] for name in changes if name in before}
        derived = state.__dict__
        derived["_sum"] = self._sum + sum(map(hash, changes.items())) - sum(map(hash, old.items()))
        if not any([placement.storage for placement in (*old.values(), *changes.values())]):
            derived["storage"] = self.storage
        inlined = {name for name, placement in changes.items() if placement.where is Where.INLINE}
        same = self.inlined.intersection(changes) == inlined
        derived["inlined"] = self.inlined if same else self.inlined.difference(changes).union(inlined)
        base, changed = self.origin or (self, frozenset())
        derived["_origin"] = Origin(base, changed.union(changes))
        return state

    def group_of(self, func: str) -> str:
        """The root Func whose loops `func` is computed in; itself at root. Not for inlined Funcs."""
        placement = self.placements[func]
        while placement.compute is not None:
            func = placement.compute.func
            placement = self.placements[func]
        return func
