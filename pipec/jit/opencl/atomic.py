"""Updates of an element that other work-items may be updating too, in OpenCL C.

f[i] = f[i] + v  -->  atomic_add(&f[i], v)                      (32-bit integers; atom_add for 64-bit ones)
                      atomic_add_global_float32(&f[i], v)      (float32 and float64, see `kernel_float_add`)
                      a loop that exchanges f[i] for the new value until no other came between   (everything else)

Devices exchange words of 32 bits. A narrower element is exchanged together with its neighbours in the same word, which
stay as they are; arrays in local memory that hold such elements are whole words (`is_exchanged_in_words`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipec.errors import InternalError, NotSupportedError
from pipec.ir import stmt as s
from pipec.ir.expr import Add, And, Expr, Intrinsic, Load, Max, Min, Or, Sub, Variable
from pipec.ir.types import Type
from pipec.ir.walk import postorder, rewrite, statements
from pipec.jit.c.expr import Expressions
from pipec.jit.c.helpers import Helpers
from pipec.jit.c.stmt import after_names
from pipec.jit.c.types import small_float, storage_type, value_type

if TYPE_CHECKING:
    from pipec.jit.opencl.work_item import ThreadStatements


_OPERATIONS: dict[type[Expr], str] = {Add: "add", Sub: "sub", Min: "min", Max: "max", And: "and", Or: "or"}
_BITWISE = {"bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor"}
_WORD = 32


def emit_atomic(statements: ThreadStatements, node: s.AtomicUpdate) -> list[str]:
    """The lines of an update."""
    store = node.body
    assert isinstance(store, s.Store)
    kind = store.value.type
    if kind.nlanes > 1:
        raise NotSupportedError(
            f"Error: The update of Func {store.buffer.partition('$')[0]} is atomic() on the GPU and vectorized, which"
            " OpenCL does not support. Leave vectorize() of that update out."
        )
    loads = {part for part in postorder(store.value) if isinstance(part, Load) and part.buffer == store.buffer}
    if any(load.index is not store.index for load in loads):
        raise InternalError(f"Only a scalar's own old value can be part of an atomic update: {store}")
    old = Variable(kind, f"{store.buffer}.old")
    value: Expr = rewrite(store.value, lambda part: old if part in loads else part)
    if _stored_bits(kind) < _WORD:
        return _exchange_of_word(statements, store, old, value)
    term = _term(value, old)
    if term is not None:
        return _addition(statements, store, *term)
    step = _operation(value, old)
    if step is not None:
        return _one_step(statements, store, *step)
    return _exchange(statements, store, old, value)


def is_exchanged_in_words(buffer: str, body: s.Stmt, kind: Type) -> bool:
    """Whether `body` has atomic updates of the elements of a buffer, which are narrower than a word."""
    return _stored_bits(kind) < _WORD and any(
        isinstance(node, s.AtomicUpdate) and isinstance(node.body, s.Store) and node.body.buffer == buffer
        for node in statements(body)
    )


def _stored_bits(kind: Type) -> int:
    return 8 * kind.bytes()


def _operation(value: Expr, old: Variable) -> tuple[str, Expr] | None:
    """The function that makes an update in one step, and its operand; None when there is none."""
    if value.type.floating:
        return None
    sides: Any
    if type(value) in _OPERATIONS:
        name, sides = _OPERATIONS[type(value)], (value.a, value.b)  # type: ignore[attr-defined]
    elif isinstance(value, Intrinsic) and value.name in _BITWISE:
        name, sides = _BITWISE[value.name], value.args
    else:
        return None
    if sides[0] is not old and not isinstance(value, Sub):
        sides = sides[::-1]
    if sides[0] is not old or any(node is old for node in postorder(sides[1])):
        return None
    return name, sides[1]


def _term(value: Expr, old: Variable) -> tuple[str, Expr] | None:
    """Returns the sign and the value added to a float; None when the update is no plain addition."""
    if not value.type.floating or type(value) not in (Add, Sub):
        return None
    first, second = value.a, value.b  # type: ignore[attr-defined]
    if first is not old and type(value) is Add:
        first, second = second, first
    if first is not old or any(node is old for node in postorder(second)):
        return None
    return "" if type(value) is Add else "-", second


def _addition(statements: ThreadStatements, store: s.Store, sign: str, term: Expr) -> list[str]:
    x = statements._expressions(store.index, term)
    value, space = x.scalar(term), _space(statements, store)
    place = _address(statements, x, store, space, value_type(term.type))
    line = f"{adder(x.helpers, term.type, space)}({place}, {f'-({value})' if sign else value});"
    return after_names(x, [line])


def _one_step(statements: ThreadStatements, store: s.Store, name: str, operand: Expr) -> list[str]:
    kind = store.value.type
    x = statements._expressions(store.index, operand)
    value, place = x.scalar(operand), _place(statements, x, store, kind)
    prefix = "atomic" if kind.nbits == _WORD else "atom"
    line = f"{prefix}_{name}({place}, {value});"
    return after_names(x, [line])


def _exchange(statements: ThreadStatements, store: s.Store, old: Variable, value: Expr) -> list[str]:
    kind = store.value.type
    bits = "uint32_t" if kind.nbits == _WORD else "uint64_t"
    prefix = "atomic" if kind.nbits == _WORD else "atom"
    as_value = {"int32_t": "as_int", "uint32_t": "as_uint", "int64_t": "as_long", "uint64_t": "as_ulong"}.get(
        value_type(kind), f"as_{value_type(kind)}"
    )
    as_bits = "as_uint" if kind.nbits == _WORD else "as_ulong"
    x = statements._expressions(store.index)
    place = statements.fresh("place")
    current, before, name = statements.fresh("current"), statements.fresh("before"), statements.name_of(old.name)
    space = _space(statements, store)
    inner = statements._expressions(value)
    new = inner.scalar(value)
    return [
        "{",
        *[f"    {line}" for line in x.frame.lines],
        f"    volatile {space} {bits} *const {place} = {_address(statements, x, store, space, bits)};",
        f"    {bits} {current} = *{place}, {before};",
        "    do {",
        f"        {before} = {current};",
        f"        const {value_type(kind)} {name} = {as_value}({before});",
        *[f"        {line}" for line in inner.frame.lines],
        f"        {current} = {prefix}_cmpxchg({place}, {before}, {as_bits}({new}));",
        f"    }} while ({current} != {before});",
        "}",
    ]


def _exchange_of_word(statements: ThreadStatements, store: s.Store, old: Variable, value: Expr) -> list[str]:
    """As above, for an element of 8 or 16 bits."""
    kind, space = store.value.type, _space(statements, store)
    bits = _stored_bits(kind)
    of_word = _WORD // bits
    x = statements._expressions(store.index)
    element, place, shift = [statements.fresh(word) for word in ("element", "place", "shift")]
    current, before, name = statements.fresh("current"), statements.fresh("before"), statements.name_of(old.name)
    inner = statements._expressions(value)
    new = _stored(inner, kind, inner.scalar(value))
    mask = f"{(1 << bits) - 1}u << {shift}"
    buffer, word = statements.name_of(store.buffer), f"volatile {space} uint32_t *"
    return [
        "{",
        *[f"    {line}" for line in x.frame.lines],
        f"    const int32_t {element} = {x.scalar(store.index, True)};",
        f"    {word}const {place} = ({word}){buffer} + {element} / {of_word};",
        f"    const uint32_t {shift} = (uint32_t){element} % {of_word} * {bits};",
        f"    uint32_t {current} = *{place}, {before};",
        "    do {",
        f"        {before} = {current};",
        f"        const {value_type(kind)} {name} = {_loaded(inner, kind, f'{before} >> {shift}')};",
        *[f"        {line}" for line in inner.frame.lines],
        f"        {current} = atomic_cmpxchg({place}, {before}, ({before} & ~({mask})) | (uint32_t){new} << {shift});",
        f"    }} while ({current} != {before});",
        "}",
    ]


def _loaded(x: Expressions, kind: Type, text: str) -> str:
    """The element in the low bits of a word."""
    if small_float(kind):
        return f"{x.helpers.convert('load', kind)}((uint16_t)({text}))"
    return f"(uint8_t)({text}) != 0" if kind.boolean else f"({value_type(kind)})({text})"


def _stored(x: Expressions, kind: Type, text: str) -> str:
    """The bits of an element, without a sign that would reach further."""
    if small_float(kind):
        return f"{x.helpers.convert('store', kind)}({text})"
    unsigned = storage_type(kind)
    return f"({unsigned if unsigned.startswith('u') else f'u{unsigned}'})({text})"


def _space(statements: ThreadStatements, store: s.Store) -> str:
    return statements.spaces.get(store.buffer, "__global")


def _place(statements: ThreadStatements, x: Expressions, store: s.Store, kind: Type) -> str:
    own = {"int64_t": "long", "uint64_t": "ulong"}.get(value_type(kind), value_type(kind))
    return _address(statements, x, store, _space(statements, store), own)


def _address(statements: ThreadStatements, x: Expressions, store: s.Store, space: str, kind: str) -> str:
    element = f"{statements.name_of(store.buffer)}[{x.scalar(store.index, True)}]"
    return f"(volatile {space} {kind} *)&{element}"


EXTENSION = "cl_ext_float_atomics"
# What the compiler of a device defines that has the extension for some type and kind of memory.
FEATURE = "__opencl_c_ext_"

_SCOPES = {"__global": "memory_scope_device", "__local": "memory_scope_work_group"}
_PTX = """#elif defined(cl_nv_pragma_unroll)
    float before;
    __asm__ volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(before) : "l"(place), "f"(value) : "memory");
"""


def adder(helpers: Helpers, kind: Type, space: str) -> str:
    """The name of the function that adds to a float32 or float64 in global or local memory."""
    word = space.removeprefix("__")
    name = f"atomic_add_{word}_{kind}"
    helpers.texts.setdefault(name, _text(name, kind, space, word))
    return name


def _text(name: str, kind: Type, space: str, word: str) -> str:
    wide = kind.nbits == 64
    own, bits, to_bits = ("double", "ulong", "as_ulong") if wide else ("float", "uint", "as_uint")
    exchange = "atom_cmpxchg" if wide else "atomic_cmpxchg"
    own_way = _PTX if space == "__global" and not wide else ""
    return f"""static inline void {name}(volatile {space} {own} *place, {own} value) {{
#if defined({FEATURE}fp{kind.nbits}_{word}_atomic_add)
    atomic_fetch_add_explicit((volatile {space} atomic_{own} *)place, value, memory_order_relaxed, {_SCOPES[space]});
{own_way}#else
    volatile {space} {bits} *const word = (volatile {space} {bits} *)place;
    {bits} seen = *word, before;
    do {{
        before = seen;
        seen = {exchange}(word, before, {to_bits}(as_{own}(before) + value));
    }} while (seen != before);
#endif
}}"""
