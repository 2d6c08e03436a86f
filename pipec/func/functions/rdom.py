"""Reduction domains: `RDom` and its variables, `RVar`."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, SupportsIndex

from pipec.errors import DefinitionError
from pipec.func.functions.definition import ReductionLoop
from pipec.func.functions.names import numbered_name
from pipec.func.math.convert import cast, node_or_none
from pipec.func.math.expr import Expr, ExprLike, Operand, wrap
from pipec.ir.build import and_
from pipec.ir.expr import TRUE, Const, FuncCall, ReductionVariable, Variable
from pipec.ir.expr import Expr as Node
from pipec.ir.types import INT32
from pipec.ir.walk import postorder, rewrite

_LETTERS = "xyzw"


class ReductionDomain:
    """The loops of an RDom, innermost first, and its condition. What ReductionVariable.domain refers to.

    In `predicate` the variables stand without their domain: a node that refers to the object that holds it would keep
    both alive for ever, since the table of nodes holds the fields of live nodes.
    """

    __slots__ = ("name", "loops", "predicate", "frozen", "__weakref__")

    def __init__(self, name: str, loops: tuple[ReductionLoop, ...]) -> None:
        self.name = name
        self.loops = loops
        self.predicate: Node = TRUE
        self.frozen = False


def without_domains(node: Node) -> Node:
    """The expression with its reduction variables known by name only."""
    if not any(isinstance(n, ReductionVariable) and n.domain is not None for n in postorder(node)):
        return node

    def change(n: Any) -> Any:
        return ReductionVariable(n.type, n.name, None) if isinstance(n, ReductionVariable) else n

    return rewrite(node, change)


class RVar(Operand):
    """One variable of a reduction domain; one made from a name alone serves in schedules only.

    >>> r = hl.RDom([(0, 4)], "r")
    >>> r.x.extent()
    <halide.Expr of type int32: 4>
    """

    __slots__ = ("_name", "_domain")

    def __init__(self, source: str | RDom | None = None) -> None:
        self._domain: ReductionDomain | None = None
        if source is None:
            self._name = numbered_name("r")
        elif isinstance(source, str):
            self._name = source
        elif isinstance(source, RDom):
            first = source[0]
            if source.dimensions() != 1:
                raise DefinitionError(
                    f"Error: Can't convert the RDom {source._name()} to an RVar: it has {source.dimensions()} "
                    "dimensions. Use .x, .y, ... of it."
                )
            self._name, self._domain = first._name, first._domain
        else:
            raise TypeError(f"RVar(): incompatible constructor arguments: {source!r}; it takes a name or an RDom")

    @property
    def node(self) -> Node:
        """The IR node of the variable. Raises DefinitionError when it belongs to no RDom."""
        if self._domain is None:
            raise DefinitionError(
                f"Error: Use of undefined RDom dimension: {self._name}. It belongs to no RDom, so it has no value; "
                "such an RVar can only name a loop in a schedule."
            )
        return ReductionVariable(INT32, self._name, self._domain)

    def name(self) -> str:
        """Returns the name of the variable."""
        return self._name

    def defined(self) -> bool:
        """Whether it is a variable of an RDom."""
        return self._domain is not None

    def _loop(self) -> ReductionLoop | None:
        loops = self._domain.loops if self._domain is not None else ()
        return next((loop for loop in loops if loop.name == self._name), None)

    def min(self) -> Expr:
        """The first value it takes; an undefined Expr when it belongs to no RDom."""
        loop = self._loop()
        return Expr() if loop is None else wrap(loop.minimum)

    def extent(self) -> Expr:
        """Returns the number of its values; an undefined Expr when it belongs to no RDom."""
        loop = self._loop()
        return Expr() if loop is None else wrap(loop.extent)

    def __repr__(self) -> str:
        loop = self._loop()
        bounds = f"{loop.minimum}, {loop.extent}" if loop is not None else "(undefined), (undefined)"
        return f"<halide.RVar {self._name}({bounds})>"


class Range(NamedTuple):
    """An interval of `extent` values from `min` on: what a pair (min, extent) stands for.

    >>> hl.Range(0, 4)
    Range(min=0, extent=4)
    """

    min: Any
    extent: Any


class RDom(Operand):
    """A box of points that an update visits, the first dimension running fastest.

    RDom([(min, extent), ...], name), RDom(buffer, name): the whole of a Buffer or ImageParam.

    >>> r, x = hl.RDom([(0, 4), (0, 2)], "r"), hl.Var("x")
    >>> f = hl.Func()
    >>> f[x] = 0
    >>> f[r.x] += r.y + 1
    >>> f.realize([4]).numpy().tolist()
    [3, 3, 3, 3]
    """

    __slots__ = ("_domain",)

    def __init__(self, region: Any = None, name: str = "", **keywords: Any) -> None:
        for keyword in ("buffer", "image_param"):
            if region is None and keyword in keywords:
                region = keywords.pop(keyword)
        if keywords or not isinstance(name, str):
            raise TypeError(f"{_CONSTRUCTOR}. Invoked with: {region!r}, {name!r}, {keywords!r}")
        self._domain: ReductionDomain | None = None
        if region is not None:
            ranges = _ranges(region)
            # The whole of an ImageParam is named after it.
            own = region.name() if hasattr(region, "parameter") else ""
            self._domain = _make_domain(ranges, name or own or numbered_name("r"))

    @property
    def node(self) -> Node:
        """The IR node of the only variable. Raises DefinitionError when there are several."""
        if self.dimensions() != 1:
            raise DefinitionError(
                f"Error: Can't treat this multidimensional RDom as an Expr:\n{self!r}\n"
                "Only single-dimensional RDoms can be cast to Expr. Use its variables .x, .y, ... instead."
            )
        return self[0].node

    def _name(self) -> str:
        return self._domain.name if self._domain is not None else "(undefined)"

    def defined(self) -> bool:
        """Returns whether the domain has variables."""
        return self._domain is not None

    def dimensions(self) -> int:
        """Returns the number of variables."""
        return len(self._domain.loops) if self._domain is not None else 0

    def __len__(self) -> int:
        return self.dimensions()

    def domain(self) -> ReductionDomain | None:
        """The domain itself, as the IR refers to it."""
        return self._domain

    def same_as(self, other: RDom) -> bool:
        """Whether both are the same domain."""
        if not isinstance(other, RDom):
            raise TypeError(f"same_as(): incompatible function arguments: an RDom is needed, not {other!r}")
        return self._domain is other._domain

    def __getitem__(self, index: int) -> RVar:
        if not isinstance(index, SupportsIndex):
            raise TypeError(f"RDom {self._name()} is indexed by an int, the number of a dimension, not by {index!r}")
        at = operator.index(index)
        if self._domain is None or not 0 <= at < self.dimensions():
            raise KeyError(f"RDom {self._name()} has {self.dimensions()} dimension(s), so there is no number {at}")
        variable = RVar(self._domain.loops[at].name)
        variable._domain = self._domain
        return variable

    def __iter__(self) -> Iterator[RVar]:
        return iter([self[i] for i in range(self.dimensions())])

    def _letter(self, index: int) -> RVar:
        if index < self.dimensions():
            return self[index]
        return RVar(f"{self._name()}${_LETTERS[index]}")

    @property
    def x(self) -> RVar:
        """The first variable."""
        return self._letter(0)

    @property
    def y(self) -> RVar:
        """The second variable."""
        return self._letter(1)

    @property
    def z(self) -> RVar:
        """The third variable."""
        return self._letter(2)

    @property
    def w(self) -> RVar:
        """The fourth variable."""
        return self._letter(3)

    def where(self, predicate: ExprLike) -> None:
        """Restricts the domain to points at which `predicate`, and all earlier conditions, hold."""
        node = node_or_none(predicate)
        if self._domain is None or node is None:
            raise TypeError(f"where(): incompatible function arguments: {self!r}, {predicate!r}")
        if not node.type.boolean:
            raise DefinitionError(
                f"Error: The condition of RDom.where must be a bool, but {node} has type {node.type}. Compare it."
            )
        if self._domain.frozen:
            raise DefinitionError(
                f"Error: RDom {self._name()} cannot be given a new predicate, because it has already been used in the "
                "update definition of some function. Call where() before the definition."
            )
        for other in postorder(node):
            if isinstance(other, ReductionVariable) and other.domain is not self._domain:
                raise DefinitionError(
                    "Error: An RDom's predicate may only refer to its own RVars,  not the RVars of some other RDom. "
                    f"Cannot set the predicate to : ({node}): {other.name} is none of RDom {self._name()}."
                )
        self._domain.predicate = and_(self._domain.predicate, without_domains(node))

    def __repr__(self) -> str:
        loops = self._domain.loops if self._domain is not None else ()
        if self._domain is None:
            return "<halide.RDom RDom()>"
        lines = [f"  {loop.name}({loop.minimum}, {loop.extent})\n" for loop in loops]
        where = "" if self._domain.predicate is TRUE else f"  where ({self._domain.predicate})\n"
        return f"<halide.RDom RDom(\n{''.join(lines)}{where})>"


_CONSTRUCTOR = (
    "__init__(): incompatible constructor arguments. An RDom takes a list of (min, extent) tuples of ints or Exprs, "
    "or a Buffer or ImageParam, and a name"
)


def _ranges(region: Any) -> list[tuple[Any, Any]]:
    if hasattr(region, "dim") and hasattr(region, "dimensions"):
        dims = [region.dim(i) for i in range(region.dimensions())]
        return [(dim.min(), dim.extent()) for dim in dims]
    if not isinstance(region, Sequence) or isinstance(region, str):
        raise TypeError(f"{_CONSTRUCTOR}. Invoked with: {region!r}")
    for pair in region:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"{_CONSTRUCTOR}. Invoked with: {region!r}")
    return list(region)


def _make_domain(ranges: list[tuple[Any, Any]], name: str) -> ReductionDomain:
    loops = []
    for at, pair in enumerate(ranges):
        bounds = [_bound(value, name) for value in pair]
        _refuse_variables(bounds, name, at)
        letter = _LETTERS[at] if at < len(_LETTERS) else str(at)
        loops.append(ReductionLoop(f"{name}${letter}", bounds[0], bounds[1]))
    return ReductionDomain(name, tuple(loops))


def _bound(value: Any, name: str) -> Node:
    if isinstance(value, Expr) and not value.defined():
        raise DefinitionError(f"Error: The RDom {name} may not be constructed with undefined Exprs.")
    if isinstance(value, float):
        raise TypeError(f"{_CONSTRUCTOR}. Invoked with: {value!r}")
    node = node_or_none(value)
    if node is None:
        raise TypeError(f"{_CONSTRUCTOR}. Invoked with: {value!r}")
    if isinstance(node, Const) and node.type.integral and not INT32.can_represent(node.value):
        raise DefinitionError(f"Error: The bound {node.value} of the RDom {name} does not fit int32.")
    return cast(INT32, node)


def _refuse_variables(bounds: list[Node], name: str, dimension: int) -> None:
    for bound in bounds:
        for node in postorder(bound):
            if not isinstance(node, Variable | ReductionVariable | FuncCall):
                continue
            called = isinstance(node, FuncCall)
            raise DefinitionError(
                f"Error: The bounds of the RDom {name} in dimension {dimension} are:\n"
                f"  {bounds[0]} ... {bounds[1]}\n"
                f"These depend on {'a call to the Func' if called else 'the variable'} {node.name}.\n"
                f"The bounds of an RDom may not depend on {'a call to a Func' if called else 'a free variable'}. "
                "Use a fixed range and a where() condition instead."
            )
