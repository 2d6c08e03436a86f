"""Memoised Funcs: before they are computed, what earlier runs have left is looked for.

    produce f { ... }
    -->
    key[0] = value of param ...; lookup(key, f); if nothing was found: { produce f { ... }; keep(key, f) }

The key holds what the values depend on: a digest of the definitions behind the Func, the values of Params, digests of
what is in the images. The region is that of the view which the functions of the runtime are given.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

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
from pipec.ir.types import INT32, INT64, UInt
from pipec.ir.walk import postorder
from pipec.lower.planning.arguments import as_variables
from pipec.lower.planning.names import bound_symbols, buffer_symbol
from pipec.lower.planning.plan import FuncPlan, LoweringPlan, PlannedCheck
from pipec.records import dataclass
from pipec.schedule.execution import Memoize

IMAGES = "memo.images"
_WORDS = 2  # of a digest, 64 bits each
_NOWHERE = const(0)


@dataclass(frozen=True)
class MemoKey:
    """What the values of a memoised Func depend on: the digest of its definitions, scalars and images."""

    identity: tuple[int, int]
    scalars: tuple[Expr, ...]
    images: tuple[str, ...]


def memo_key(definition: PipelineDef, name: str) -> MemoKey:
    """The key of Func `name`; what a memoize_tag stands for counts instead of what it is computed from."""
    digest = hashlib.blake2b(digest_size=16)
    scalars: dict[Expr, None] = {}
    images: dict[str, None] = {}
    pending, known = [name], {name}
    while pending:
        func = definition.funcs[pending.pop()]
        roots = _roots(func)
        digest.update(f"{func.name} {func.args} {[str(kind) for kind in func.types]}".encode())
        digest.update(b"".join([root.digest().to_bytes(16, "little") for root in roots]))
        for node in _dependences(roots, func):
            if isinstance(node, FuncCall):
                if node.name not in known:
                    known.add(node.name)
                    pending.append(node.name)
            elif isinstance(node, ImageCall):
                images[node.name] = None
            else:
                scalars[node] = None
    words = digest.digest()
    identity = tuple([int.from_bytes(words[at : at + 8], "little", signed=True) for at in (0, 8)])
    return MemoKey((identity[0], identity[1]), tuple(scalars), tuple(images))


def _roots(func: FuncDef) -> list[Expr]:
    roots: list[Expr] = []
    for stage in func.stages:
        roots += [*stage.args, *stage.values, stage.predicate]
        roots += [end for loop in stage.rvars for end in (loop.minimum, loop.extent)]
    return roots


def _dependences(roots: Iterable[Expr], func: FuncDef) -> Iterable[Expr]:
    """The calls, Params and tags that values depend on."""
    seen: set[Node] = set()
    stack: list[Node] = list(roots)
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
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
    """The keys of all memoised Funcs of a plan."""
    found = {}
    for name, func in plan.funcs.items():
        if Memoize in func.schedule:
            original = name if name in plan.definition.funcs else name.rpartition(".")[0]
            found[name] = memo_key(plan.definition, original)
    return found


def failure() -> PlannedCheck:
    """What it means when the runtime's functions return something else than 0."""
    return PlannedCheck(TRUE, "memo_failed", (), (("status", const(0)),))


def with_digests(keys: Iterable[MemoKey], plan: LoweringPlan, code: int, stmt: Stmt) -> Stmt:
    """A whole program that first finds the digests of the images which memoised Funcs depend on."""
    images = image_names(keys)
    if not images:
        return stmt
    calls: list[Stmt] = []
    for number, name in enumerate(images):
        image = plan.images[name]
        box = [(buffer_symbol(name, "min", d), buffer_symbol(name, "extent", d)) for d in range(image.dimensions)]
        whole = BufferView(image.type, name, 0, tuple(box), (), _NOWHERE)
        calls.append(CallExtern(MEMO_DIGEST, (_words(IMAGES, number * _WORDS, _WORDS), whole), "", code))
    return _allocated(IMAGES, INT64, len(images) * _WORDS, block([*calls, stmt]))


def image_names(keys: Iterable[MemoKey]) -> list[str]:
    """The images of all keys, in the order of their digests."""
    return list(dict.fromkeys([name for key in keys for name in key.images]))


def memoized(
    func: FuncPlan, key: MemoKey, images: list[str], code: int, produce: Stmt, expr: Callable[[Expr], Expr]
) -> Stmt:
    """`produce`, unless the values are at hand. `images`: those with digests; `expr` writes expressions out."""
    name = func.definition.name
    words = _key_words(func, key, images)
    count = len(words)
    at_hand: Expr = TRUE
    lookups: list[Stmt] = []
    keeps: list[Stmt] = []
    view = _box(func, expr)
    for index, kind in enumerate(func.definition.types):
        answer = BufferView(UInt(8), "", 0, ((const(index), const(0)),), (), _NOWHERE)
        values = BufferView(kind, name, index, view, (), _NOWHERE)
        operands = (answer, _words(f"{name}.memo", 0, count), values)
        results = f"{name}.memo.{index}"
        lookups.append(CallExtern(MEMO_LOOKUP, operands, results, code))
        keeps.append(CallExtern(MEMO_KEEP, operands, "", code))
        # The function sets the extent of the answer when it has filled in the values.
        at_hand = build.and_(at_hand, build.gt(Load(INT32, results, const(1), TRUE), 0))
    stores: list[Stmt] = [Store(f"{name}.memo", expr(word), const(at), TRUE) for at, word in enumerate(words)]
    compute = IfThenElse(build.not_(at_hand), block([produce, *keeps]), None)
    body = block([*stores, *lookups, compute])
    for index in range(len(func.definition.types)):
        body = _allocated(f"{name}.memo.{index}", INT32, 2 * (2 + len(view)), body)
    return _allocated(f"{name}.memo", INT64, count, body)


def _key_words(func: FuncPlan, key: MemoKey, images: list[str]) -> list[Expr]:
    """Whether there is an eviction key, that key, the identity, scalars, digests of images."""
    memoize = func.schedule.last(Memoize)
    eviction = None if memoize is None else memoize.eviction
    found: list[Expr] = [Const(INT64, int(eviction is not None)), Const(INT64, 0) if eviction is None else eviction]
    found += [Const(INT64, word) for word in key.identity]
    for scalar in key.scalars:
        value = as_variables(scalar)
        found.append(build.cast(INT64, value) if value.type.is_handle() else build.slot_bits(value))
    for name in key.images:
        place = images.index(name) * _WORDS
        found += [Load(INT64, IMAGES, const(place + at), TRUE) for at in range(_WORDS)]
    return found


def _box(func: FuncPlan, expr: Callable[[Expr], Expr]) -> tuple[tuple[Expr, Expr], ...]:
    """What consumers need: the region of the last stage."""
    stage = len(func.definition.stages) - 1
    bounds = [bound_symbols(func.definition, func.schedule, stage, var) for var in func.definition.args]
    return tuple([(expr(interval.ends[0]), expr(interval.extent)) for interval in bounds])


def _words(buffer: str, first: int, count: int) -> BufferView:
    return BufferView(INT64, buffer, 0, ((const(0), const(count)),), (const(1),), const(first))


def _allocated(name: str, kind: object, count: int, body: Stmt) -> Stmt:
    made: Stmt = Allocate(name, kind, MemoryType.Stack, Const(INT64, max(count, 1)), body)
    return made
