"""Vector arithmetic of integers in the narrowest type that holds it, so that a register has more lanes.

    uint8((int32(a) * 77 + int32(b) * 150) >> 8)  -->  uint8((uint16(a) * 77 + uint16(b) * 150) >> 8)
    uint8(min(uint16(a) + uint16(b), 255))         -->  saturating_add(a, b)

Sums, differences, products and bitwise operations depend on the low bits of their operands only. Where an operation
depends on the whole value (a quotient, a shift to the right, a comparison) its operands must fit the narrower type, by
their lanes' ranges. Pixels stay the same to the bit.
"""

from __future__ import annotations

from pipec.bounds.lane_ranges import LaneRange, LaneRanges
from pipec.ir import build
from pipec.ir.build import constant
from pipec.ir.expr import (
    Add,
    Binary,
    Broadcast,
    Cast,
    Compare,
    Const,
    Div,
    Expr,
    Intrinsic,
    Load,
    Max,
    Min,
    Mod,
    Mul,
    Select,
    Sub,
    VectorReduce,
)
from pipec.ir.node import kinds_of
from pipec.ir.stmt import Stmt, Store
from pipec.ir.types import Int, Type, UInt
from pipec.ir.walk import instances
from pipec.lower.statements import map_statements

_BITWISE = frozenset({"bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not"})
_ARITHMETIC = (Add, Sub, Mul, Min, Max, Div, Mod, Select)
_INTRINSICS = _BITWISE | {"shift_right", "shift_left", "abs", "absd"}
_WIDTHS = (8, 16, 32)


def narrow_arithmetic(stmt: Stmt) -> Stmt:
    """`stmt` with the values of its vector stores computed in narrower types where that changes nothing."""
    narrower = _Narrower()

    def visit(node: Stmt) -> Stmt:
        if isinstance(node, Store):
            if node.value.type.nlanes == 1:
                return node
            value = narrower.accumulated(node) if _accumulates(node) else narrower(node.value)
            return node if value is node.value else Store(node.buffer, value, node.index, node.predicate)
        return map_statements(node, visit)

    return visit(stmt)


def _accumulates(store: Store) -> bool:
    reduces = store.value.kinds & kinds_of(VectorReduce)
    return bool(reduces) or any(load.buffer == store.buffer for load in instances(Load, store.value))


class _Narrower:
    """Rewrites expressions, memoised by node."""

    def __init__(self) -> None:
        self.span = LaneRanges()
        self._whole: dict[Expr, Expr] = {}
        self._low: dict[tuple[Expr, int], Expr | None] = {}
        # Single instructions widen, multiply and add the terms of long sums pairwise.
        self.keeps_widening = False

    def accumulated(self, store: Store) -> Expr:
        """The value of a store that adds to its element: the terms keep their type."""
        own = _Narrower()
        own.keeps_widening = True
        return own(store.value)

    def __call__(self, e: Expr) -> Expr:
        """`e`, the same value of the same type."""
        result = self._whole.get(e)
        if result is None:
            result = self._whole[e] = self._rewritten(e)
        return result

    def _rewritten(self, e: Expr) -> Expr:
        if isinstance(e, Load) or not e.children() or e.type.nlanes == 1:
            return e
        if isinstance(e, Cast) and e.type.integral and e.value.type.integral and e.type.nbits < e.value.type.nbits:
            return self._truncated(e)
        if isinstance(e, Compare) and e.a.type.integral:
            return self._compared(e)
        rounded = self._rounded_shift(e)
        if rounded is not None:
            return self(rounded)
        if e.type.integral and not self.keeps_widening and _is_arithmetic(e):
            narrow = self._widened_later(e)
            if narrow is not None:
                return narrow
        return e.rebuild(self)  # type: ignore[no-any-return]

    def _truncated(self, e: Cast) -> Expr:
        saturated = self._saturated(e)
        if saturated is not None:
            return saturated
        for bits in _WIDTHS:
            if e.type.nbits <= bits < e.value.type.nbits:
                low = self._low_bits(e.value, bits)
                if low is not None:
                    return build.cast(e.type.element_of(), low)
        return e.rebuild(self)  # type: ignore[no-any-return]

    def _compared(self, e: Compare) -> Expr:
        span = self.span(e.a).union(self.span(e.b))
        for bits in _WIDTHS:
            if bits >= e.a.type.nbits:
                break
            type_ = _holding(span, bits)
            a, b = (None, None) if type_ is None else (self.low(e.a, bits), self.low(e.b, bits))
            if type_ is not None and a is not None and b is not None:
                return type(e)(build.cast(type_, a), build.cast(type_, b))
        return e.rebuild(self)  # type: ignore[no-any-return]

    def _widened_later(self, e: Expr) -> Expr | None:
        """An expression computed in fewer bits, then widened; None where that is not less work."""
        span = self.span(e)
        for bits in _WIDTHS:
            if bits >= e.type.nbits:
                return None
            type_ = _holding(span, bits)
            low = None if type_ is None else self.low(e, bits)
            if type_ is not None and low is not None:
                # Operations in units of register width: the narrow ones and a final conversion against the wide ones.
                work = _work(e)
                worthwhile = work * bits + e.type.nbits < work * e.type.nbits
                return build.cast(e.type.element_of(), build.cast(type_, low)) if worthwhile else None
        return None

    def low(self, e: Expr, bits: int) -> Expr | None:
        """The low bits of an integer expression as an unsigned vector; None when that is not cheaper."""
        key = e, bits
        if key not in self._low:
            # For recursive calls: the rewritten whole value asks for its low bits in turn.
            self._low[key] = None
            narrow = self._low_bits(e, bits)
            if narrow is None and self.span(e).high - self.span(e).low < 1 << bits and _worth_cutting(e):
                type_ = _holding(self.span(e), bits)
                narrow = None if type_ is None else self(e)
            self._low[key] = None if narrow is None else build.cast(UInt(bits), narrow)
        return self._low[key]

    def _low_bits(self, e: Expr, bits: int) -> Expr | None:
        e = self._rounded_shift(e) or e
        if e.type.nbits <= bits:
            return build.cast(e.type.with_bits(bits).element_of(), self(e)) if not e.type.boolean else None
        if isinstance(e, Const):
            return Const(UInt(bits), e.value)
        if isinstance(e, Broadcast):
            value = constant(e.value)
            if value is not None:
                return Broadcast(Const(UInt(bits), value), e.lanes)
            return Broadcast(build.cast(UInt(bits), e.value), e.lanes) if e.type.nlanes > 1 else None
        if isinstance(e, Cast):
            if not e.value.type.integral or e.value.type.boolean:
                return None
            return self.low(e.value, bits)
        if isinstance(e, Select):
            a, b = self.low(e.true_value, bits), self.low(e.false_value, bits)
            return None if a is None or b is None else Select(self(e.condition), a, b)
        if isinstance(e, Binary):
            return self._binary(e, bits)
        return self._intrinsic(e, bits) if isinstance(e, Intrinsic) else None

    def _rounded_shift(self, e: Expr) -> Expr | None:
        """(x >> n) + (x >> (n - 1) & 1) as (x + half) >> n, where the sum does not overflow."""
        if not isinstance(e, Add) or not isinstance(e.a, Intrinsic) or not isinstance(e.b, Intrinsic):
            return None
        last = e.b.args[0]
        if e.b.name != "bitwise_and" or constant(e.b.args[1]) != 1 or not isinstance(last, Intrinsic):
            return None
        x = e.a.args[0]
        if e.a.name != "shift_right" or last.name != "shift_right" or last.args[0] is not x:
            return None
        count, less = constant(e.a.args[1]), constant(last.args[1])
        if count is None or less is None or less != count - 1 or not 0 < count < e.type.nbits - 1:
            return None
        half = 1 << int(less)
        if not LaneRange(self.span(x).low, self.span(x).high + half).fits(e.type.element_of()):
            return None
        half_of_all = Broadcast(Const(e.type.element_of(), half), e.type.nlanes)
        return Intrinsic(e.type, "shift_right", (Add(x, half_of_all), e.a.args[1]))

    def _binary(self, e: Binary, bits: int) -> Expr | None:
        if isinstance(e, (Add, Sub)) or (isinstance(e, Mul) and bits > 8):
            return self._apply(type(e), e, UInt(bits), bits)
        if isinstance(e, (Min, Max)):
            type_ = _holding(self.span(e.a).union(self.span(e.b)), bits)
            return None if type_ is None else self._apply(type(e), e, type_, bits)
        if isinstance(e, (Div, Mod)) and bits > 8:
            by = constant(e.b)
            if by is None or by <= 0:
                return None
            type_ = _holding(self.span(e.a).union(LaneRange(int(by), int(by))), bits)
            return None if type_ is None else self._apply(type(e), e, type_, bits)
        return None

    def _apply(self, kind: type[Binary], e: Binary, type_: Type, bits: int) -> Expr | None:
        a, b = self.low(e.a, bits), self.low(e.b, bits)
        return None if a is None or b is None else kind(build.cast(type_, a), build.cast(type_, b))

    def _intrinsic(self, e: Intrinsic, bits: int) -> Expr | None:
        if e.name in _BITWISE:
            return self._call(e.name, e.args, UInt(bits), UInt(bits))
        if e.name in ("shift_right", "shift_left"):
            return self._shifted(e, bits)
        if e.name == "abs":
            return self._magnitude(e.args[0], bits)
        if e.name == "absd":
            type_ = _holding(self.span(e.args[0]).union(self.span(e.args[1])), bits)
            return None if type_ is None else self._call("absd", e.args, type_, UInt(bits))
        return None

    def _call(self, name: str, args: tuple[Expr, ...], type_: Type, result: Type) -> Expr | None:
        """An intrinsic of the low bits of operands."""
        lows = [self.low(arg, type_.nbits) for arg in args]
        operands = [build.cast(type_, low) for low in lows if low is not None]
        if len(operands) < len(args):
            return None
        return Intrinsic(result.with_lanes(args[0].type.nlanes), name, tuple(operands))

    def _shifted(self, e: Intrinsic, bits: int) -> Expr | None:
        count = constant(e.args[1])
        if count is None or not 0 <= count < bits or bits == 8:
            return None
        type_ = UInt(bits) if e.name == "shift_left" else _holding(self.span(e.args[0]), bits)
        low = None if type_ is None else self.low(e.args[0], bits)
        if type_ is None or low is None:
            return None
        by = Broadcast(Const(type_, count), e.type.nlanes)
        return Intrinsic(type_.with_lanes(e.type.nlanes), e.name, (build.cast(type_, low), by))

    def _magnitude(self, value: Expr, bits: int) -> Expr | None:
        if not value.type.integral:
            return None
        if isinstance(value, Sub):
            # The difference may need one bit more than its operands.
            type_ = _holding(self.span(value.a).union(self.span(value.b)), bits)
            if type_ is not None:
                return self._call("absd", (value.a, value.b), type_, UInt(bits))
        if not self.span(value).fits(Int(bits)):
            return None
        return self._call("abs", (value,), Int(bits), UInt(bits))

    def _saturated(self, e: Cast) -> Expr | None:
        """A sum or difference clamped to the range of the cast's type, as a saturating intrinsic; None for others."""
        type_, value = e.type.element_of(), e.value
        clamped = self.span(value)
        clamps = 0
        while True:
            if isinstance(value, (Min, Max)) and constant(value.b) is not None:
                clamps, value = clamps + 1, value.a
            elif isinstance(value, Cast) and self._only_widens(value):
                value = value.value
            else:
                break
        if not clamps or not isinstance(value, (Add, Sub)):
            return None
        # Clamps are monotonic: two that agree at both ends of the range agree everywhere.
        least, most = int(type_.min_value()), int(type_.max_value())
        if clamped != LaneRange(*[min(max(end, least), most) for end in self.span(value)]):
            return None
        a, b = value.a, value.b
        if not (self.span(a).fits(type_) and self.span(b).fits(type_)):
            return None
        name = "saturating_add" if isinstance(value, Add) else "saturating_sub"
        return self._call(name, (a, b), type_, type_)

    def _only_widens(self, e: Cast) -> bool:
        """Whether a conversion changes no value."""
        return e.value.type.integral and self.span(e) == self.span(e.value)


def _is_arithmetic(e: Expr) -> bool:
    return isinstance(e, _ARITHMETIC) or (isinstance(e, Intrinsic) and e.name in _INTRINSICS)


def _worth_cutting(e: Expr) -> bool:
    """Whether truncating the whole value may pay: it does for a clamp to few bits, not for a mere load."""
    return isinstance(e, (Min, Max))


def _work(e: Expr) -> int:
    """The number of operations and conversions in the type of an expression."""
    operations: set[Expr] = set()
    stack = [e]
    while stack:
        node = stack.pop()
        if node in operations or node.type.nbits != e.type.nbits or not node.type.integral:
            continue
        if isinstance(node, Cast):
            operations.add(node)
        elif _is_arithmetic(node):
            operations.add(node)
            stack.extend([child for child in node.children() if isinstance(child, Expr)])
    return len(operations)


def _holding(span: LaneRange, bits: int) -> Type | None:
    """The unsigned, else the signed type of `bits` bits that holds a span; None when neither does."""
    for type_ in (UInt(bits), Int(bits)):
        if span.fits(type_):
            return type_
    return None
