"""Statement nodes: loops, lets, stores, allocations; interned as expressions are."""

from __future__ import annotations

import enum

from pipec.ir.expr import BufferView, Expr
from pipec.ir.node import Node
from pipec.ir.types import Type


class LoopKind(enum.Enum):
    """How the iterations of a loop run."""

    SERIAL = "for"
    PARALLEL = "parallel"
    VECTORIZED = "vectorized"
    UNROLLED = "unrolled"
    GPU_BLOCK = "gpu_block"
    GPU_THREAD = "gpu_thread"
    GPU_LANE = "gpu_lane"


# Loops over work-groups of a device, over work-items, and all loops whose iterations come in any order.
GPU_THREADS = (LoopKind.GPU_THREAD, LoopKind.GPU_LANE)
GPU_KINDS = (LoopKind.GPU_BLOCK, *GPU_THREADS)
THREADED = (LoopKind.PARALLEL, *GPU_KINDS)
CONCURRENT = (*THREADED, LoopKind.VECTORIZED)


class Partition(enum.Enum):
    """Whether a loop is divided into a prologue, a steady state without boundary tests and an epilogue."""

    Auto = 0
    Never = 1
    Always = 2


class MemoryType(enum.Enum):
    """Where a Func's values are kept."""

    Auto = "Auto"
    Heap = "Heap"
    Stack = "Stack"
    Register = "Register"
    GPUShared = "GPUShared"
    GPUTexture = "GPUTexture"
    LockedCache = "LockedCache"
    VTCM = "VTCM"
    AMXTile = "AMXTile"


class Stmt(Node):
    """Base of statements."""

    __slots__ = ()


class LetStmt(Stmt):
    """`name` stands for `value` inside `body`. Names are bound once in a whole program."""

    __slots__ = ("name", "value", "body")
    FIELDS = ("name", "value", "body")
    CHILDREN = ("value", "body")
    name: str
    value: Expr
    body: Stmt


class For(Stmt):
    """Runs `body` with int32 Variable `name` = minimum ... minimum + extent - 1; not at all when extent <= 0.

    `partition`: what the schedule says about partitioning the loop; Auto after the pass that does it.
    """

    __slots__ = ("name", "minimum", "extent", "kind", "body", "partition")
    FIELDS = ("name", "minimum", "extent", "kind", "body", "partition")
    CHILDREN = ("minimum", "extent", "body")
    name: str
    minimum: Expr
    extent: Expr
    kind: LoopKind
    body: Stmt
    partition: Partition

    def __new__(
        cls,
        name: str,
        minimum: Expr,
        extent: Expr,
        kind: LoopKind,
        body: Stmt,
        partition: Partition = Partition.Auto,
    ) -> For:
        """The loop with these fields."""
        return super().__new__(cls, name, minimum, extent, kind, body, partition)


class Provide(Stmt):
    """Stores `values` (one for each element of a Tuple) of Func `name` at `args` (before storage flattening)."""

    __slots__ = ("name", "values", "args")
    FIELDS = ("name", "values", "args")
    CHILDREN = ("values", "args")
    name: str
    values: tuple[Expr, ...]
    args: tuple[Expr, ...]


class Store(Stmt):
    """Writes `value` to a flat buffer at element `index`, in the lanes where `predicate` holds."""

    __slots__ = ("buffer", "value", "index", "predicate")
    FIELDS = ("buffer", "value", "index", "predicate")
    CHILDREN = ("value", "index", "predicate")
    buffer: str
    value: Expr
    index: Expr
    predicate: Expr


class Atomic(Stmt):
    """`body`, a Provide or scalar Store that updates an element: at once, as seen by other threads."""

    __slots__ = ("body",)
    FIELDS = ("body",)
    CHILDREN = ("body",)
    body: Stmt


class Realize(Stmt):
    """Storage of Func `name` for the box `bounds` = ((min, extent), ...) during `body` (before storage flattening).

    `types`: one for each element of a Tuple. `layout`: (dimension, alignment of its extent) pairs, innermost first.
    `folds`: for each dimension None, or the expression by which its coordinate is reduced modulo. `start`: in memory
    that was claimed around for several storages, the number of the first element of this one (int64).
    """

    __slots__ = ("name", "types", "memory", "bounds", "layout", "folds", "start", "body")
    FIELDS = ("name", "types", "memory", "bounds", "layout", "folds", "start", "body")
    CHILDREN = ("bounds", "folds", "start", "body")
    name: str
    types: tuple[Type, ...]
    memory: MemoryType
    bounds: tuple[tuple[Expr, Expr], ...]
    layout: tuple[tuple[int, int], ...]
    folds: tuple[Expr | None, ...]
    start: Expr
    body: Stmt


class Allocate(Stmt):
    """A flat buffer `name` of `size` elements (an int64 expression) of `type` during `body`."""

    __slots__ = ("name", "type", "memory", "size", "body")
    FIELDS = ("name", "type", "memory", "size", "body")
    CHILDREN = ("size", "body")
    name: str
    type: Type
    memory: MemoryType
    size: Expr
    body: Stmt


class ProducerConsumer(Stmt):
    """Marks the part of a program that computes (`produce`) or uses Func `name`."""

    __slots__ = ("name", "is_producer", "body")
    FIELDS = ("name", "is_producer", "body")
    CHILDREN = ("body",)
    name: str
    is_producer: bool
    body: Stmt


class Block(Stmt):
    """Statements one after the other; never nested, never fewer than two (use `pipec.ir.build.block`)."""

    __slots__ = ("stmts",)
    FIELDS = ("stmts",)
    CHILDREN = ("stmts",)
    stmts: tuple[Stmt, ...]


class IfThenElse(Stmt):
    """`otherwise` is a Stmt or None."""

    __slots__ = ("condition", "then", "otherwise")
    FIELDS = ("condition", "then", "otherwise")
    CHILDREN = FIELDS
    condition: Expr
    then: Stmt
    otherwise: Stmt | None


class Assert(Stmt):
    """Ends the pipeline with error number `code` and int64 `values` when the condition is false."""

    __slots__ = ("condition", "code", "values")
    FIELDS = ("condition", "code", "values")
    CHILDREN = ("condition", "values")
    condition: Expr
    code: int
    values: tuple[Expr, ...]


class Report(Stmt):
    """Tells the caller about `values`, as Program.notices[code] says; `body` runs with the answer in int32 `name`.

    Values are scalars, or vectors of as many lanes as `predicate`, which says for each lane whether it is told.
    `name` is "" where nobody asks for the answer.
    """

    __slots__ = ("code", "values", "predicate", "name", "body")
    FIELDS = ("code", "values", "predicate", "name", "body")
    CHILDREN = ("values", "predicate", "body")
    code: int
    values: tuple[Expr, ...]
    predicate: Expr
    name: str
    body: Stmt


class CallExtern(Stmt):
    """Calls the C function `symbol`; another status than 0 ends the pipeline with error number `code`.

    `operands`: scalars and BufferViews. A query asks which boxes the function needs: it leaves the minimum and extent
    of each dimension of each view in the int32 buffer `results`, which is "" for the call that computes.
    """

    __slots__ = ("symbol", "operands", "results", "code")
    FIELDS = ("symbol", "operands", "results", "code")
    CHILDREN = ("operands",)
    symbol: str
    operands: tuple[Expr, ...]
    results: str
    code: int

    def views(self) -> list[BufferView]:
        """The operands that describe buffers."""
        return [operand for operand in self.operands if isinstance(operand, BufferView)]

    def buffers(self) -> list[str]:
        """The buffers that the call may change."""
        return [view.name for view in self.views() if view.name] + ([self.results] if self.results else [])


class Prefetch(Stmt):
    """The cache may fetch what `read` (a FuncCall, ImageCall or Load) would read, wherever that is."""

    __slots__ = ("read",)
    FIELDS = ("read",)
    CHILDREN = FIELDS
    read: Expr


class Fork(Stmt):
    """`first` runs in a thread of its own while `second` runs in this one; ends when both have.

    `name`: the counters by which they wait for each other; `counts`: how these start (int64).
    """

    __slots__ = ("name", "counts", "first", "second")
    FIELDS = ("name", "counts", "first", "second")
    CHILDREN = ("counts", "first", "second")
    name: str
    counts: tuple[Expr, ...]
    first: Stmt
    second: Stmt


class Wait(Stmt):
    """Waits until counter `index` of Fork `name` is positive, and takes one off it.

    `buffers`: what the other side has stored to these is seen from then on.
    """

    __slots__ = ("name", "index", "buffers")
    FIELDS = ("name", "index", "buffers")
    name: str
    index: int
    buffers: tuple[str, ...]


class Post(Stmt):
    """Adds one to counter `index` of Fork `name`."""

    __slots__ = ("name", "index")
    FIELDS = ("name", "index")
    name: str
    index: int


class Evaluate(Stmt):
    """Evaluates an expression for its effect; `Evaluate(0)` does nothing."""

    __slots__ = ("value",)
    FIELDS = ("value",)
    CHILDREN = ("value",)
    value: Expr
