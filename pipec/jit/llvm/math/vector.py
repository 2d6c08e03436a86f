"""Ramps, broadcasts, shuffles and reductions of vectors as LLVM instructions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from pipec.errors import InternalError
from pipec.ir import expr as e
from pipec.ir.build import constant
from pipec.ir.types import Float, Type
from pipec.jit.llvm.function import FunctionWriter
from pipec.jit.llvm.math.arithmetic import RULES as ARITHMETIC_RULES
from pipec.jit.llvm.math.arithmetic import convert, float_flags
from pipec.jit.llvm.types import (
    mask_constant,
    scalar_constant,
    scalar_type,
    value_type,
    vector_constant,
    vector_of,
)

_REGISTER = 64  # bytes, of AVX-512


def splat(f: FunctionWriter, scalar: str, text: str, lanes: int) -> str:
    """A scalar in all lanes."""
    if lanes == 1:
        return text
    type_ = vector_of(scalar, lanes)
    first = f.op(f"insertelement {type_} poison, {scalar} {text}, i64 0")
    return f.op(f"shufflevector {type_} {first}, {type_} poison, <{lanes} x i32> zeroinitializer")


def shuffle(f: FunctionWriter, scalar: str, a: str, b: str | None, lanes: int, indices: Sequence[int]) -> str:
    """Lanes `indices` of the concatenation of two vectors of `lanes` lanes; one index gives a scalar."""
    type_ = vector_of(scalar, lanes)
    if lanes == 1:
        picked = [a if index == 0 else b for index in indices]
        return gather_lanes(f, scalar, [text if text is not None else a for text in picked])
    if len(indices) == 1:
        source, index = (a, indices[0]) if indices[0] < lanes or b is None else (b, indices[0] - lanes)
        return f.op(f"extractelement {type_} {source}, i64 {index}")
    if b is None and list(indices) == list(range(lanes)):
        return a
    if b is None and (group := _group_of_lanes(scalar, lanes, indices)) > 1:
        return _in_groups(f, scalar, a, lanes, indices, group)
    if b is None and _may_cycle(f, scalar, indices):
        return _repeated_bytes(f, (a, lanes), indices)
    return f.op(f"shufflevector {type_} {a}, {type_} {b or 'poison'}, {mask_constant(indices)}")


def _group_of_lanes(scalar: str, lanes: int, indices: Sequence[int]) -> int:
    """The number of narrow lanes that a shuffle repeats together, as one lane of 32 or 16 bits; 1 for others."""
    group = 2 if lanes == 2 and scalar == "i8" else {"i8": 4, "i16": 2}.get(scalar, 1)
    if group == 1 or lanes % group or len(indices) % group or len(set(indices)) == len(indices):
        return 1
    starts = indices[::group]
    return group if list(indices) == [at + i for at in starts for i in range(group) if at % group == 0] else 1


def _in_groups(f: FunctionWriter, scalar: str, a: str, lanes: int, indices: Sequence[int], group: int) -> str:
    """Lanes `indices` of a vector by a shuffle of wider lanes: machines repeat these while they load them."""
    own, count, result_count = vector_of(scalar, lanes), lanes // group, len(indices) // group
    word = f"i{group * _BITS[scalar]}"
    if count == 1:
        result = splat(f, word, _as_word(f, scalar, a, lanes, word), result_count)
    else:
        source = f.op(f"bitcast {own} {a} to {vector_of(word, count)}")
        result = shuffle(f, word, source, None, count, [at // group for at in indices[::group]])
    return f.op(f"bitcast {vector_of(word, result_count)} {result} to {vector_of(scalar, len(indices))}")


def _as_word(f: FunctionWriter, scalar: str, a: str, lanes: int, word: str) -> str:
    """A short vector as one number, of its lanes: loaded one by one, LLVM would insert them into each place of the
    result otherwise; of one load it makes one again."""
    type_, total = vector_of(scalar, lanes), ""
    for lane in range(lanes):
        part = f.op(f"zext {scalar} {f.op(f'extractelement {type_} {a}, i64 {lane}')} to {word}")
        moved = f.op(f"shl {word} {part}, {lane * _BITS[scalar]}") if lane else part
        total = f.op(f"or {word} {total}, {moved}") if lane else moved
    return total


def _may_cycle(f: FunctionWriter, scalar: str, indices: Sequence[int]) -> bool:
    """Whether LLVM may never end: what repeats bytes of a sum over a register of AVX-512 it lowers to itself."""
    repeats = len(set(indices)) < len(indices)
    return repeats and scalar == "i8" and len(indices) > _REGISTER // 2 and f.module.can("byte masks")


def _repeated_bytes(f: FunctionWriter, part: tuple[str, int], indices: Sequence[int]) -> str:
    """Lanes `indices` of bytes, in whole registers whose making and use LLVM sees apart from the shuffle.

    Otherwise it would make the sum of two such shuffles the shuffle of a sum.
    """
    source, result = _whole(part[1]), _whole(len(indices))
    text = _fenced(f, widened(f, "i8", part, source), source)
    mask = mask_constant([*indices, *[-1] * (result - len(indices))])
    type_ = vector_of("i8", source)
    text = _fenced(f, f.op(f"shufflevector {type_} {text}, {type_} poison, {mask}"), result)
    return shuffle(f, "i8", text, None, result, range(len(indices)))


def _whole(lanes: int) -> int:
    """As many bytes as registers that hold these have."""
    return -(-lanes // _REGISTER) * _REGISTER


def _fenced(f: FunctionWriter, text: str, lanes: int) -> str:
    """Bytes as they are: the fence, which LLVM moves nothing across, is no instruction, but there is none of bytes."""
    count = lanes // 4
    type_, own = vector_of("i8", lanes), vector_of("float", count)
    name = f"@llvm.arithmetic.fence.v{count}f32"
    f.module.declare(name, f"{own} {name}({own})")
    fenced = f.op(f"call {own} {name}({own} {f.op(f'bitcast {type_} {text} to {own}')})")
    return f.op(f"bitcast {own} {fenced} to {type_}")


def register_piece(f: FunctionWriter, scalar: str, text: str, lanes: int, start: int, width: int) -> str:
    """Lanes `start` to `start + width` of a vector of `lanes` lanes, or any lanes of a constant."""
    if lanes == width or text.startswith("splat"):
        return text
    return shuffle(f, scalar, text, None, lanes, range(start, start + width))


def gather_lanes(f: FunctionWriter, scalar: str, lanes: Sequence[str]) -> str:
    """A vector of these scalars."""
    if len(lanes) == 1:
        return lanes[0]
    type_ = vector_of(scalar, len(lanes))
    total = "poison"
    for index, lane in enumerate(lanes):
        total = f.op(f"insertelement {type_} {total}, {scalar} {lane}, i64 {index}")
    return total


def concatenate(f: FunctionWriter, scalar: str, parts: Sequence[tuple[str, int]]) -> tuple[str, int]:
    """Vectors (text, lanes) one after the other, joined pairwise; all but the last have equal lanes after widening."""
    bits = parts[0][1] * _BITS.get(scalar, 0)
    if len(parts) > 2 and parts[0][1] > 1 and bits in _INSERTED and len({lanes for _, lanes in parts}) == 1:
        return _of_words(f, scalar, parts, f"i{bits}")
    level = list(parts)
    while len(level) > 1:
        joined = []
        for i in range(0, len(level) - 1, 2):
            joined.append(_join(f, scalar, level[i], level[i + 1]))
        if len(level) % 2:
            joined.append(level[-1])
        level = joined
    return level[0]


_BITS = {"i8": 8, "i16": 16, "half": 16}
_INSERTED = (16, 32, 64)
"""Bits of what machines load and insert into a register at once; LLVM has no good code for vectors as short as that."""


def _of_words(f: FunctionWriter, scalar: str, parts: Sequence[tuple[str, int]], word: str) -> tuple[str, int]:
    """Short vectors one after the other, each inserted as one number."""
    lanes, total = parts[0][1], sum([count for _, count in parts])
    words = [f.op(f"bitcast {vector_of(scalar, lanes)} {text} to {word}") for text, _ in parts]
    joined = gather_lanes(f, word, words)
    return f.op(f"bitcast {vector_of(word, len(parts))} {joined} to {vector_of(scalar, total)}"), total


def _join(f: FunctionWriter, scalar: str, a: tuple[str, int], b: tuple[str, int]) -> tuple[str, int]:
    lanes = max(a[1], b[1])
    first, second = widened(f, scalar, a, lanes), widened(f, scalar, b, lanes)
    indices = [*range(a[1]), *range(lanes, lanes + b[1])]
    return shuffle(f, scalar, first, second, lanes, indices), a[1] + b[1]


def widened(f: FunctionWriter, scalar: str, part: tuple[str, int], lanes: int) -> str:
    """Emits a part of a vector widened to `lanes` lanes; the added ones are undefined."""
    text, own = part
    if own == lanes:
        return text
    if own == 1:
        return f.op(f"insertelement {vector_of(scalar, lanes)} poison, {scalar} {text}, i64 0")
    type_ = vector_of(scalar, own)
    indices = [*range(own), *[-1] * (lanes - own)]
    return f.op(f"shufflevector {type_} {text}, {type_} poison, {mask_constant(indices)}")


def _broadcast(f: FunctionWriter, node: e.Broadcast, a: str) -> str:
    return splat(f, scalar_type(node.type), a, node.lanes)


def _ramp(f: FunctionWriter, node: e.Ramp, base: str, stride: str) -> str:
    if node.lanes == 1:
        return base
    kind, type_, scalar = node.type, value_type(node.type), scalar_type(node.type)
    step = constant(node.stride)
    if step is not None:
        start = constant(node.base)
        element = kind.element_of()
        first = 0 if start is None else start
        lanes = [scalar_constant(element, element.wrap(first + i * step)) for i in range(node.lanes)]
        offsets = vector_constant(scalar, lanes)
        if start is not None:
            return offsets
    else:
        flags = float_flags(f) if kind.floating else ""
        opcode = "fmul" if kind.floating else "mul"
        counts = vector_constant(scalar, [scalar_constant(kind.element_of(), i) for i in range(node.lanes)])
        offsets = f.op(f"{opcode} {flags}{type_} {splat(f, scalar, stride, node.lanes)}, {counts}")
    bases = splat(f, scalar, base, node.lanes)
    return f.op(f"{'fadd' if kind.floating else 'add'} {type_} {bases}, {offsets}")


def _shuffle(f: FunctionWriter, node: e.Shuffle, *vectors: str) -> str:
    scalar = scalar_type(node.type)
    lanes = [vector.type.nlanes for vector in node.vectors]
    # Only the vectors that are used take part.
    starts = [sum(lanes[:i]) for i in range(len(lanes))]
    owners = [bisect_right(starts, index) - 1 for index in node.indices]
    used = sorted(set(owners))
    moved = {}
    offset = 0
    for i in used:
        moved[i] = offset
        offset += lanes[i]
    indices = [index - starts[owner] + moved[owner] for index, owner in zip(node.indices, owners, strict=True)]
    if len(used) == 2 and lanes[used[0]] == lanes[used[1]]:
        return shuffle(f, scalar, vectors[used[0]], vectors[used[1]], lanes[used[0]], indices)
    whole, count = concatenate(f, scalar, [(vectors[i], lanes[i]) for i in used])
    return shuffle(f, scalar, whole, None, count, indices)


def combine(f: FunctionWriter, operator: str, kind: Type, a: str, b: str) -> str:
    """Two values of type `kind` combined by a reduction's operator."""
    if kind.is_bfloat():
        wide = Float(32, kind.nlanes)
        return convert(f, wide, kind, combine(f, operator, wide, *[convert(f, kind, wide, text) for text in (a, b)]))
    node = e.REDUCTIONS[operator](e.Variable(kind, "a"), e.Variable(kind, "b"))
    return ARITHMETIC_RULES[type(node)](f, node, a, b)


def reduce_lanes(f: FunctionWriter, operator: str, source: Type, groups: int, a: str) -> str:
    """`groups` groups of neighbouring lanes of a value of type `source`: folded in halves while even, else singly."""
    group = source.nlanes // groups
    if group * groups != source.nlanes:
        raise InternalError(f"{source.nlanes} lanes cannot be reduced to {groups}.")
    scalar = scalar_type(source)
    lanes = source.nlanes
    if source.boolean and groups == 1 and operator in ("and", "or"):
        # One comparison of a mask register.
        bits = f.op(f"bitcast <{lanes} x i1> {a} to i{lanes}") if lanes > 1 else a
        return f.op(f"icmp eq i{lanes} {bits}, -1" if operator == "and" else f"icmp ne i{lanes} {bits}, 0")
    while group > 1:
        # Fold the upper part of each group onto the lower: both have `half` lanes; an odd lane is folded alone.
        half = group // 2
        kind = source.with_lanes(half * groups)
        low = [g * group + i for g in range(groups) for i in range(half)]
        high = [g * group + half + i for g in range(groups) for i in range(half)]
        folded = combine(
            f, operator, kind, shuffle(f, scalar, a, None, lanes, low), shuffle(f, scalar, a, None, lanes, high)
        )
        if group % 2:
            odd = shuffle(f, scalar, a, None, lanes, [g * group + group - 1 for g in range(groups)])
            first = shuffle(f, scalar, folded, None, kind.nlanes, [g * half for g in range(groups)])
            single = combine(f, operator, source.with_lanes(groups), first, odd)
            if half == 1:
                return single
            folded = _replace_first(f, scalar, folded, single, groups, half)
        a, lanes, group = folded, kind.nlanes, half
    return a


def _replace_first(f: FunctionWriter, scalar: str, folded: str, single: str, groups: int, half: int) -> str:
    """`folded` with the first lane of each group of `half` lanes taken from `single`."""
    whole, _ = concatenate(f, scalar, [(folded, groups * half), (single, groups)])
    indices = [groups * half + g if i == 0 else g * half + i for g in range(groups) for i in range(half)]
    return shuffle(f, scalar, whole, None, groups * half + groups, indices)


RULES: dict[type, Callable[..., str]] = {
    e.Broadcast: _broadcast,
    e.Ramp: _ramp,
    e.Shuffle: _shuffle,
}
