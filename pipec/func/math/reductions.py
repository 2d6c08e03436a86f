"""Inline reductions: sum, product, maximum, minimum, argmax, argmin of an expression over a reduction domain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pipec.errors import DefinitionError
from pipec.func.functions.define import define_pure, define_update
from pipec.func.functions.definition import user_location
from pipec.func.functions.function import Function
from pipec.func.functions.names import unique_name
from pipec.func.functions.rdom import RDom, ReductionDomain
from pipec.func.math.casts import operand
from pipec.func.math.expr import Expr, documented, wrap
from pipec.func.math.operators import combine
from pipec.ir.expr import GT, LT, Add, Const, FuncCall, Max, Min, Mul, ReductionVariable, Select, Variable
from pipec.ir.expr import Expr as Node
from pipec.ir.types import INT32, Type
from pipec.ir.walk import postorder, rewrite

# (old values, new value) -> updated values
Step = Callable[[list[Node], Node], list[Node]]


class _Reduction:
    """An anonymous Func whose update runs over a domain; its arguments are the free variables of the expression."""

    def __init__(self, name: str, value: Node, domain: ReductionDomain | None) -> None:
        self.location = user_location()
        self.function = Function(name, self.location)
        self.domain = domain if domain is not None else self._only_domain(value)
        self.free = self._free_variables(value)
        # Variables of other domains are plain arguments here, under names of their own.
        self.names = {
            node: node.name if isinstance(node, Variable) else unique_name(f"{node.name}$free") for node in self.free
        }
        substitutes = {node: Variable(INT32, name) for node, name in self.names.items()}
        self.args: list[Node] = [substitutes[node] for node in self.free]
        self.value = rewrite(value, lambda node: node, dict(substitutes))
        # Whether the expression mentions the domain.
        self.varies = any(getattr(node, "domain", None) is self.domain for node in postorder(value))

    def _only_domain(self, value: Node) -> ReductionDomain:
        domains: dict[ReductionDomain, str] = {
            node.domain: node.name for node in postorder(value) if isinstance(node, ReductionVariable)
        }
        if not domains:
            raise DefinitionError(
                f"Error: Expression passed to {self.function.name.split('$')[0]} must reference a reduction domain, "
                f"but {value} does not ({self.location})."
            )
        if len(domains) > 1:
            raise DefinitionError(
                f'Error: Inline reduction "{self.function.name}" refers to reduction variables from multiple '
                f"reduction domains: {', '.join(domains.values())} ({self.location}). Give the domain to reduce "
                "over as the first argument."
            )
        (only,) = domains
        return only

    def _free_variables(self, value: Node) -> list[Any]:
        free: dict[Any, None] = {}
        for root in (value, self.domain.predicate):
            for node in postorder(root):
                if isinstance(node, Variable):
                    free[node] = None
                elif isinstance(node, ReductionVariable) and node.domain not in (None, self.domain):
                    free[node] = None
        return list(free)

    def variables(self) -> list[Node]:
        """The variables of the domain, innermost first."""
        return [ReductionVariable(INT32, loop.name, self.domain) for loop in self.domain.loops]

    def run(self, start: Sequence[Node], step: Step) -> list[Node]:
        """Define the Func and return the calls that stand for its result."""
        define_pure(self.function, list(self.names.values()), start, self.location)
        values = step(self._calls(self.args), self.value)
        define_update(self.function, self.args, values, self.location, self.domain)
        return self._calls(self.free)

    def _calls(self, args: Sequence[Node]) -> list[Node]:
        function = self.function
        return [
            FuncCall(type_, function.name, tuple(args), index, function) for index, type_ in enumerate(function.types)
        ]


def _inline(name: str, rdom_or_expr: Any, rest: tuple[Any, ...], keywords: dict[str, Any]) -> _Reduction:
    """The reduction for the call forms (expr, name) and (rdom, expr, name)."""
    values = [rdom_or_expr] if rdom_or_expr is not None else []
    values += rest
    domain = None
    if isinstance(keywords.get("rdom"), RDom):
        values.insert(0, keywords.pop("rdom"))
    if "expr" in keywords:
        values.append(keywords.pop("expr"))
    if len(values) > 1 and isinstance(values[0], RDom) and not isinstance(values[1], str):
        domain = values.pop(0).domain()
        if domain is None:
            raise DefinitionError(f"Error: {name}() over an undefined RDom.")
    chosen = values.pop() if len(values) == 2 and isinstance(values[1], str) else keywords.pop("name", name)
    if keywords or len(values) != 1 or not isinstance(chosen, str):
        raise TypeError(
            f"{name}(): incompatible function arguments: it takes an Expr, or an RDom and an Expr, and a name. "
            f"Invoked with: {(rdom_or_expr, *rest)!r}"
        )
    return _Reduction(chosen, operand(values[0], name), domain)


def _fold(
    name: str, kind: Any, start: Callable[[Type], int | float], summary: str, example: str, result: str
) -> Callable[..., Expr]:
    forms = "in the type of the expression: (expr) or (rdom, expr)"

    @documented(name, f"{summary} over a reduction domain, {forms}.", example, result)
    def function(expr: Any = None, *rest: Any, **keywords: Any) -> Expr:
        reduction = _inline(name, expr, rest, keywords)
        if kind in (Add, Mul) and not reduction.varies:
            raise DefinitionError(
                f"Error: Expression passed to {name} must reference the reduction domain {reduction.domain.name}, but "
                f"{reduction.value} does not ({reduction.location}). Halide takes it once, whatever the size of the "
                "domain: write what you mean without the domain."
            )
        neutral: Node = Const(reduction.value.type, start(reduction.value.type))
        (result,) = reduction.run([neutral], lambda old, value: [combine(kind, old[0], value)])
        return wrap(result)

    return function


sum = _fold("sum", Add, lambda type_: 0, "The sum of an expression", "hl.evaluate(hl.sum(hl.RDom([(1, 4)])))", "10")
product = _fold(
    "product",
    Mul,
    lambda type_: 1,
    "The product of an expression",
    "hl.evaluate(hl.product(hl.RDom([(1, 4)])))",
    "24",
)
maximum = _fold(
    "maximum",
    Max,
    lambda type_: type_.min_value(),
    "The greatest value of an expression",
    "hl.evaluate(hl.maximum(hl.RDom([(1, 4)])))",
    "4",
)
minimum = _fold(
    "minimum",
    Min,
    lambda type_: type_.max_value(),
    "The least value of an expression",
    "hl.evaluate(hl.minimum(hl.RDom([(1, 4)])))",
    "1",
)


def _arg_fold(
    name: str, better: Any, start: Callable[[Type], int | float], summary: str, example: str, result: str
) -> Callable[..., tuple[Expr, ...]]:
    what = "its coordinates, then the value; the first when several"

    @documented(name, f"{summary} over a reduction domain: {what}.", example, result)
    def function(expr: Any = None, *rest: Any, **keywords: Any) -> tuple[Expr, ...]:
        reduction = _inline(name, expr, rest, keywords)
        variables = reduction.variables()
        neutral: Node = Const(reduction.value.type, start(reduction.value.type))

        def step(old: list[Node], value: Node) -> list[Node]:
            wins = combine(better, value, old[-1])
            return [Select(wins, new, current) for new, current in zip([*variables, value], old, strict=True)]

        results = reduction.run([*[Const(INT32, 0) for _ in variables], neutral], step)
        return tuple(wrap(result) for result in results)

    return function


argmax = _arg_fold(
    "argmax",
    GT,
    lambda type_: type_.min_value(),
    "Where an expression is greatest",
    "hl.evaluate(hl.argmax(hl.abs(hl.RDom([(-3, 5)]))))",
    "(-3, 3)",
)
argmin = _arg_fold(
    "argmin",
    LT,
    lambda type_: type_.max_value(),
    "Where an expression is least",
    "hl.evaluate(hl.argmin(hl.abs(hl.RDom([(-3, 5)]))))",
    "(0, 0)",
)
