"""Coordinates as affine forms of loops with numbers: what accesses, regions and moduli are read off."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pipec.bounds.conditions import is_likely
from pipec.ir import expr as e
from pipec.ir.intrinsics import as_arithmetic, limits_of, value_operand
from pipec.ir.walk import postorder

INFINITY = math.inf
_ROUNDED = e.Div | e.Mod | e.Cast | e.Intrinsic
# The rounding down of a float, as if it had this denominator.
FINE = 1 << 20
Limits = tuple[float, float]
EVERYTHING: Limits = (-INFINITY, INFINITY)


@dataclass(frozen=True, slots=True)
class Form:
    """A value v with low <= v - sum of coefficient * loop <= high, and least <= v <= most.

    `parts` > 1: v is a sum of that kind rounded down, whose numbers are multiples of 1 / parts. `exact`: low and high
    are equal and nothing but the rounding comes between. `boundary`: clamps to constants were seen through.
    `scattered`: what lies between low and high is another value for each point, as data or products of loops decide.
    `wrapped`: beyond the edge it goes on at the opposite one; `mirrored`: it turns back there.
    """

    terms: Mapping[str, float] = field(default_factory=dict)
    low: float = 0
    high: float = 0
    least: float = 0
    most: float = 0
    parts: int = 1
    exact: bool = True
    boundary: bool = False
    scattered: bool = False
    wrapped: bool = False
    mirrored: bool = False

    @property
    def point(self) -> float | None:
        """The number that it is, when it is one."""
        return self.least if self.least == self.most else None

    @property
    def is_affine(self) -> bool:
        """Whether its dependence on the loops is known."""
        return bool(self.terms) or self.exact


def number(value: float) -> Form:
    """Returns the form of a constant."""
    return Form({}, value, value, value, value)


def within(limits: Limits, boundary: bool = False) -> Form:
    """Returns the form of a value between limits, not affine."""
    low, high = limits
    if low == high:
        return number(low)
    return Form({}, low, high, low, high, 1, False, boundary)


def settled(form: Form) -> Form:
    """Returns the form with its pending rounding folded into the interval."""
    if form.parts == 1:
        return form
    slack = (form.parts - 1) / form.parts
    return replace(form, low=form.low - slack, parts=1, exact=False)


def scaled(form: Form, factor: float) -> Form:
    """Returns `factor` times a form."""
    if factor == 1:
        return form
    if factor == 0:
        return number(0)
    form = settled(form)
    ends = (form.low * factor, form.high * factor, form.least * factor, form.most * factor)
    low, high, least, most = ends if factor > 0 else (ends[1], ends[0], ends[3], ends[2])
    terms = {name: c * factor for name, c in form.terms.items()}
    return Form(
        terms, low, high, least, most, 1, form.exact, form.boundary, wrapped=form.wrapped, mirrored=form.mirrored
    )


def added(a: Form, b: Form) -> Form:
    """Returns the sum of two forms."""
    if a.parts > 1 and b.parts > 1:
        b = settled(b)
    terms = dict(a.terms)
    for name, c in b.terms.items():
        total = terms.get(name, 0) + c
        if total:
            terms[name] = total
        else:
            del terms[name]
    low, high = a.low + b.low, a.high + b.high
    least, most = a.least + b.least, a.most + b.most
    exact = a.exact and b.exact
    if exact and not terms and max(a.parts, b.parts) == 1:
        least, most = low, high
    boundary, wrapped, mirrored = a.boundary or b.boundary, a.wrapped or b.wrapped, a.mirrored or b.mirrored
    return Form(
        terms, low, high, least, most, max(a.parts, b.parts), exact, boundary, wrapped=wrapped, mirrored=mirrored
    )


def quotient(form: Form, divisor: int) -> Form:
    """Divided by a whole number; the remainder is never negative."""
    if divisor == 0:
        return number(0)
    if divisor < 0:
        return scaled(quotient(form, -divisor), -1)
    terms = {name: c / divisor for name, c in form.terms.items()}
    least, most = _down(form.least / divisor), _down(form.most / divisor)
    if least == most:
        return number(least)
    low, high = form.low / divisor, form.high / divisor
    if not terms:
        return within((least, most), form.boundary)
    return Form(terms, low, high, least, most, form.parts * divisor, form.exact, form.boundary)


def rounded_down(form: Form) -> Form:
    """The floor of a float."""
    if form.point is not None:
        return number(_down(form.least))
    return replace(form, least=_down(form.least), most=_down(form.most), parts=FINE)


def towards_zero(form: Form) -> Form:
    """Down for what is not negative, else up."""
    if form.least >= 0:
        return rounded_down(form)
    if form.most <= 0:
        return scaled(rounded_down(scaled(form, -1)), -1)
    down = rounded_down(form)
    return replace(down, high=down.high + 1, most=max(0, down.most), least=min(0, down.least + 1), exact=False)


def remainder(form: Form, divisor: int) -> Form:
    """Returns the form of `form % divisor`, with Halide's sign rule."""
    if divisor == 0:
        return number(0)
    divisor = abs(divisor)
    if math.isfinite(form.least) and math.isfinite(form.most):
        period = math.floor(form.least / divisor)
        if period == math.floor(form.most / divisor):
            return added(form, number(-divisor * period))
    return within((0, divisor - 1), form.boundary)


def extreme(a: Form, b: Form, largest: bool) -> Form:
    """The larger or the smaller of two. A limit that is a number is seen through: what lies beyond is not read."""
    if largest:
        mirrored = extreme(scaled(a, -1), scaled(b, -1), False)
        if mirrored.parts == 1 and (a.parts > 1 or b.parts > 1):
            return _of_either(a, b, -mirrored.most, -mirrored.least)
        return scaled(mirrored, -1)
    if a.most <= b.least:
        return a
    if b.most <= a.least:
        return b
    return _of_either(a, b, min(a.least, b.least), min(a.most, b.most))


def _of_either(a: Form, b: Form, least: float, most: float) -> Form:
    """One of two, which lies between limits."""
    if a.terms == b.terms and a.parts == b.parts and a.terms:
        low, high = min(a.low, b.low), max(a.high, b.high)
        exact = a.exact and b.exact and low == high
        return Form(a.terms, low, high, least, most, a.parts, exact, a.boundary or b.boundary)
    for one, other in ((a, b), (b, a)):
        if one.terms and not other.terms:
            return replace(one, least=max(one.least, least), most=min(one.most, most), boundary=True)
    return within((least, most), a.boundary or b.boundary)


def either(a: Form, b: Form) -> Form:
    """One of two values."""
    if a == b:
        return a
    form = _of_either(a, b, min(a.least, b.least), max(a.most, b.most))
    if form.terms and not (a.terms and b.terms):
        # The other value is also read, outside of the form's interval.
        return replace(form, least=min(a.least, b.least), most=max(a.most, b.most))
    return form


def _down(value: float) -> float:
    return math.floor(value + 1e-9) if math.isfinite(value) else value


def _times(a: float, b: float) -> float:
    return 0.0 if a == 0 or b == 0 else a * b


def product(a: Form, b: Form) -> Form:
    """Returns the product of two forms; affine only when one of them is a constant."""
    for one, other in ((a, b), (b, a)):
        if one.point is not None and math.isfinite(one.point):
            return scaled(other, one.point)
    corners = [_times(x, y) for x in (a.least, a.most) for y in (b.least, b.most)]
    return within((min(corners), max(corners)))


class Forms:
    """The forms of the expressions of one stage. Memoised.

    `loops`: the first and last value of each loop. `numbers`: Params and properties of buffers by name. `call_limits`:
    the limits of the values of a Func or image that is read. `varying`: the loops with other values for other sizes.
    `updated`: the Func that the stage updates, and its RVars, each of whose iterations may read other values of it.
    """

    def __init__(
        self,
        loops: Mapping[str, Limits],
        numbers: Mapping[str, float],
        call_limits: Callable[[Any, list[Form]], Limits] | None = None,
        varying: frozenset[str] = frozenset(),
        updated: tuple[str, frozenset[str]] = ("", frozenset()),
    ) -> None:
        self.updated = updated
        self._loops, self._numbers, self._varying = loops, numbers, varying
        self._call_limits = call_limits or (lambda call, args: limits_of_type(call))
        self._memo: dict[Any, Form] = {}
        self._visited: set[Any] = set()
        self._estimated: set[Any] = set()

    def is_estimated(self, root: e.Expr) -> bool:
        """Whether the form of an expression holds for the estimated sizes only: `x % 8` is `x` where x is small."""
        self.of(root)
        return root in self._estimated

    def of(self, root: e.Expr) -> Form:
        """Returns the form of an expression, cached by node."""
        cached = self._memo.get(root)
        if cached is None:
            for node in postorder(root, visited=self._visited):
                if isinstance(node, e.Expr):
                    form = self._limited(node, self._form(node))
                    scattered = self._scatters(node, form)
                    self._memo[node] = form if scattered == form.scattered else replace(form, scattered=scattered)
                    if self._varying and self._is_of_estimates(node, form):
                        self._estimated.add(node)
            cached = self._memo[root]
        return cached

    def _limited(self, node: e.Expr, form: Form) -> Form:
        """Narrow integers wrap: what does not fit is anything."""
        low, high = limits_of_type(node)
        if form.least < low or form.most > high:
            return within((low, high)) if node.type.integral and node.type.nbits < 32 else form
        return form

    def _is_of_estimates(self, node: e.Expr, form: Form) -> bool:
        """Whether loops of other lengths would give a node, or what it consists of, another form."""
        if isinstance(node, e.FuncCall | e.ImageCall):
            return False
        parts = [child for child in node.children() if isinstance(child, e.Expr)]
        varies = any(not self._varying.isdisjoint(self._memo[part].terms) for part in parts)
        # `x % 8` has the terms of `x` where x is small, and `x / 8` is a number.
        is_unwrapped = isinstance(node, e.Mod) and bool(form.terms)
        is_number = isinstance(node, _ROUNDED) and form.point is not None
        # A clamp whose limits no iteration reaches.
        is_unclamped = isinstance(node, e.Min | e.Max) and bool(form.terms) and not form.boundary
        return (varies and (is_unwrapped or is_number or is_unclamped)) or any(
            part in self._estimated for part in parts
        )

    def _scatters(self, node: Any, form: Form) -> bool:
        """Whether something that the loops decide is in the node, but not in the terms of its form."""
        if form.exact or form.point is not None:
            return False
        parts = [node.true_value, node.false_value] if isinstance(node, e.Select) else node.children()
        forms = [self._memo[part] for part in parts if isinstance(part, e.Expr)]
        if isinstance(node, e.Min | e.Max | e.Select) and form.boundary:
            forms = [part for part in forms if part.terms == form.terms]
        elif isinstance(node, e.Select):
            forms.append(self._memo[node.condition])
        return any(part.scattered or not part.terms.keys() <= form.terms.keys() for part in forms)

    def _form(self, node: Any) -> Form:
        rule = _RULES.get(type(node))
        return rule(self, node) if rule is not None else within(limits_of_type(node))

    def _named(self, node: Any) -> Form:
        limits = self._loops.get(node.name)
        if limits is not None:
            return Form({node.name: 1}, 0, 0, *limits) if limits[0] != limits[1] else _pinned(node.name, limits[0])
        value = self._numbers.get(node.name)
        return within(limits_of_type(node)) if value is None else number(value)

    def _constant(self, node: e.Const) -> Form:
        return number(node.value) if math.isfinite(node.value) else within(EVERYTHING)

    def _sum(self, node: e.Add | e.Sub) -> Form:
        second = self._memo[node.b]
        return added(self._memo[node.a], scaled(second, -1) if isinstance(node, e.Sub) else second)

    def _product(self, node: e.Mul) -> Form:
        return product(self._memo[node.a], self._memo[node.b])

    def _quotient(self, node: e.Div) -> Form:
        a, b = self._memo[node.a], self._memo[node.b]
        if node.type.floating:
            return scaled(a, 1 / b.point) if b.point else within(EVERYTHING)
        if b.point is not None:
            return quotient(a, int(b.point))
        if b.least > 0:
            corners = [_down(x / y) for x in (a.least, a.most) for y in (b.least, b.most) if math.isfinite(y)]
            return within((min(corners, default=-INFINITY), max(corners, default=INFINITY)))
        reach = max(abs(a.least), abs(a.most))
        return within((-reach, reach))

    def _remainder(self, node: e.Mod) -> Form:
        divisor = self._memo[node.b]
        if node.type.floating:
            return within(EVERYTHING)
        if divisor.point is not None:
            return remainder(self._memo[node.a], int(divisor.point))
        return within((0, max(abs(divisor.least), abs(divisor.most)) - 1))

    def _extreme(self, node: e.Min | e.Max) -> Form:
        return extreme(self._memo[node.a], self._memo[node.b], isinstance(node, e.Max))

    def _select(self, node: e.Select) -> Form:
        a, b = node.true_value, node.false_value
        for one, other in ((a, b), (b, a)):
            if is_likely(one) and self._memo[one].terms:
                likely, rare = self._memo[one], self._memo[other]
                least, most = min(likely.least, rare.least), max(likely.most, rare.most)
                wraps = self._is_remainder(other)
                return replace(likely, least=least, most=most, boundary=True, wrapped=wraps, mirrored=not wraps)
        return either(self._memo[a], self._memo[b])

    def _is_remainder(self, node: e.Expr) -> bool:
        """Whether a coordinate is a remainder, moved and clamped by numbers."""
        while isinstance(node, e.Add | e.Sub | e.Min | e.Max):
            parts = [part for part in (node.a, node.b) if self._memo[part].point is None]
            if len(parts) != 1:
                return False
            (node,) = parts
        return isinstance(node, e.Mod)

    def _cast(self, node: e.Cast) -> Form:
        form, source = self._memo[node.value], node.value.type
        if node.type.floating:
            return settled(form)
        if source.floating:
            form = towards_zero(form)
            if not form.terms and form.point is None:
                form = within((form.least, form.most), form.boundary)
        low, high = limits_of_type(node)
        fits = low <= form.least and form.most <= high
        # Of 32 bits and more, what is not known is taken to fit.
        return form if fits or (form.terms and node.type.nbits >= 32) else within((low, high))

    def _call(self, node: e.FuncCall | e.ImageCall) -> Form:
        return within(self._call_limits(node, [self._memo[arg] for arg in node.args]))

    def _intrinsic(self, node: e.Intrinsic) -> Form:
        args = [self._memo[arg] for arg in node.args]
        rule = _INTRINSICS.get(node.name)
        if rule is not None:
            return rule(args)
        same = value_operand(node) or as_arithmetic(node, lambda operand: self._memo[operand].point)
        limits = limits_of(node, [(form.least, form.most) for form in args]) or limits_of_type(node)
        if same is None:
            return within(limits)
        form = self.of(same)
        return replace(form, least=max(form.least, limits[0]), most=min(form.most, limits[1]))


def _pinned(name: str, value: float) -> Form:
    """Returns the form of a loop of one trip, which has a coefficient all the same."""
    return Form({name: 1}, 0, 0, value, value)


def _absolute(args: list[Form]) -> Form:
    (form,) = args
    if form.least >= 0:
        return form
    if form.most <= 0:
        return scaled(form, -1)
    return within((0, max(-form.least, form.most)))


def _several(args: list[Form]) -> Form:
    result = args[0]
    for form in args[1:]:
        result = either(result, form)
    return result


def limits_of_type(node: e.Expr) -> Limits:
    """Returns the limits of an expression's type; types of 32 bits and more count as unlimited."""
    kind = node.type
    if not kind.integral:
        return EVERYTHING
    if kind.nbits < 32:
        return int(kind.min_value()), int(kind.max_value())
    return EVERYTHING if kind.signed else (0, INFINITY)


# Intrinsics that depend on the loops in more ways than `value_operand` and `limits_of` describe.
_INTRINSICS: dict[str, Callable[[list[Form]], Form]] = {
    "abs": _absolute,
    "absd": lambda args: _absolute([added(args[0], scaled(args[1], -1))]),
    "floor": lambda args: rounded_down(args[0]),
    "round": lambda args: rounded_down(added(args[0], number(0.5))),
    "ceil": lambda args: scaled(rounded_down(scaled(args[0], -1)), -1),
    "trunc": lambda args: towards_zero(args[0]),
    "scatter_gather": _several,
}
_RULES: dict[type, Callable[[Forms, Any], Form]] = {
    e.Const: Forms._constant,
    e.Variable: Forms._named,
    e.ReductionVariable: Forms._named,
    e.ParameterRef: Forms._named,
    e.Add: Forms._sum,
    e.Sub: Forms._sum,
    e.Mul: Forms._product,
    e.Div: Forms._quotient,
    e.Mod: Forms._remainder,
    e.Min: Forms._extreme,
    e.Max: Forms._extreme,
    e.Select: Forms._select,
    e.Cast: Forms._cast,
    e.FuncCall: Forms._call,
    e.ImageCall: Forms._call,
    e.Intrinsic: Forms._intrinsic,
    e.Effect: lambda forms, node: forms._memo[node.value],
}
