"""Symbolic intervals: the smallest and largest value of an expression while some of its variables vary."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from math import inf, isfinite
from typing import NamedTuple

from pipec.bounds.conditions import is_likely, possible
from pipec.bounds.interval_ends import EXACT, apply, extreme, folded, is_plain, pick, pick_bounded, sum_of_ends
from pipec.bounds.linear import Linear, difference, is_atom, linear
from pipec.bounds.ranges import Ranges
from pipec.bounds.simplify import simplify
from pipec.ir import build
from pipec.ir.build import as_expr, constant
from pipec.ir.expr import (
    Add,
    Cast,
    Compare,
    Const,
    Div,
    Effect,
    Expr,
    FuncCall,
    ImageCall,
    Intrinsic,
    Load,
    Max,
    Min,
    Mod,
    Mul,
    ParameterRef,
    ReductionVariable,
    Reinterpret,
    Select,
    Sub,
    Variable,
)
from pipec.ir.intrinsic_ranges import Limits
from pipec.ir.intrinsics import INTRINSICS, as_arithmetic, enclosing, limits_of, value_operand
from pipec.ir.placeholders import is_several
from pipec.ir.types import INT32, INT64, Type
from pipec.ir.walk import Analysis, free_variables


class Interval(NamedTuple):
    """[low, high] as expressions; None: not bounded on that side."""

    low: Expr | None
    high: Expr | None

    @property
    def bounded(self) -> bool:
        """Whether both ends are bounded."""
        return self.low is not None and self.high is not None

    @property
    def is_point(self) -> bool:
        """Whether both ends are the same expression."""
        return self.low is self.high and self.low is not None

    @property
    def ends(self) -> tuple[Expr, Expr]:
        """Both ends of a bounded interval."""
        assert self.low is not None and self.high is not None
        return self.low, self.high

    @property
    def extent(self) -> Expr:
        """The number of integers in a bounded interval, not simplified."""
        low, high = self.ends
        return build.add(build.sub(high, low), 1)

    @staticmethod
    def of_extent(minimum: Expr, extent: Expr) -> Interval:
        """Returns the interval of `extent` integers from `minimum` on."""
        return Interval(minimum, build.sub(build.add(minimum, extent), 1))

    def union(self, other: Interval) -> Interval:
        """The smallest interval that holds both."""
        return Interval(pick(self.low, other.low, Min), pick(self.high, other.high, Max))

    @staticmethod
    def union_of(intervals: Iterable[Interval]) -> Interval:
        """The smallest interval that holds all of them, of which there is at least one."""
        lows, highs = zip(*intervals, strict=True)
        return Interval(extreme(lows, Min), extreme(highs, Max))

    def intersection(self, other: Interval) -> Interval:
        """An interval of the values in both."""
        return Interval(pick_bounded(self.low, other.low, Max), pick_bounded(self.high, other.high, Min))


UNBOUNDED = Interval(None, None)
DISTANCES = ("abs", "absd")


def point(e: Expr) -> Interval:
    """The interval of one value."""
    return Interval(e, e)


def _signed_distance(e: Cast) -> Expr | None:
    """`abs` or `absd` of signed integers cast back to these or to int32, without the unsigned type between.

    Signed arithmetic of 32 bits and more does not overflow.
    """
    value = e.value
    if not isinstance(value, Intrinsic) or value.name not in DISTANCES:
        return None
    kind = value.args[0].type
    signed = kind.integral and kind.signed and kind.nbits >= 32
    return _greater_difference(value) if signed and e.type in (kind, INT32) else None


def _convertible(kind: Type, floats: Interval) -> Interval:
    """The interval of floats without constant ends that an integer type does not hold."""

    def holds(end: Expr) -> bool:
        value = constant(end)
        return value is None or (isfinite(value) and kind.min_value() <= value <= kind.max_value())

    return Interval(*[end if end is not None and holds(end) else None for end in floats])


def _without_wider_cast(e: Cast | Reinterpret) -> Expr | None:
    """The same value without a cast to an integer type at least as wide, which keeps all bits that remain."""
    inner = e.value
    if not isinstance(inner, (Cast, Reinterpret)):
        return None
    source = inner.value.type
    integers = e.type.integral and inner.type.integral and source.integral
    narrowing = integers and inner.type.nbits >= e.type.nbits and not source.boolean
    return build.cast(e.type, inner.value) if narrowing and not e.type.boolean else None


def _greater_difference(distance: Intrinsic) -> Expr:
    """The greater of a - b and b - a for |a - b|, or for |a| with 0 as b."""
    a, b = distance.args if len(distance.args) == 2 else (distance.args[0], as_expr(0, distance.args[0].type))
    return Max(simplify(Sub(a, b)), simplify(Sub(b, a)))


Lookup = Callable[[str], Interval | None]


class IntervalAnalysis(Analysis[Interval]):
    """Intervals of expressions under `lookup`: name -> its interval, or None for a name that stays symbolic.

    `func_range` gives the interval of the values of a Func that is not inlined (FuncCall), None: unknown.
    """

    def __init__(self, lookup: Lookup, func_range: Callable[[FuncCall], Interval | None] | None = None) -> None:
        super().__init__()
        self._lookup = lookup
        self._func_range = func_range
        self._varies: dict[str, bool] = {}
        self._ranges = Ranges()

    def _operands(self, e: Expr) -> Iterable[Expr]:
        is_sum = isinstance(e, (Add, Sub, Mul)) and e.type.signed and e.type.nbits >= 32 and not is_atom(e)
        return _by_digits(linear(e)).terms if is_sum else e.below

    def _fixed(self, e: Expr) -> bool:
        """Whether no variable of `e` varies."""
        for name in free_variables(e):
            varies = self._varies.get(name)
            if varies is None:
                varies = self._varies[name] = self._lookup(name) is not None
            if varies:
                return False
        return True

    def _compute(self, e: Expr) -> Interval:
        if isinstance(e, Const):
            return point(e)
        if isinstance(e, (Variable, ParameterRef, ReductionVariable)):
            return self._lookup(e.name) or point(e)
        if isinstance(e, Effect):
            return self.of(e.value)
        if isinstance(e, (FuncCall, ImageCall, Load)):
            return self._loaded(e)
        if isinstance(e, Intrinsic):
            return self._intrinsic(e)
        wraps = e.type.integral and (e.type.nbits < 32 or not e.type.signed)
        if (wraps or isinstance(e, (Cast, Reinterpret))) and e.type.nlanes == 1:
            uniform = self._of_points(e)
            if uniform is not None:
                return uniform
        if isinstance(e, Compare):
            return Interval(as_expr(0, e.type), as_expr(1, e.type))
        if wraps:
            return self._narrow(e)
        if isinstance(e, (Cast, Reinterpret)):
            return self._cast(e)
        if isinstance(e, Select):
            return self._select(e)
        if e.type.signed and isinstance(e, (Add, Sub, Mul)):
            return self._linear(e)
        return self._arithmetic(e)

    def _of_points(self, e: Expr) -> Interval | None:
        """The value of an operation whose operands do not vary, exact also where it wraps; None where one varies."""
        operands = [self.of(operand) for operand in e.below]
        if not all([operand.is_point for operand in operands]):
            return None
        return point(simplify(e.with_children(iter([operand.low for operand in operands]))))

    def _loaded(self, e: FuncCall | ImageCall | Load) -> Interval:
        if isinstance(e, FuncCall) and self._func_range is not None:
            return self._func_range(e) or of_type(e.type)
        limits = of_type(e.type)
        if isinstance(e, ImageCall) and not limits.bounded and all([constant(arg) is not None for arg in e.args]):
            # One element, which is read once for the bounds.
            return point(e)
        return limits

    def _linear(self, e: Expr) -> Interval:
        form = linear(e)
        if len(form.terms) == 1 and e in form.terms:
            return self._arithmetic(e)
        form = _by_digits(form)
        terms = [(self.of(atom), coefficient) for atom, coefficient in form.terms.items()]
        lows = [(inner.low if coefficient > 0 else inner.high, coefficient) for inner, coefficient in terms]
        highs = [(inner.high if coefficient > 0 else inner.low, coefficient) for inner, coefficient in terms]
        return Interval(sum_of_ends(lows, form.constant, e.type), sum_of_ends(highs, form.constant, e.type))

    def _arithmetic(self, e: Expr) -> Interval:
        if isinstance(e, (Min, Max)):
            a, b = self.of(e.a), self.of(e.b)
            kind = type(e)
            if kind is Min:
                return Interval(pick(a.low, b.low, Min), pick_bounded(a.high, b.high, Min))
            return Interval(pick_bounded(a.low, b.low, Max), pick(a.high, b.high, Max))
        if isinstance(e, (Add, Sub)):
            a, b = self.of(e.a), self.of(e.b)
            if isinstance(e, Sub):
                return Interval(apply(Sub, a.low, b.high), apply(Sub, a.high, b.low))
            return Interval(apply(Add, a.low, b.low), apply(Add, a.high, b.high))
        if isinstance(e, (Mul, Div)):
            return self._scaled(e)
        if isinstance(e, Mod):
            return self._modulo(e)
        return of_type(e.type)

    def _scaled(self, e: Mul | Div) -> Interval:
        a, b = self.of(e.a), self.of(e.b)
        if isinstance(e, Mul) and a.is_point and not b.is_point:
            a, b = b, a
        if not b.is_point:
            return self._product(e, a, b)
        factor = b.low
        assert factor is not None
        sign = self._sign(factor)
        kind = type(e)
        if sign is not None:
            if sign == 0:
                return point(as_expr(0, e.type)) if e.type.integral else UNBOUNDED
            first, last = (a.low, a.high) if sign > 0 else (a.high, a.low)
            return Interval(apply(kind, first, factor), apply(kind, last, factor))
        if a.is_point:
            return point(simplify(kind(a.low, factor)))
        # The sign of the factor is known only at run time: both ends are candidates for both bounds.
        one, other = apply(kind, a.low, factor), apply(kind, a.high, factor)
        if kind is Div and e.type.integral:
            zero = as_expr(0, e.type)
            return Interval(pick(pick(one, other, Min), zero, Min), pick(pick(one, other, Max), zero, Max))
        return Interval(pick(one, other, Min), pick(one, other, Max))

    def _sign(self, e: Expr) -> int | float | None:
        """Returns a number of the sign of `e`, 0 for zero only; None where the sign is not known."""
        value = constant(e)
        if value is not None or not e.type.integral or e.type.nlanes > 1:
            return value
        low, high = self._ranges.of(e)
        return 1 if low is not None and low >= 0 else -1 if high is not None and high <= 0 else None

    def _product(self, e: Mul | Div, a: Interval, b: Interval) -> Interval:
        if isinstance(e, Div) or not (a.bounded and b.bounded):
            if isinstance(e, Div) and e.type.integral and a.bounded:
                # |a / b| is at most |a| for integers, whatever b is.
                largest = pick(a.high, apply(Sub, as_expr(0, e.type), a.low), Max)
                return Interval(apply(Sub, as_expr(0, e.type), largest), largest)
            return UNBOUNDED
        corners = [apply(Mul, x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
        low = high = corners[0]
        for corner in corners[1:]:
            low, high = pick(low, corner, Min), pick(high, corner, Max)
        return Interval(low, high)

    def _modulo(self, e: Mod) -> Interval:
        a, b = self.of(e.a), self.of(e.b)
        if a.is_point and b.is_point:
            assert a.low is not None and b.low is not None
            return point(simplify(Mod(a.low, b.low)))
        if e.type.floating:
            return UNBOUNDED
        divisor = None if b.low is None or not b.is_point else constant(b.low)
        if divisor is not None and a.bounded:
            by = as_expr(int(abs(divisor)), e.type)
            if divisor == 0:
                return point(as_expr(0, e.type))
            # Within one period the remainder is increasing.
            first, last = simplify(Div(a.low, by)), simplify(Div(a.high, by))
            if difference(first, last) == 0:
                return Interval(simplify(Mod(a.low, by)), simplify(Mod(a.high, by)))
            return Interval(as_expr(0, e.type), as_expr(int(abs(divisor)) - 1, e.type))
        zero = as_expr(0, e.type)
        if b.high is None or b.low is None:
            return Interval(zero, None)
        largest = pick(b.high, apply(Sub, zero, b.low), Max)
        return Interval(zero, pick(zero, apply(Sub, largest, as_expr(1, e.type)), Max))

    def _select(self, e: Select) -> Interval:
        a, b = self.of(e.true_value), self.of(e.false_value)
        if self._fixed(e.condition) and is_plain(e.condition):
            low = None if a.low is None or b.low is None else build.select(e.condition, a.low, b.low)
            high = None if a.high is None or b.high is None else build.select(e.condition, a.high, b.high)
            return Interval(low, high)
        if is_likely(e.true_value) or is_likely(e.false_value):
            return self._likely_select(e, a, b)
        return a.union(b)

    def _likely_select(self, e: Select, a: Interval, b: Interval) -> Interval:
        """The likely side alone where the ends of the intervals rule out the other one, as inside of an image."""
        inside, both = (a if is_likely(e.true_value) else b), a.union(b)
        rare = possible(e.condition, is_likely(e.false_value), self.of)
        if rare is None or not (inside.bounded and both.bounded):
            return both
        assert inside.low is not None and inside.high is not None and both.low is not None and both.high is not None
        return Interval(build.select(rare, both.low, inside.low), build.select(rare, both.high, inside.high))

    def _cast(self, e: Cast | Reinterpret) -> Interval:
        direct = _without_wider_cast(e)
        if direct is not None:
            return self.of(direct)
        inner = self.of(e.value)
        source = e.value.type
        if isinstance(e, Reinterpret) or not source.integral and not source.floating:
            return of_type(e.type)
        distance = _signed_distance(e)
        if distance is not None:
            inner, source = self._magnitude(distance), distance.type
        if isinstance(e, Cast) and self.lower_end_alone(e) is not None:
            return UNBOUNDED
        narrow = source.integral or e.type.nbits < 32 or not e.type.signed
        if narrow and not e.type.floating and not e.type.can_represent(source):
            if not self._fits(e.type, source, inner):
                return of_type(e.type)
        elif source.floating and e.type.integral:
            inner = _convertible(e.type, inner)
        return self._cast_ends(e.type, inner)

    def lower_end_alone(self, e: Cast) -> Expr | None:
        """The lower end of what a conversion to a signed integer would have as one without limits; None where its upper
        end is known, too, or neither is. What is too large for the type may become its least number."""
        if not e.type.integral or not e.type.signed or e.type.nbits < 32:
            return None
        distance = _signed_distance(e)
        if distance is not None:
            low, high = self._magnitude(distance)
        elif e.value.type.floating:
            low, high = _convertible(e.type, self.of(e.value))
        else:
            return None
        return None if low is None or high is not None else build.cast(e.type, low)

    @staticmethod
    def _cast_ends(type_: Type, interval: Interval) -> Interval:
        """The interval of values cast to a type that holds all of them."""
        low, high = [None if end is None else folded(simplify(build.cast(type_, end))) for end in interval]
        return Interval(low, high)

    def _fits(self, target: Type, source: Type, inner: Interval) -> bool:
        """Whether an integer fits the type that it is cast to.

        Constants must prove that, but for symbolic ends of 64 bits: they come of coordinates, and 32-bit arithmetic of
        these is taken not to overflow, either.
        """
        low, high = self._limits(inner)
        if source.integral:
            low, high = max(low, source.min_value()), min(high, source.max_value())
        if target is INT32 and source.nbits >= 32 and inner.bounded:
            low, high = (
                0 if constant(end) is None else limit for end, limit in zip(inner.ends, (low, high), strict=True)
            )
        return bool(target.min_value() <= low and high <= target.max_value())

    def _magnitude(self, distance: Expr) -> Interval:
        """The interval of `abs` or `absd`, from that of the greater of two differences."""
        ends = self.of(distance)
        return Interval(pick_bounded(ends.low, as_expr(0, distance.type), Max), ends.high)

    def _narrow(self, e: Expr) -> Interval:
        """8- and 16-bit and unsigned arithmetic wraps: only constant ends that fit the type are used."""
        if isinstance(e, Cast):
            return self._cast(e)
        if isinstance(e, Select):
            exact = self.of(e.true_value).union(self.of(e.false_value))
        elif isinstance(e, (Min, Max)):
            exact = self._arithmetic(e)
        elif isinstance(e, (Add, Sub, Mul, Div, Mod)):
            exact = self._without_overflow(e)
        else:
            return of_type(e.type)
        return exact if exact.bounded else of_type(e.type)

    def _without_overflow(self, e: Add | Sub | Mul | Div | Mod) -> Interval:
        """The interval of arithmetic where constants prove that it does not wrap; unbounded elsewhere."""
        a, b = self.of(e.a), self.of(e.b)
        limits = self._limits(a)
        if isinstance(e, Mod):
            # A constant divisor is enough.
            limits = max(limits[0], e.type.min_value()), min(limits[1], e.type.max_value())
        exact = _constant_corners(e, limits, self._limits(b))
        if exact.bounded and e.type.nbits == 64 and isinstance(e, (Add, Sub, Mul)) and a.bounded and b.bounded:
            # Coordinates: constants alone would be the limits of int32.
            return self._arithmetic(e)
        return exact

    def _intrinsic(self, e: Intrinsic) -> Interval:
        if e.name == "extern_query":
            return UNBOUNDED
        inner = value_operand(e)
        if inner is not None or is_several(e):
            return self._marked(e, inner)
        if self._fixed(e) and is_plain(e):
            return point(e)
        if INTRINSICS[e.name].increasing:
            ends = [None if x is None else folded(Intrinsic(e.type, e.name, (x,))) for x in self.of(e.args[0])]
            return Interval(ends[0], ends[1])
        if e.type.floating and e.name in DISTANCES:
            return self._magnitude(_greater_difference(e))
        if e.name in DISTANCES and e.args[0].type is INT64:
            magnitude = self._magnitude(_greater_difference(e))
            # The constant limits of the upper end say then that it fits.
            high = None if magnitude.high is None else pick(magnitude.high, as_expr(0, INT64), Max)
            return self._cast_ends(e.type, Interval(magnitude.low, high))
        arithmetic, functions = as_arithmetic(e), enclosing(e)
        if arithmetic is not None:
            interval = self.of(arithmetic)
            if interval.bounded:
                return interval
        limited = self._limited(e)
        if functions is None or limited.bounded:
            return limited
        return limited.intersection(Interval(self.of(functions[0]).low, self.of(functions[1]).high))

    def _marked(self, e: Intrinsic, inner: Expr | None) -> Interval:
        """The interval of an intrinsic that annotates a value (`inner`), or that stands for several values (None)."""
        if inner is None:
            return reduce(Interval.union, [self.of(arg) for arg in e.args])
        if e.name == "unsafe_promise_clamped":
            value, minimum, maximum = [self.of(arg) for arg in e.args]
            return Interval(pick_bounded(value.low, minimum.low, Max), pick_bounded(value.high, maximum.high, Min))
        return self.of(inner)

    def _limited(self, e: Intrinsic) -> Interval:
        """The limits that constant ends of the operands' intervals put on an intrinsic's value."""
        operands = [self.of(arg) for arg in e.args]
        if e.type.floating and not all([operand.bounded for operand in operands]):
            # The values of infinities and NaN may be NaN.
            return UNBOUNDED
        limits = limits_of(e, [self._limits(operand) for operand in operands])
        whole = of_type(e.type)
        if limits is None:
            return whole
        low, high = [as_expr(int(x) if e.type.integral else x, e.type) if isfinite(x) else None for x in limits]
        return Interval(whole.low if low is None else low, whole.high if high is None else high)

    def _limits(self, interval: Interval) -> Limits:
        """The constants between which all values of an interval lie, also where its ends are minima and maxima."""
        low, high = [None if end is None else constant(end) for end in interval]
        if low is None and interval.low is not None and interval.low.type.integral:
            low = self._ranges.of(interval.low).low
        if high is None and interval.high is not None and interval.high.type.integral:
            high = self._ranges.of(interval.high).high
        return -inf if low is None else low, inf if high is None else high


def _by_digits(form: Linear) -> Linear:
    """`form` with x = k (x // k) + x % k where multiples of x and of one of these parts nearly cancel.

    They vary together.
    """
    for part, coefficient in form.terms.items():
        by = constant(part.b) if isinstance(part, Div | Mod) else None
        if by is None or by <= 0:
            continue
        assert isinstance(part, Div | Mod)
        dividend = linear(part.a)
        shares = {divmod(form.terms.get(atom, 0), times) for atom, times in dividend.terms.items()}
        multiple, rest = shares.pop() if len(shares) == 1 else (0, 0)
        cancelled = abs(coefficient) / (by if isinstance(part, Div) else 1)
        if rest or multiple * coefficient >= 0 or 2 * cancelled < abs(multiple):
            continue
        terms = {other: times for other, times in form.terms.items() if other not in dividend.terms}
        for digit, times in ((Div(part.a, part.b), int(by)), (Mod(part.a, part.b), 1)):
            terms[digit] = terms.get(digit, 0) + multiple * times
        number = form.constant - multiple * dividend.constant
        return Linear(number, {term: times for term, times in terms.items() if times})
    return form


def of_type(type_: Type) -> Interval:
    """All values of a type: bounded for integers below 32 bits only, as indices made of them are meant to be."""
    if type_.integral and type_.nbits < 32:
        return Interval(Const(type_, type_.min_value()), Const(type_, type_.max_value()))
    if type_.integral and not type_.signed:
        return Interval(Const(type_, 0), None)
    return UNBOUNDED


def _constant_corners(e: Add | Sub | Mul | Div | Mod, a: Limits, b: Limits) -> Interval:
    if not all(map(isfinite, (*a, *b))):
        return UNBOUNDED
    xs, ys = [int(x) for x in a], [int(y) for y in b]
    if isinstance(e, Mod):
        if ys[0] != ys[1] or ys[0] <= 0:
            return UNBOUNDED
        return Interval(as_expr(0, e.type), as_expr(min(ys[0] - 1, max(xs)) if min(xs) >= 0 else ys[0] - 1, e.type))
    if isinstance(e, Div) and (ys[0] != ys[1] or ys[0] <= 0):
        return UNBOUNDED
    operation = build.euclidean_div if isinstance(e, Div) else EXACT[type(e)]
    corners = [operation(x, y) for x in xs for y in ys]
    if min(corners) < e.type.min_value() or max(corners) > e.type.max_value():
        return UNBOUNDED
    return Interval(as_expr(min(corners), e.type), as_expr(max(corners), e.type))
