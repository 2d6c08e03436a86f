"""Memoized Funcs: their values are looked up in a cache that earlier runs have filled before they are computed.

    produce f { ... }
    -->
    key[0] = value of param ...; lookup(key, f); if it is a miss: { produce f { ... }; keep(key, f) }

The key holds what the values depend on: a digest of the definitions of the Func and its producers, the values of
Params, digests of the contents of images. The region is that of the view that is passed to the runtime.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

from pipec.errors import ScheduleError
from pipec.func.functions.definition import FuncDef, PipelineDef
from pipec.ir import build
from pipec.ir.build import block
from pipec.ir.expr import (
    TRUE,
    BufferView,
    Const,
    Expr,
    FuncCall,
    ImageCall,
    Intrinsic,
    Load,
    ParameterRef,
    ReductionVariable,
    Variable,
    const,
)
from pipec.ir.extern_functions import MEMO_DIGEST, MEMO_KEEP, MEMO_LOOKUP
from pipec.ir.node import Node
from pipec.ir.stmt import Allocate, CallExtern, IfThenElse, MemoryType, Stmt, Store
from pipec.ir.types import INT32, INT64, Type, UInt
from pipec.ir.walk import postorder, rewrite
from pipec.lower.planning.arguments import as_variables
from pipec.lower.planning.names import bound_symbols, buffer_symbol
from pipec.lower.planning.plan import FuncPlan, LoweringPlan, PlannedCheck
from pipec.records import dataclass
from pipec.schedule.execution import Memoize

IMAGES = "memo.images"
_DIGEST_WORDS = 2  # of 64 bits
_NO_OFFSET = const(0)


@dataclass(frozen=True)
class MemoKey:
    """The key of a memoized Func's values: the digest of its definitions, scalars and images."""

    identity: tuple[int, int]
    scalars: tuple[Expr, ...]
    images: tuple[str, ...]


def memo_key(definition: PipelineDef, name: str) -> MemoKey:
    """Returns the key of Func `name`, which does not depend on that name: a clone has the key of its original.

    A memoize_tag is part of the key instead of the value that it tags.
    """

    def without_name(node: Any) -> Any:
        is_own = isinstance(node, FuncCall) and node.name == name
        return FuncCall(node.type, "", node.args, node.value_index, None) if is_own else node

    digest = hashlib.blake2b(digest_size=16)
    scalars: dict[Expr, None] = {}
    images: dict[str, None] = {}
    pending, reached = [name], {name}
    while pending:
        func = definition.funcs[pending.pop()]
        roots = [root for stage in func.stages for root in stage.expressions]
        label = "" if func.name == name else func.name
        digest.update(f"{label} {func.args} {[str(kind) for kind in func.types]}".encode())
        digest.update(b"".join([rewrite(root, without_name).digest().to_bytes(16, "little") for root in roots]))
        for node in _dependences(roots, func):
            if isinstance(node, FuncCall):
                if node.name not in reached:
                    reached.add(node.name)
                    pending.append(node.name)
            elif isinstance(node, ImageCall):
                images[node.name] = None
            else:
                scalars[node] = None
    words = digest.digest()
    identity = tuple([int.from_bytes(words[at : at + 8], "little", signed=True) for at in (0, 8)])
    return MemoKey((identity[0], identity[1]), tuple(scalars), tuple(images))


def _dependences(roots: Iterable[Expr], func: FuncDef) -> Iterable[Expr]:
    """Yields the calls, Params and tags that values depend on."""
    visited: set[Node] = set()
    stack: list[Node] = list(roots)
    while stack:
        node = stack.pop()
        if node in visited:
            continue
        visited.add(node)
        if isinstance(node, Intrinsic) and node.name == "memoize_tag":
            for tag in node.args[1:]:
                _check_tag(tag, func)
                yield tag
            continue
        if isinstance(node, (FuncCall, ImageCall, ParameterRef)):
            yield node
        stack.extend(node.children())


def _check_tag(tag: Expr, func: FuncDef) -> None:
    for node in postorder(tag):
        if isinstance(node, (Variable, ReductionVariable, FuncCall, ImageCall)):
            raise ScheduleError(
                f"Error: A memoize_tag in Func {func.name} depends on {node}: {tag}. Its arguments are part of a key "
                f"that is made before anything is computed; they may use Params and constants only. ({func.location})"
            )


def keys_of(plan: LoweringPlan) -> dict[str, MemoKey]:
    """Returns the keys of all memoized Funcs of a plan."""
    return {
        name: memo_key(plan.definition, func.original) for name, func in plan.funcs.items() if Memoize in func.schedule
    }


def memo_failure() -> PlannedCheck:
    """Returns the check that fails when a function of the runtime returns another status than 0."""
    return PlannedCheck(TRUE, "memo_failed", (), (("status", const(0)),))


def with_digests(keys: Iterable[MemoKey], plan: LoweringPlan, code: int, stmt: Stmt) -> Stmt:
    """Returns a whole program that first computes the digests of the images that memoized Funcs depend on."""
    images = image_names(keys)
    if not images:
        return stmt
    calls: list[Stmt] = []
    for number, name in enumerate(images):
        image = plan.images[name]
        box = [(buffer_symbol(name, "min", d), buffer_symbol(name, "extent", d)) for d in range(image.dimensions)]
        whole = BufferView(image.type, name, 0, tuple(box), (), _NO_OFFSET)
        calls.append(CallExtern(MEMO_DIGEST, (_words(IMAGES, number * _DIGEST_WORDS, _DIGEST_WORDS), whole), "", code))
    return _allocated(IMAGES, INT64, len(images) * _DIGEST_WORDS, block([*calls, stmt]))


def image_names(keys: Iterable[MemoKey]) -> list[str]:
    """Returns the images of all keys, in the order of their digests."""
    return list(dict.fromkeys([name for key in keys for name in key.images]))


def memoized(
    func: FuncPlan, key: MemoKey, images: list[str], code: int, produce: Stmt, expr: Callable[[Expr], Expr]
) -> Stmt:
    """Returns `produce` where the cache lacks the values. `images`: those with digests; `expr` expands expressions."""
    name = func.definition.name
    words = _key_words(func, key, images)
    count = len(words)
    is_hit: Expr = TRUE
    lookups: list[Stmt] = []
    keeps: list[Stmt] = []
    view = _box(func, expr)
    for index, kind in enumerate(func.definition.types):
        answer = BufferView(UInt(8), "", 0, ((const(index), const(0)),), (), _NO_OFFSET)
        values = BufferView(kind, name, index, view, (), _NO_OFFSET)
        operands = (answer, _words(f"{name}.memo", 0, count), values)
        results = f"{name}.memo.{index}"
        lookups.append(CallExtern(MEMO_LOOKUP, operands, results, code))
        keeps.append(CallExtern(MEMO_KEEP, operands, "", code))
        # The function sets the extent of the answer when it has filled in the values.
        is_hit = build.and_(is_hit, build.gt(Load(INT32, results, const(1), TRUE), 0))
    stores: list[Stmt] = [Store(f"{name}.memo", expr(word), const(at), TRUE) for at, word in enumerate(words)]
    compute = IfThenElse(build.not_(is_hit), block([produce, *keeps]), None)
    body = block([*stores, *lookups, compute])
    for index in range(len(func.definition.types)):
        body = _allocated(f"{name}.memo.{index}", INT32, 2 * (2 + len(view)), body)
    return _allocated(f"{name}.memo", INT64, count, body)


def _key_words(func: FuncPlan, key: MemoKey, images: list[str]) -> list[Expr]:
    """Returns the key: whether there is an eviction key, that one, the identity, scalars, digests of images."""
    memoize = func.schedule.last(Memoize)
    eviction = None if memoize is None else memoize.eviction
    words: list[Expr] = [Const(INT64, int(eviction is not None)), Const(INT64, 0) if eviction is None else eviction]
    words += [Const(INT64, word) for word in key.identity]
    for scalar in key.scalars:
        value = as_variables(scalar)
        words.append(build.cast(INT64, value) if value.type.is_handle() else build.slot_bits(value))
    for name in key.images:
        place = images.index(name) * _DIGEST_WORDS
        words += [Load(INT64, IMAGES, const(place + at), TRUE) for at in range(_DIGEST_WORDS)]
    return words


def _box(func: FuncPlan, expr: Callable[[Expr], Expr]) -> tuple[tuple[Expr, Expr], ...]:
    """Returns the region of the last stage, which consumers need: first coordinates and extents."""
    stage = len(func.definition.stages) - 1
    bounds = [bound_symbols(func.definition, func.schedule, stage, var) for var in func.definition.args]
    return tuple([(expr(interval.ends[0]), expr(interval.extent)) for interval in bounds])


def _words(buffer: str, first: int, count: int) -> BufferView:
    return BufferView(INT64, buffer, 0, ((const(0), const(count)),), (const(1),), const(first))


def _allocated(name: str, kind: Type, count: int, body: Stmt) -> Stmt:
    return Allocate(name, kind, MemoryType.Stack, Const(INT64, max(count, 1)), body)
