"""The verifier: whether a program is well formed at a stage of lowering. Run between passes in tests."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, NoReturn

from pipec.errors import InternalError
from pipec.ir import expr as e
from pipec.ir import stmt as s
from pipec.ir.intrinsics import result_type
from pipec.ir.node import Node, kinds_of
from pipec.ir.program import Program, ProgramArgumentKind
from pipec.ir.tensor import with_digest
from pipec.ir.types import BOOL, INT32, INT64, Type

MAX_LANES = 1 << 16
_SHOWN = 600


class LoweringStage(enum.Enum):
    """The progress of lowering, which decides which nodes a program may hold."""

    # Funcs are stored and read at coordinates; loops may still be marked vectorized or unrolled.
    SCHEDULED = "scheduled"
    # Stores and loads have one index; loops may still be marked vectorized or unrolled.
    FLAT = "flat"
    # Only what a back end takes: flat buffers, explicit vectors, serial and parallel loops.
    LOWERED = "lowered"


_DEFINITION_ONLY = (e.ReductionVariable, e.ParameterRef, e.Effect)
_SCHEDULED_ONLY = (e.FuncCall, e.ImageCall, e.Undef, e.ExternValue, s.Provide, s.Realize)


class _ScalarUse(NamedTuple):
    name: str
    type: Type


class _BufferUse(NamedTuple):
    name: str
    type: Type


class _CallUse(NamedTuple):
    name: str
    dimensions: int
    value_index: int
    type: Type


_Uses = frozenset[_ScalarUse | _BufferUse | _CallUse]
_NOTHING: _Uses = frozenset()


class VerifiedNodes:
    """Well typed expressions and the names they use: those that a pass leaves unchanged are not checked again."""

    def __init__(self) -> None:
        self.uses: dict[LoweringStage, dict[Node, _Uses]] = {stage: {} for stage in LoweringStage}


def verify(root: Node | Program, stage: LoweringStage, after: str = "", verified: VerifiedNodes | None = None) -> None:
    """Raises InternalError, which names the node and the pass `after` which it was verified, where `root` is malformed.

    In a Program every name must be bound; in a bare statement or expression free names are arguments.
    `verified` is shared between the programs of one lowering.
    """
    verifier = _Verifier(stage, after, not isinstance(root, Program), verified or VerifiedNodes())
    if isinstance(root, Program):
        verifier.program(root)
    elif isinstance(root, s.Stmt):
        verifier.statement(root)
    else:
        assert isinstance(root, e.Expr)
        verifier.expression(root)


def check_type(node: e.Expr) -> None:
    """Raises InternalError where the operands of this node, well typed themselves, have other types than it takes."""
    _check_type(_Verifier(LoweringStage.SCHEDULED, "", True, VerifiedNodes()), node)


class _Verifier:
    def __init__(self, stage: LoweringStage, after: str, open_ended: bool, verified: VerifiedNodes) -> None:
        self.stage = stage
        self.after = after
        self.open_ended = open_ended
        self.checks: int | None = None
        self.notices: int | None = None
        # Names in scope: of scalars with their types, of flat buffers with their element types, of Funcs' storage.
        self.scalars: dict[str, Type] = {}
        self.buffers: dict[str, Type] = {}
        self.stored: dict[str, tuple[tuple[Type, ...], int]] = {}
        self.counters: dict[str, int] = {}
        self.bound: set[str] = set()
        self.uses = verified.uses[stage]
        self.forbidden = kinds_of(*_DEFINITION_ONLY, *_SCHEDULED_ONLY)

    def fail(self, node: Node, problem: str) -> NoReturn:
        text = str(node)
        if len(text) > _SHOWN:
            text = f"{text[:_SHOWN]} ..."
        place = f" after {self.after}" if self.after else ""
        raise InternalError(f"Malformed IR{place} ({self.stage.value}): {type(node).__name__}: {problem}\n{text}")

    def require(self, condition: bool, node: Node, problem: str) -> None:
        if not condition:
            self.fail(node, problem)

    def program(self, program: Program) -> None:
        self.checks, self.notices = len(program.checks), len(program.notices)
        for argument in program.arguments:
            if argument.name in self.bound:
                raise InternalError(f"Two arguments of {program.name} have the name {argument.name}.")
            self.bound.add(argument.name)
            if argument.kind is ProgramArgumentKind.SCALAR:
                self.scalars[argument.name] = argument.type
                continue
            self.buffers[argument.name] = argument.type
            for dimension in range(argument.dimensions):
                for fact in ("min", "extent", "stride"):
                    self.scalars[f"{argument.name}.{fact}.{dimension}"] = INT32
        self.statement(program.body)

    # Statements: an explicit stack, with entries that end the scope of a name.

    def statement(self, root: s.Stmt) -> None:
        work: list[s.Stmt | Callable[[], None]] = [root]
        while work:
            item = work.pop()
            if not isinstance(item, s.Stmt):
                item()
                continue
            self.require(type(item) in _STATEMENTS, item, "is not a statement")
            if not self.allowed(item):
                self.fail(item, f"must not be left when {self.stage.value}")
            work.extend(reversed(_STATEMENTS[type(item)](self, item)))

    def allowed(self, node: Node) -> bool:
        if isinstance(node, _DEFINITION_ONLY):
            return False
        return self.stage is LoweringStage.SCHEDULED or not isinstance(node, _SCHEDULED_ONLY)

    def bind(self, node: Node, name: str, table: dict[str, Any], value: Any) -> Callable[[], None]:
        """Brings a name into scope; returns a function that ends the scope."""
        if name in self.bound:
            self.fail(node, f"the name {name} is bound twice in the program")
        self.bound.add(name)
        table[name] = value
        return lambda: table.__delitem__(name)

    # Expressions

    def expression(self, root: e.Expr, kind: Type | None = None, owner: Node | None = None, what: str = "") -> None:
        """Checks an expression: the types of each node once, the scope of its names at every use."""
        at = owner or root
        # The texts are built only on failure: this runs on all expressions after each pass.
        if not isinstance(root, e.Expr):
            self.fail(at, f"{what or 'the expression'} is not an expression")
        if kind is not None and root.type is not kind:
            self.fail(at, f"{what} has type {root.type}, not {kind}")
        for use in self.names_of(root):
            if isinstance(use, _ScalarUse):
                self.scalar(at, use)
            elif isinstance(use, _BufferUse):
                self.buffer(at, use.name, use.type)
            else:
                self.call(at, use)

    def names_of(self, root: e.Expr) -> _Uses:
        """The names that an expression uses; nodes that are not verified yet are checked."""
        verified, stack = self.uses, [root]
        while root not in verified:
            node = stack[-1]
            pending = [child for child in node.below if child not in verified]
            if pending:
                stack += pending
                continue
            stack.pop()
            if node in verified:
                continue
            assert isinstance(node, e.Expr)
            # Kinds first: they are one number.
            if node.kinds & self.forbidden and not self.allowed(node):
                self.fail(node, f"must not be left when {self.stage.value}")
            _check_type(self, node)
            uses = _own_uses(node)
            for child in node.below:
                # Most parts of an expression use the same few names.
                if not verified[child] <= uses:
                    uses = uses | verified[child]
            verified[node] = uses
        return verified[root]

    def scalar(self, node: Node, use: _ScalarUse) -> None:
        kind = self.scalars.get(use.name)
        if kind is use.type:
            return
        if kind is not None:
            self.fail(node, f"{use.name} is {kind}, but is used as {use.type}")
        if not self.open_ended or use.name in self.bound:
            self.fail(node, f"{use.name} is not in scope")

    def buffer(self, node: Node, name: str, kind: Type) -> None:
        element = self.buffers.get(name)
        if element is kind.element_of():
            return
        if element is not None:
            self.fail(node, f"buffer {name} holds {element}, but is used as {kind}")
        if not self.open_ended or name in self.bound:
            self.fail(node, f"buffer {name} is not in scope")

    def call(self, node: Node, use: _CallUse) -> None:
        storage = self.stored.get(use.name)
        if storage is not None:
            types, dimensions = storage
            self.require(use.dimensions == dimensions, node, f"{use.name} has {dimensions} dimensions")
            self.require(0 <= use.value_index < len(types), node, f"{use.name} has {len(types)} values")
            element = types[use.value_index]
            self.require(element is use.type.element_of(), node, f"{use.name} holds {element}, not {use.type}")


def _own_uses(node: e.Expr) -> _Uses:
    """The name that a node itself uses."""
    if isinstance(node, e.Variable):
        return frozenset([_ScalarUse(node.name, node.type)])
    if isinstance(node, e.Load):
        return frozenset([_BufferUse(node.buffer, node.type)])
    if isinstance(node, e.FuncCall):
        return frozenset([_CallUse(node.name, len(node.args), node.value_index, node.type)])
    return _NOTHING


def _let(v: _Verifier, node: s.LetStmt) -> list[Any]:
    v.expression(node.value, owner=node)
    return [node.body, v.bind(node, node.name, v.scalars, node.value.type)]


def _for(v: _Verifier, node: s.For) -> list[Any]:
    v.expression(node.minimum, INT32, node, "the minimum")
    v.expression(node.extent, INT32, node, "the extent")
    if node.kind in (s.LoopKind.VECTORIZED, s.LoopKind.UNROLLED):
        v.require(v.stage is not LoweringStage.LOWERED, node, f"{node.kind.value} loops must not be left")
    return [node.body, v.bind(node, node.name, v.scalars, INT32)]


def _provide(v: _Verifier, node: s.Provide) -> list[Any]:
    lanes = {value.type.nlanes for value in (*node.values, *node.args)}
    v.require(len(node.values) > 0, node, "there is no value")
    v.require(len(lanes) <= 1, node, f"values and coordinates have different lanes: {sorted(lanes)}")
    for arg in node.args:
        v.expression(arg, INT32.with_lanes(arg.type.nlanes), node, "a coordinate")
    for value in node.values:
        v.expression(value, owner=node)
    if node.name in v.stored:
        stored, dimensions = v.stored[node.name]
        types = tuple([value.type.element_of() for value in node.values])
        v.require(types == stored, node, f"{node.name} holds {_names(stored)}, but is given {_names(types)}")
        v.require(len(node.args) == dimensions, node, f"{node.name} has {dimensions} dimensions")
    return []


def _store(v: _Verifier, node: s.Store) -> list[Any]:
    v.buffer(node, node.buffer, node.value.type)
    v.expression(node.value, owner=node)
    lanes = node.value.type.nlanes
    if node.index.type.element_of() not in (INT32, INT64):
        v.fail(node, f"the index has type {node.index.type}")
    v.expression(node.index, node.index.type.with_lanes(lanes), node, "the index")
    v.expression(node.predicate, BOOL.with_lanes(lanes), node, "the predicate")
    return []


def _atomic(v: _Verifier, node: s.AtomicUpdate) -> list[Any]:
    v.require(isinstance(node.body, (s.Provide, s.Store)), node, "only the update of an element can be atomic")
    if v.stage is LoweringStage.LOWERED:
        scalar = isinstance(node.body, s.Store) and node.body.value.type.nlanes == 1 and node.body.predicate is e.TRUE
        v.require(scalar, node, "an atomic update must be of one element, without a condition")
    return [node.body]


def _realize(v: _Verifier, node: s.Realize) -> list[Any]:
    for minimum, extent in node.bounds:
        v.expression(minimum, INT32, node, "a minimum")
        v.expression(extent, INT32, node, "an extent")
    v.require(len(node.folds) in (0, len(node.bounds)), node, "there must be a fold, or None, for each dimension")
    for fold in node.folds:
        if fold is not None:
            v.expression(fold, INT32, node, "a fold factor")
    v.expression(node.start, INT64, node, "the first element")
    dimensions = sorted({dimension for dimension, _ in node.layout})
    v.require(dimensions == list(range(len(node.bounds))), node, f"the layout names the dimensions {dimensions}")
    return [node.body, v.bind(node, node.name, v.stored, (node.types, len(node.bounds)))]


def _allocate(v: _Verifier, node: s.Allocate) -> list[Any]:
    v.expression(node.size, INT64, node, "the size")
    v.require(node.type.nlanes == 1, node, "the element type is a vector")
    return [node.body, v.bind(node, node.name, v.buffers, node.type)]


def _block(v: _Verifier, node: s.Block) -> list[Any]:
    v.require(len(node.stmts) >= 2, node, "a block holds at least two statements")
    v.require(not any(isinstance(child, s.Block) for child in node.stmts), node, "a block must not hold a block")
    return list(node.stmts)


def _if(v: _Verifier, node: s.IfThenElse) -> list[Any]:
    v.expression(node.condition, BOOL, node, "the condition")
    return [node.then] if node.otherwise is None else [node.then, node.otherwise]


def _assert(v: _Verifier, node: s.Assert) -> list[Any]:
    v.expression(node.condition, BOOL, node, "the condition")
    for value in node.values:
        v.expression(value, INT64, node, "a value")
    v.require(v.checks is None or 0 <= node.code < v.checks, node, f"there is no check number {node.code}")
    return []


def _report(v: _Verifier, node: s.Report) -> list[Any]:
    lanes = node.predicate.type.nlanes
    v.expression(node.predicate, BOOL.with_lanes(lanes), node, "the predicate")
    for value in node.values:
        v.expression(value, value.type, node, "a value")
        v.require(value.type.nlanes == lanes, node, f"a value has {value.type.nlanes} lanes, not {lanes}")
    v.require(v.notices is None or 0 <= node.code < v.notices, node, f"there is no notice number {node.code}")
    return [node.body, v.bind(node, node.name, v.scalars, INT32)] if node.name else [node.body]


def _call_extern(v: _Verifier, node: s.CallExtern) -> list[Any]:
    for operand in node.operands:
        v.expression(operand, operand.type.element_of(), node, "an operand")
    for view in node.views() if v.stage is not LoweringStage.SCHEDULED else ():
        if view.name:
            v.buffer(node, view.name, view.element)
    if node.results:
        v.buffer(node, node.results, INT32)
    v.require(v.checks is None or 0 <= node.code < v.checks, node, f"there is no check number {node.code}")
    return []


def _fork(v: _Verifier, node: s.Fork) -> list[Any]:
    for count in node.counts:
        v.expression(count, INT64, node, "a count")
    return [node.first, node.second, v.bind(node, node.name, v.counters, len(node.counts))]


def _counter(v: _Verifier, node: s.Wait | s.Post) -> list[Any]:
    v.require(v.open_ended or node.name in v.counters, node, f"{node.name} is no fork around it")
    v.require(0 <= node.index < v.counters.get(node.name, node.index + 1), node, "there is no such counter")
    return []


def _evaluate(v: _Verifier, node: s.Evaluate) -> list[Any]:
    v.expression(node.value, owner=node)
    return []


def _prefetch(v: _Verifier, node: s.PrefetchLoad) -> list[Any]:
    v.require(isinstance(node.read, (e.FuncCall, e.ImageCall, e.Load)), node, "only what is read can be prefetched")
    v.require(node.read.type.nlanes == 1, node, "one element is prefetched at a time")
    v.expression(node.read, owner=node)
    return []


_STATEMENTS: dict[type, Callable[[_Verifier, Any], list[Any]]] = {
    s.LetStmt: _let,
    s.For: _for,
    s.Provide: _provide,
    s.Store: _store,
    s.AtomicUpdate: _atomic,
    s.Realize: _realize,
    s.Allocate: _allocate,
    s.ProducerConsumer: lambda v, node: [node.body],
    s.Block: _block,
    s.IfThenElse: _if,
    s.Assert: _assert,
    s.CallExtern: _call_extern,
    s.Report: _report,
    s.PrefetchLoad: _prefetch,
    s.Fork: _fork,
    s.Wait: _counter,
    s.Post: _counter,
    s.Evaluate: _evaluate,
}


def _names(types: Iterable[Type]) -> str:
    return ", ".join(map(str, types))


# Rules for the types of single expression nodes, their operands being well typed already.


def _binary_type(v: _Verifier, node: e.Binary) -> None:
    kind = node.a.type
    # The texts are built only on failure: there are many of these nodes.
    if kind is not node.b.type:
        v.fail(node, f"the operands have types {kind} and {node.b.type}")
    if isinstance(node, (e.And, e.Or)):
        if not kind.boolean:
            v.fail(node, f"the operands have type {kind}, not bool")
    elif not (kind.integral or kind.floating):
        v.fail(node, f"has no meaning for {kind}")


def _conversion_type(v: _Verifier, node: e.Cast | e.Reinterpret) -> None:
    source, target = node.value.type, node.type
    if source.nlanes != target.nlanes:
        v.fail(node, f"cannot convert {source} to {target}: the lanes differ")
    if isinstance(node, e.Reinterpret) and source.nbits != target.nbits:
        v.fail(node, f"cannot read {source} as {target}: the sizes differ")


def _select_type(v: _Verifier, node: e.Select) -> None:
    v.require(node.true_value.type is node.false_value.type, node, "the two values have different types")
    condition = node.condition.type
    # One condition for all lanes, or one for each.
    if condition not in (BOOL, BOOL.with_lanes(node.type.nlanes)):
        v.fail(node, f"the condition has type {condition}")


def _ramp_type(v: _Verifier, node: e.Ramp) -> None:
    v.require(node.base.type is node.stride.type, node, "base and stride have different types")
    v.require(node.base.type.nlanes == 1, node, "base and stride must be scalars")
    v.require(2 <= node.lanes <= MAX_LANES, node, f"{node.lanes} lanes")


def _broadcast_type(v: _Verifier, node: e.Broadcast) -> None:
    v.require(node.value.type.nlanes == 1, node, "the value must be a scalar")
    v.require(2 <= node.lanes <= MAX_LANES, node, f"{node.lanes} lanes")


def _shuffle_type(v: _Verifier, node: e.Shuffle) -> None:
    v.require(len(node.vectors) > 0 and len(node.indices) > 0, node, "there is nothing to pick")
    elements = {vector.type.element_of() for vector in node.vectors}
    v.require(len(elements) == 1, node, f"the vectors have different types: {_names(elements)}")
    lanes = sum([vector.type.nlanes for vector in node.vectors])
    v.require(all(0 <= index < lanes for index in node.indices), node, f"an index is not one of {lanes} lanes")


def _reduce_type(v: _Verifier, node: e.VectorReduce) -> None:
    v.require(node.operator in e.REDUCTIONS, node, f"there is no reduction {node.operator}")
    v.require(node.lanes >= 1 and node.value.type.nlanes % node.lanes == 0, node, "the lanes do not divide evenly")
    if node.operator in ("and", "or"):
        v.require(node.type.boolean, node, f"the operand has type {node.value.type}, not bool")


def _tensor_type(v: _Verifier, node: e.TensorCall) -> None:
    intrinsic = with_digest(node.declaration)
    expected = [intrinsic.vector(operand) for operand in intrinsic.operands]
    types = [operand.type for operand in node.operands]
    v.require(types == expected, node, f"{node.name} takes {_names(expected)}, not {_names(types)}")
    v.require(node.type is intrinsic.vector(intrinsic.result), node, f"the type is not that of {intrinsic.result}")


def _call_type(v: _Verifier, node: e.FuncCall | e.ImageCall) -> None:
    for arg in node.args:
        if arg.type is not INT32.with_lanes(node.type.nlanes):
            v.fail(node, f"a coordinate has type {arg.type}")


def _load_type(v: _Verifier, node: e.Load) -> None:
    lanes = node.type.nlanes
    index, predicate = node.index.type, node.predicate.type
    if index.element_of() not in (INT32, INT64):
        v.fail(node, f"the index has type {index}")
    if index.nlanes != lanes:
        v.fail(node, f"{lanes} elements at an index of type {index}")
    if predicate is not BOOL.with_lanes(lanes):
        v.fail(node, f"the predicate has type {predicate}")


def _view_type(v: _Verifier, node: e.BufferView) -> None:
    for minimum, extent in node.box:
        v.require(minimum.type is INT32 and extent.type is INT32, node, "a minimum or extent is no int32")
    whole = not node.name or v.stage is LoweringStage.SCHEDULED or len(node.strides) == len(node.box)
    v.require(whole, node, "a dimension has no stride")


def _intrinsic_type(v: _Verifier, node: e.Intrinsic) -> None:
    try:
        expected = result_type(node.name, tuple([arg.type for arg in node.args]))
    except InternalError as error:
        v.fail(node, str(error))
    if node.type is not expected:
        v.fail(node, f"the result has type {node.type}, not {expected}")


def _effect_type(v: _Verifier, node: e.Effect) -> None:
    v.require(node.kind in ("print", "require"), node, f"{node.kind!r} is no kind of effect")
    v.require(node.condition.type.boolean, node, f"the condition has type {node.condition.type}")


_TYPES: dict[type, Callable[[_Verifier, Any], None]] = {
    e.Const: lambda v, n: v.require(n.type.nlanes == 1, n, "a constant must be scalar"),
    e.Variable: lambda v, n: None,
    e.ReductionVariable: lambda v, n: None,
    e.ParameterRef: lambda v, n: None,
    e.Cast: _conversion_type,
    e.Reinterpret: _conversion_type,
    e.Not: lambda v, n: v.require(n.type.boolean, n, f"the operand has type {n.type}, not bool"),
    e.Select: _select_type,
    e.Ramp: _ramp_type,
    e.Broadcast: _broadcast_type,
    e.Shuffle: _shuffle_type,
    e.VectorReduce: _reduce_type,
    e.TensorCall: _tensor_type,
    e.FuncCall: _call_type,
    e.ImageCall: _call_type,
    e.Load: _load_type,
    e.ExternValue: lambda v, n: None,
    e.BufferView: _view_type,
    e.Undef: lambda v, n: v.require(n.type.nlanes == 1, n, "must be scalar"),
    e.Intrinsic: _intrinsic_type,
    e.Effect: _effect_type,
}


def _check_type(v: _Verifier, node: e.Expr) -> None:
    if isinstance(node, e.Binary):
        _binary_type(v, node)
    elif type(node) in _TYPES:
        _TYPES[type(node)](v, node)
    else:
        v.fail(node, "is not an expression")
