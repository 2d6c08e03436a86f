"""The derivative of each kind of expression, and the sweep that carries adjoints from expressions to what they read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pipec.autodiff.algebra import Adjoint, adjoint_type, converted, divided, minus, number, over, times
from pipec.bounds.conditions import negation
from pipec.errors import NotSupportedError
from pipec.ir import build
from pipec.ir.expr import (
    EQ,
    GE,
    GT,
    LE,
    LT,
    NE,
    Add,
    And,
    Cast,
    Const,
    Div,
    Effect,
    Expr,
    FuncCall,
    ImageCall,
    Intrinsic,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    Or,
    ParameterRef,
    Reinterpret,
    Select,
    Sub,
    Undef,
)
from pipec.ir.intrinsics import Absent
from pipec.ir.strict_floats import STRICT_INTRINSICS, without_strictness
from pipec.ir.types import INT32
from pipec.ir.walk import postorder

Carried = Iterator[tuple[Expr, Adjoint]]
# From a node and its adjoint to the adjoints that its operands get.
Rule = Callable[..., Carried]


def is_leaf(node: object) -> bool:
    """Whether a node reads something that may have an adjoint: a Func, an image, a scalar Param."""
    if isinstance(node, ParameterRef):
        scalar = getattr(node.parameter, "is_buffer", None)
        return scalar is not None and not scalar()
    return isinstance(node, FuncCall | ImageCall)


class Sweep:
    """Carries adjoints from values to the leaves for which `active` holds. `where`: the definition, for messages."""

    def __init__(self, active: Callable[[Expr], bool], where: str) -> None:
        self.active = active
        self.where = where
        # Nodes that carry nothing, since their values change in jumps only, each with words for it.
        self.jumps: list[tuple[str, Expr]] = []

    def __call__(self, roots: Iterable[tuple[Expr, Adjoint]]) -> dict[Expr, Adjoint]:
        """The adjoints of the active leaves below the roots, given those of the roots."""
        roots = list(roots)
        order: list[Expr] = list(postorder(*[root for root, _ in roots]))  # type: ignore[arg-type]
        carries = self._carrying(order)
        adjoints: dict[Expr, Adjoint] = {}
        for root, adjoint in roots:
            self._give(adjoints, root, adjoint, carries)
        leaves: dict[Expr, Adjoint] = {}
        for node in reversed(order):
            adjoint_of = adjoints.pop(node, None)
            if adjoint_of is None or not adjoint_of.parts:
                continue
            if is_leaf(node):
                leaves[node] = adjoint_of
                continue
            for operand, carried in self._rule(node)(self, node, adjoint_of.merged()):
                self._give(adjoints, operand, carried, carries)
        return leaves

    def _carrying(self, order: list[Expr]) -> set[Expr]:
        """The nodes through which an active leaf is reached by values; coordinates carry nothing."""
        carrying: set[Expr] = set()
        for node in order:
            if self.active(node) if is_leaf(node) else any(operand in carrying for operand in _operands(node)):
                carrying.add(node)
        return carrying

    def _give(self, adjoints: dict[Expr, Adjoint], node: Expr, adjoint: Adjoint, carries: set[Expr]) -> None:
        if node not in carries or not adjoint.parts:
            return
        adjoint = adjoint.to(adjoint_type(node.type))
        adjoints.setdefault(node, Adjoint(adjoint.type)).add(adjoint)

    def _rule(self, node: Expr) -> Rule:
        rule = INTRINSICS.get(node.name) if isinstance(node, Intrinsic) else RULES.get(type(node))
        if rule is None:
            what = f"calls {node.name}()" if isinstance(node, Intrinsic) else f"has a {type(node).__name__}"
            raise NotSupportedError(
                f"Error: {self.where} {what}, which has no derivative rule: {node}. Write it as arithmetic, or take the"
                " Func out of the gradient with `wrt`."
            )
        return rule


def _operands(node: Expr) -> tuple[Expr, ...]:
    if isinstance(node, Select):
        return node.true_value, node.false_value
    if isinstance(node, Effect):
        return (node.value,)
    return tuple([child for child in node.children() if isinstance(child, Expr)])


def _real(e: Expr) -> Expr:
    """The value as a factor of adjoints."""
    return converted(e, adjoint_type(e.type)) if not isinstance(e, Const) else number(adjoint_type(e.type), e.value)


# Arithmetic


def _add(sweep: Sweep, e: Add, g: Adjoint) -> Carried:
    yield e.a, g
    yield e.b, g


def _sub(sweep: Sweep, e: Sub, g: Adjoint) -> Carried:
    yield e.a, g
    yield e.b, g.mapped(minus)


def _mul(sweep: Sweep, e: Mul, g: Adjoint) -> Carried:
    yield e.a, g.times(_real(e.b))
    yield e.b, g.times(_real(e.a))


def _div(sweep: Sweep, e: Div, g: Adjoint) -> Carried:
    if not e.type.floating:
        sweep.jumps.append(("an integer division", e))
        return
    g = _guarded(g, e.b)
    if isinstance(e.b, Const):
        yield e.a, g.mapped(lambda value: divided(value, e.b))
        return
    share = g.mapped(lambda value: over(value, e.b))
    yield e.a, share
    yield e.b, share.mapped(lambda value: minus(times(value, over(e.a, e.b))))


def _guarded(g: Adjoint, denominator: Expr) -> Adjoint:
    """The adjoint before it is divided by something: 0 / 0 is zero."""
    if positive(denominator):
        return g
    return g.unless(EQ(denominator, number(denominator.type, 0.0)))


def positive(e: Expr) -> bool:
    """Whether a float is certainly greater than zero, or no number."""
    if isinstance(e, Const):
        return bool(e.value > 0)
    if isinstance(e, Add):
        return positive(e.a) and _not_negative(e.b) or _not_negative(e.a) and positive(e.b)
    if isinstance(e, Max):
        return positive(e.a) or positive(e.b)
    if isinstance(e, Min):
        return positive(e.a) and positive(e.b)
    if isinstance(e, Mul | Div):
        return positive(e.a) and positive(e.b) and any(isinstance(part, Const) for part in (e.a, e.b))
    if isinstance(e, Intrinsic) and e.name == "sqrt":
        return positive(e.args[0])
    return isinstance(e, Intrinsic) and e.name == "cosh"


def _not_negative(e: Expr) -> bool:
    if isinstance(e, Const):
        return bool(e.value >= 0)
    if isinstance(e, Mul):
        return e.a is e.b or _not_negative(e.a) and _not_negative(e.b)
    if isinstance(e, Add | Div | Min):
        return _not_negative(e.a) and _not_negative(e.b)
    if isinstance(e, Max):
        return _not_negative(e.a) or _not_negative(e.b)
    if isinstance(e, Cast):
        return e.value.type.integral and not e.value.type.signed
    return isinstance(e, Intrinsic) and e.name in ("abs", "absd", "exp", "sqrt", "cosh")


def _mod(sweep: Sweep, e: Mod, g: Adjoint) -> Carried:
    yield e.a, g
    if e.type.floating:
        yield e.b, g.mapped(lambda value: minus(times(value, Intrinsic(e.type, "floor", (Div(e.a, e.b),)))))


def _extreme(sweep: Sweep, e: Min | Max, g: Adjoint) -> Carried:
    """Of two equal operands the first one gets the adjoint."""
    first = (LE if isinstance(e, Min) else GE)(e.a, e.b)
    yield e.a, g.under(first)
    yield e.b, g.under(negation(first))


def _select(sweep: Sweep, e: Select, g: Adjoint) -> Carried:
    yield e.true_value, g.under(e.condition)
    yield e.false_value, g.under(negation(e.condition))


def _cast(sweep: Sweep, e: Cast, g: Adjoint) -> Carried:
    source = e.value.type
    exact = e.type.floating and not source.boolean or source.integral and e.type.can_represent(source)
    if exact and not source.boolean:
        yield e.value, g
    else:
        sweep.jumps.append((f"a cast from {source} to {e.type}", e))


def _reinterpret(sweep: Sweep, e: Reinterpret, g: Adjoint) -> Carried:
    """A change of the exponent bits is a multiplication by a power of two, one of the sign bit by -1 or 1."""
    bits = e.value
    float_below = _float_below(bits)
    if float_below is None or e.type is not float_below.type:
        sweep.jumps.append(("reinterpreted bits", e))
        return
    if isinstance(bits, Add | Sub):
        # value * 2^k: the factor is what the bits of 1.0 become.
        one = Reinterpret(bits.type, number(e.type, 1.0))
        yield float_below, g.times(Reinterpret(e.type, type(bits)(one, bits.b)))
        return
    assert isinstance(bits, Intrinsic)
    one = Reinterpret(bits.type, number(e.type, 1.0))
    yield float_below, g.times(Reinterpret(e.type, Intrinsic(bits.type, bits.name, (one, bits.args[1]))))


def _float_below(bits: Expr) -> Expr | None:
    """x where the bits are those of x plus or minus a shifted exponent, or with the sign bit changed."""
    if isinstance(bits, Add | Sub) and _shift_count(bits.b) == 23 and isinstance(bits.a, Reinterpret):
        return bits.a.value
    if isinstance(bits, Intrinsic) and bits.name == "bitwise_xor" and isinstance(bits.args[0], Reinterpret):
        return bits.args[0].value if _shift_count(bits.args[1]) == 31 else None
    return None


def _shift_count(e: Expr) -> int | None:
    if isinstance(e, Intrinsic) and e.name == "shift_left" and isinstance(e.args[1], Const) and e.type is INT32:
        return int(e.args[1].value)
    if isinstance(e, Mul) and isinstance(e.b, Const) and e.type is INT32:
        count = int(e.b.value) & 0xFFFFFFFF
        return count.bit_length() - 1 if count and count & (count - 1) == 0 else None
    return None


def _effect(sweep: Sweep, e: Effect, g: Adjoint) -> Carried:
    yield e.value, g


def _nothing(sweep: Sweep, e: Expr, g: Adjoint) -> Carried:
    yield from ()


def _zero(sweep: Sweep, e: Expr, g: Adjoint) -> Carried:
    """The rule of piecewise constant expressions: their derivative is zero, and undefined at the jumps."""
    sweep.jumps.append((f"{e.name}()" if isinstance(e, Intrinsic) else f"a {type(e).__name__}", e))
    yield from ()


RULES: dict[type[Expr], Rule] = {
    Add: _add,
    Sub: _sub,
    Mul: _mul,
    Div: _div,
    Mod: _mod,
    Min: _extreme,
    Max: _extreme,
    Select: _select,
    Cast: _cast,
    Reinterpret: _reinterpret,
    Effect: _effect,
    Undef: _nothing,
    **dict.fromkeys((EQ, NE, LT, LE, GT, GE, And, Or, Not), _zero),
}


# Intrinsics


def _unary(slope: Callable[[Intrinsic, Expr], Expr]) -> Rule:
    """f(x) whose derivative is slope(f(x), x)."""

    def rule(sweep: Sweep, e: Intrinsic, g: Adjoint) -> Carried:
        yield e.args[0], g.times(slope(e, e.args[0]))

    return rule


def _strict(rule: Rule) -> Rule:
    """The rule of strict arithmetic is that of the plain one."""
    return lambda sweep, e, g: rule(sweep, without_strictness(e), g)


def _quotient(denominator: Callable[[Intrinsic, Expr], Expr], factor: float = 1.0) -> Rule:
    """f(x) whose derivative is factor / denominator(f(x), x)."""

    def rule(sweep: Sweep, e: Intrinsic, g: Adjoint) -> Carried:
        below = denominator(e, e.args[0])
        scaled = _guarded(g.times(number(e.type, factor)), below)
        yield e.args[0], scaled.mapped(lambda value: over(value, below))

    return rule


def _call(name: str, *args: Expr) -> Expr:
    return Intrinsic(args[0].type, name, args)


def _one(e: Expr) -> Const:
    return number(e.type, 1.0)


def _pow(sweep: Sweep, e: Intrinsic, g: Adjoint) -> Carried:
    x, y = e.args
    zero = number(e.type, 0.0)
    if isinstance(y, Const):
        slope = x if y.value == 2 else _call("pow", x, number(y.type, y.value - 1))
        scaled = g.times(number(y.type, y.value))
        if y.value < 1:
            scaled = scaled.unless(EQ(x, zero))
        yield x, scaled.times(slope)
    else:
        # x^0 is 1 for all x.
        yield x, g.unless(EQ(x, zero)).under(NE(y, zero)).times(y).times(_call("pow", x, build.sub(y, _one(y))))
    yield y, g.under(GT(x, zero)).times(times(e, _call("log", x)))


def _atan2(sweep: Sweep, e: Intrinsic, g: Adjoint) -> Carried:
    y, x = e.args
    square = Add(Mul(x, x), Mul(y, y))
    share = _guarded(g, square).mapped(lambda value: divided(value, square))
    yield y, share.times(x)
    yield x, share.times(y).mapped(minus)


def _abs(sweep: Sweep, e: Intrinsic, g: Adjoint) -> Carried:
    x = e.args[0]
    if not (x.type.integral and not x.type.signed):
        negative = LT(x, Const(x.type, 0))
        yield x, g.mapped(lambda value: Select(negative, minus(value), value))
    else:
        yield x, g


def _absd(sweep: Sweep, e: Intrinsic, g: Adjoint) -> Carried:
    a, b = e.args
    less = LT(a, b)
    yield a, g.mapped(lambda value: Select(less, minus(value), value))
    yield b, g.mapped(lambda value: Select(less, value, minus(value)))


def _shift_left(sweep: Sweep, e: Intrinsic, g: Adjoint) -> Carried:
    """x << n is x * (1 << n)."""
    x, count = e.args
    yield x, g.times(_real(Intrinsic(e.type, e.name, (Const(x.type, 1), count))))


def _saturating(node: type[Add | Sub]) -> Rule:
    """A sum or difference where it is no limit of the type, else constant."""

    def rule(sweep: Sweep, e: Intrinsic, g: Adjoint) -> Carried:
        a, b = e.args
        inside = g.under(EQ(e, node(a, b)))
        yield a, inside
        yield b, inside if node is Add else inside.mapped(minus)

    return rule


def _operand(number: int) -> Rule:
    def rule(sweep: Sweep, e: Intrinsic, g: Adjoint) -> Carried:
        yield e.args[number], g

    return rule


def _square(x: Expr) -> Expr:
    return Mul(x, x)


def _cube(x: Expr) -> Expr:
    return Mul(Mul(x, x), x)


_LOWERED = Absent("only lowering makes it, from definitions that have been differentiated")
INTRINSICS: dict[str, Rule] = {
    "sqrt": _quotient(lambda e, x: e, 0.5),
    "sin": _unary(lambda e, x: _call("cos", x)),
    "cos": _unary(lambda e, x: minus(_call("sin", x))),
    "tan": _unary(lambda e, x: Add(_square(e), _one(x))),
    "sinh": _unary(lambda e, x: _call("cosh", x)),
    "cosh": _unary(lambda e, x: _call("sinh", x)),
    "tanh": _unary(lambda e, x: Sub(_one(x), _square(e))),
    "exp": _unary(lambda e, x: e),
    "log": _quotient(lambda e, x: x),
    "asin": _quotient(lambda e, x: _call("sqrt", Sub(_one(x), _square(x)))),
    "acos": _quotient(lambda e, x: _call("sqrt", Sub(_one(x), _square(x))), -1.0),
    "atan": _quotient(lambda e, x: Add(_square(x), _one(x))),
    "asinh": _quotient(lambda e, x: _call("sqrt", Add(_square(x), _one(x)))),
    "acosh": _quotient(lambda e, x: _call("sqrt", Sub(_square(x), _one(x)))),
    "atanh": _quotient(lambda e, x: Sub(_one(x), _square(x))),
    "fast_inverse": _unary(lambda e, x: minus(_square(e))),
    "fast_inverse_sqrt": _unary(lambda e, x: times(_cube(e), number(x.type, -0.5))),
    "pow": _pow,
    "atan2": _atan2,
    "abs": _abs,
    "absd": _absd,
    "shift_left": _shift_left,
    "saturating_add": _saturating(Add),
    "saturating_sub": _saturating(Sub),
    "mod_round_to_zero": _operand(0),
    **{name: _strict(RULES[node]) for node, name in STRICT_INTRINSICS.items()},
    "likely": _operand(0),
    "likely_if_innermost": _operand(0),
    "unsafe_promise_clamped": _operand(0),
    "memoize_tag": _operand(0),
    "tensor_operation": _operand(0),
    "return_second": _operand(1),
    "floor": _zero,
    "ceil": _zero,
    "trunc": _zero,
    "round": _zero,
    "is_nan": _zero,
    "is_inf": _zero,
    "is_finite": _zero,
    "bitwise_and": _zero,
    "bitwise_or": _zero,
    "bitwise_xor": _zero,
    "bitwise_not": _zero,
    "shift_right": _zero,
    "popcount": _zero,
    "count_leading_zeros": _zero,
    "count_trailing_zeros": _zero,
    "div_round_to_zero": _zero,
    "mulhi_shr": _LOWERED,
    "address_of": _LOWERED,
    "extern_query": _LOWERED,
    "random": Absent("definitions leave none"),
    "scatter_gather": Absent("the stores of an update are differentiated one by one"),
}
