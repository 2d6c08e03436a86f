"""Loads and stores of the lanes that a mask names, also where the machine has no instruction for their elements.

LLVM writes a branch for each lane where the instruction is missing: with AVX2 the edges of a 7 x 1 filter of bytes took
two thirds of its time, and nine tenths of its instructions. So one function for each vector type copies the runs of
neighbouring lanes that the mask names, by way of a vector in memory. A mask of all lanes, the usual one in the middle
of an image, is a plain access. So is a load of some lanes, where the whole vector lies in one page of memory: where one
lane can be read, the others can.
"""

from __future__ import annotations

from pipec.ir.types import Type
from pipec.jit.llvm.expr import ExprFunction
from pipec.jit.llvm.function import ModuleWriter
from pipec.jit.llvm.math.vector import concatenate, shuffle
from pipec.jit.llvm.types import element_bytes, mask_constant, memory_scalar, memory_suffix, vector_of

MASK_BITS = 64
"""Lanes of one call."""
MIN_LANES = 4
"""Below, branches are short."""


def masked_read(f: ExprFunction, buffer: str, kind: Type, address: str, mask: str) -> str:
    """Emits a load of a dense vector; lanes that the mask leaves out are 0 and not touched."""
    lanes, scalar = kind.nlanes, memory_scalar(kind)
    if not _by_runs(f.module, kind):
        type_ = vector_of(scalar, lanes)
        name = f"@llvm.masked.load.{memory_suffix(kind)}.p0"
        f.module.declare(name, f"{type_} {name}(ptr, i32, <{lanes} x i1>, {type_})")
        return f.op(
            f"call {type_} {name}(ptr {address}, i32 {element_bytes(kind)}, <{lanes} x i1> {mask}, "
            f"{type_} zeroinitializer), !tbaa {f.module.alias_type(buffer)}"
        )
    parts = []
    for start in range(0, lanes, MASK_BITS):
        part = kind.with_lanes(min(MASK_BITS, lanes - start))
        name, place, bits = _operands(f, kind, part, "load", address, mask, start)
        parts.append((f.op(f"call {vector_of(scalar, part.nlanes)} {name}(ptr {place}, i64 {bits})"), part.nlanes))
    return concatenate(f, scalar, parts)[0]


def masked_write(f: ExprFunction, buffer: str, kind: Type, text: str, address: str, mask: str) -> None:
    """Writes the lanes of a dense vector that the mask names."""
    lanes, scalar = kind.nlanes, memory_scalar(kind)
    if not _by_runs(f.module, kind):
        type_ = vector_of(scalar, lanes)
        name = f"@llvm.masked.store.{memory_suffix(kind)}.p0"
        f.module.declare(name, f"void {name}({type_}, ptr, i32, <{lanes} x i1>)")
        f.line(
            f"call void {name}({type_} {text}, ptr {address}, i32 {element_bytes(kind)}, <{lanes} x i1> {mask}), "
            f"!tbaa {f.module.alias_type(buffer)}"
        )
        return
    for start in range(0, lanes, MASK_BITS):
        part = kind.with_lanes(min(MASK_BITS, lanes - start))
        name, place, bits = _operands(f, kind, part, "store", address, mask, start)
        value = shuffle(f, scalar, text, None, lanes, range(start, start + part.nlanes))
        f.line(f"call void {name}({vector_of(scalar, part.nlanes)} {value}, ptr {place}, i64 {bits})")


def _by_runs(module: ModuleWriter, kind: Type) -> bool:
    """Whether masked accesses would be a branch for each lane."""
    has_instruction = module.can("byte masks") or (module.can("avx") and element_bytes(kind) >= 4)
    return kind.nlanes >= MIN_LANES and not has_instruction


def _operands(
    f: ExprFunction, kind: Type, part: Type, verb: str, address: str, mask: str, start: int
) -> tuple[str, str, str]:
    """The function for some of the lanes, the address of the first of them, and a bit for each."""
    own = shuffle(f, "i1", mask, None, kind.nlanes, range(start, start + part.nlanes))
    bits = f.op(f"bitcast <{part.nlanes} x i1> {own} to i{part.nlanes}")
    if part.nlanes < MASK_BITS:
        bits = f.op(f"zext i{part.nlanes} {bits} to i64")
    if start:
        address = f.op(f"getelementptr {memory_scalar(kind)}, ptr {address}, i64 {start}")
    return _function(f.module, part, verb), address, bits


_COPY = "@llvm.memcpy.p0.p0.i64"
# The lowest run of ones is copied and cleared until none is left: its lowest bit, added, carries past it.
_BODY = f"""\
entry:
  %own = alloca TYPE
  %whole = icmp eq i64 %mask, WHOLE
  br i1 %whole, label %plain, label %begin
plain:
  PLAIN
begin:
  BEGIN
next:
  %rest = phi i64 [ %mask, %copy ], [ %cleared, %run ]
  %none = icmp eq i64 %rest, 0
  br i1 %none, label %end, label %run
run:
  %start = call i64 @llvm.cttz.i64(i64 %rest, i1 true)
  %shifted = lshr i64 %rest, %start
  %gaps = xor i64 %shifted, -1
  %count = call i64 @llvm.cttz.i64(i64 %gaps, i1 false)
  %bytes = mul i64 %count, SIZE
  %element = getelementptr SCALAR, ptr %at, i64 %start
  %lane = getelementptr SCALAR, ptr %own, i64 %start
  call void {_COPY}(OPERANDS, i64 %bytes, i1 false)
  %negated = sub i64 0, %rest
  %bit = and i64 %rest, %negated
  %carried = add i64 %rest, %bit
  %cleared = and i64 %carried, %rest
  br label %next
end:
  END
"""
# Pages are no smaller, and begin at multiples of their size.
_PAGE_BYTES = 4096
_READ_IN_PAGE = f"""\
%address = ptrtoint ptr %at to i64
  %offset = and i64 %address, {_PAGE_BYTES - 1}
  %inside = icmp ule i64 %offset, LAST
  %any = icmp ne i64 %mask, 0
  %near = and i1 %inside, %any
  br i1 %near, label %page, label %copy
page:
  %near_all = load TYPE, ptr %at, align SIZE
  %bits = bitcast i64 %mask to <64 x i1>
  %named = shufflevector <64 x i1> %bits, <64 x i1> poison, NUMBERS
  %near_some = select <LANES x i1> %named, TYPE %near_all, TYPE zeroinitializer
  ret TYPE %near_some
copy:
  store TYPE zeroinitializer, ptr %own
  br label %next"""
_LOAD = {
    "BEGIN": _READ_IN_PAGE,
    "PLAIN": "%all = load TYPE, ptr %at, align SIZE\n  ret TYPE %all",
    "OPERANDS": "ptr %lane, ptr %element",
    "END": "%some = load TYPE, ptr %own\n  ret TYPE %some",
}
_STORE = {
    "BEGIN": "br label %copy\ncopy:\n  store TYPE %value, ptr %own\n  br label %next",
    "PLAIN": "store TYPE %value, ptr %at, align SIZE\n  ret void",
    "OPERANDS": "ptr %element, ptr %lane",
    "END": "ret void",
}


def _function(module: ModuleWriter, kind: Type, verb: str) -> str:
    """The function that loads or stores lanes of a vector type, written when it is first needed."""
    name = f"@pipec.{verb}.some.{memory_suffix(kind)}"
    if name in module.internal:
        return name
    module.internal.add(name)
    module.declare("@llvm.cttz.i64", "i64 @llvm.cttz.i64(i64, i1)")
    module.declare(_COPY, f"void {_COPY}(ptr, ptr, i64, i1)")
    if verb == "load":
        head, effect = f"define internal TYPE {name}(ptr %at, i64 %mask)", "memory(argmem: read)"
    else:
        head, effect = f"define internal void {name}(TYPE %value, ptr %at, i64 %mask)", "memory(argmem: write)"
    text = f"{head} nounwind noinline {effect} {{\n{_BODY}}}\n"
    scalar, lanes = memory_scalar(kind), kind.nlanes
    words = {
        **(_LOAD if verb == "load" else _STORE),
        "TYPE": vector_of(scalar, lanes),
        "SCALAR": scalar,
        "SIZE": str(element_bytes(kind)),
        "LAST": str(_PAGE_BYTES - lanes * element_bytes(kind)),
        "LANES": str(lanes),
        "NUMBERS": mask_constant(range(lanes)),
        "WHOLE": str((1 << lanes) - 1 if lanes < MASK_BITS else -1),
    }
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    module.functions.append(text)
    return name
