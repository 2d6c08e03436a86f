"""BoundaryConditions: an image or Func extended beyond its edges, with the interior marked as the likely case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pipec.bounds.conditions import likely
from pipec.errors import DefinitionError, UndefinedError
from pipec.func.buffers.arrays import as_array
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.define import define_pure
from pipec.func.functions.definition import user_location
from pipec.func.functions.func import Func
from pipec.func.functions.param import OutputImageParam
from pipec.func.functions.ref import image_call
from pipec.func.functions.tuple import tuple_nodes
from pipec.func.math.convert import cast, convert, node_or_none
from pipec.func.math.expr import Expr
from pipec.ir.build import add, any_of, ge, lt, max_, min_, mod, mul, or_, select, sub
from pipec.ir.expr import Expr as Node
from pipec.ir.expr import FuncCall, Variable
from pipec.ir.types import INT32, Type

# The interval of one dimension, or None where the source is not bounded.
Bound = tuple[Node, Node] | None
# From a coordinate, the minimum and the extent of the source to the coordinate to read.
Fold = Callable[[Node, Node, Node], Node]


class BoundaryConditions:
    """Ways to extend a source: a Buffer or ImageParam, or a Func with `bounds` = [(min, extent), ...].

    With bounds given, what the source holds outside of them is not read. Dimensions without bounds (those beyond the
    list, or `(Expr(), Expr())`) are not extended.

    >>> row = hl.Buffer(np.array([1, 2, 3], np.uint8))
    >>> f = hl.BoundaryConditions.mirror_interior(row)
    >>> g = hl.Func()
    >>> x = hl.Var("x")
    >>> g[x] = f[x - 2]
    >>> g.realize([7]).numpy().tolist()
    [3, 2, 1, 2, 3, 2, 1]
    """

    @staticmethod
    def constant_exterior(f: Any, exterior: Any, bounds: Sequence[Any] | None = None) -> Func:
        """`exterior` (a Tuple for a Func of several values) outside, the source inside."""
        source = _Source("constant_exterior", f, bounds)
        inside = source.read([_clamped(x, bound) for x, bound in source.coordinates])
        outside = any_of(_outside(x, *bound) for x, bound in source.coordinates if bound is not None)
        values = [
            select(outside, value, likely(read))
            for value, read in zip(_exterior(source, exterior, inside), inside, strict=True)
        ]
        return source.define(values)

    @staticmethod
    def repeat_edge(f: Any, bounds: Sequence[Any] | None = None) -> Func:
        """The nearest element of the source: aaa|abc|ccc."""
        source = _Source("repeat_edge", f, bounds)
        return source.define(source.read([_clamped(x, bound) for x, bound in source.coordinates]))

    @staticmethod
    def repeat_image(f: Any, bounds: Sequence[Any] | None = None) -> Func:
        """The source again and again: abc|abc|abc."""
        return _folded("repeat_image", f, bounds, _repeated)

    @staticmethod
    def mirror_image(f: Any, bounds: Sequence[Any] | None = None) -> Func:
        """The source mirrored at its edges, edge elements twice: cba|abc|cba."""
        return _folded("mirror_image", f, bounds, _mirror_image)

    @staticmethod
    def mirror_interior(f: Any, bounds: Sequence[Any] | None = None) -> Func:
        """The source mirrored at its edge elements, which come once: cb|abc|ba."""
        return _folded("mirror_interior", f, bounds, _mirror_interior)


class _Source:
    """The extended Func or image: the coordinates of the new Func with their bounds, and reads of the old one."""

    def __init__(self, kind: str, f: Any, bounds: Sequence[Any] | None) -> None:
        self.kind = kind
        if not isinstance(f, Func | Buffer | OutputImageParam):
            if as_array(f) is None:
                raise TypeError(
                    f"{kind}(): incompatible function arguments. It takes a Buffer, an ImageParam or a Func, not {f!r}"
                )
            f = Buffer(f)
        if isinstance(f, Func) and bounds is None:
            raise TypeError(
                f"{kind}(): incompatible function arguments. For a Func ({f.name()}) the bounds must be given:"
                f" BoundaryConditions.{kind}({f.name()}, [(min, extent), ...])."
            )
        if isinstance(f, Func) and not f.defined():
            raise UndefinedError(f'Error: Can\'t call Func "{f.name()}" because it has not yet been defined.')
        if bounds is not None and not isinstance(bounds, Iterable):
            raise TypeError(
                f"{kind}(): incompatible function arguments. Bounds are a list of (min, extent) pairs, not {bounds!r}"
            )
        self.image, dimensions = f, f.dimensions()
        names = f.function.args if isinstance(f, Func) else tuple(f"_{d}" for d in range(dimensions))
        intervals = _own_bounds(f) if bounds is None else [_interval(kind, pair) for pair in bounds]
        if len(intervals) > dimensions:
            raise DefinitionError(
                f"Error: Invalid arguments to {kind}: {f.name()} has {dimensions} dimensions, but the bounds of"
                f" {len(intervals)} were given."
            )
        intervals += [None] * (dimensions - len(intervals))
        self.names = names
        self.coordinates: list[tuple[Node, Bound]] = [
            (Variable(INT32, name), interval) for name, interval in zip(names, intervals, strict=True)
        ]

    def read(self, args: list[Node]) -> list[Node]:
        """The values of the source at these coordinates."""
        if not isinstance(self.image, Func):
            owner = self.image if isinstance(self.image, Buffer) else self.image.parameter()
            return [image_call(owner, [_expr(arg) for arg in args]).node]
        function = self.image.function
        return [
            FuncCall(kind, function.name, tuple(args), index, function) for index, kind in enumerate(function.types)
        ]

    def define(self, values: list[Node]) -> Func:
        """The new Func."""
        func = Func(self.kind)
        define_pure(func.function, list(self.names), values, user_location())
        return func


def _expr(node: Node) -> Expr:
    return Expr(node)


def _own_bounds(image: Any) -> list[Bound]:
    dims = [image.dim(d) for d in range(image.dimensions())]
    return [(convert(dim.min()), convert(dim.extent())) for dim in dims]


def _interval(kind: str, pair: Any) -> Bound:
    values = [v for v in pair] if isinstance(pair, tuple | list) else []
    if len(values) != 2:
        raise TypeError(f"{kind}(): incompatible function arguments. Bounds are (min, extent) pairs, not {pair!r}")
    undefined = [isinstance(value, Expr) and not value.defined() for value in values]
    if all(undefined):
        return None
    if any(undefined):
        raise DefinitionError(f"Error: Invalid arguments to {kind}: min and extent must both be given, or neither.")
    nodes = [convert(value, "a bound") for value in values]
    for node in nodes:
        if not INT32.can_represent(node.type):
            raise DefinitionError(
                f"Error: Invalid arguments to {kind}: the bound {node} has type {node.type}, not int32."
            )
    return cast(INT32, nodes[0]), cast(INT32, nodes[1])


def _last(low: Node, extent: Node) -> Node:
    return sub(add(low, extent), 1)


def _outside(x: Node, low: Node, extent: Node) -> Node:
    return or_(lt(x, low), ge(x, add(low, extent)))


def _clamped(x: Node, bound: Bound) -> Node:
    if bound is None:
        return x
    return max_(min_(likely(x), _last(*bound)), bound[0])


def _folded(kind: str, f: Any, bounds: Sequence[Any] | None, fold: Fold) -> Func:
    source = _Source(kind, f, bounds)
    args = []
    for x, bound in source.coordinates:
        if bound is None:
            args.append(x)
            continue
        low, extent = bound
        far = fold(x, low, extent)
        args.append(select(_outside(x, low, extent), far, likely(_clamped(x, bound))))
    return source.define(source.read(args))


def _repeated(x: Node, low: Node, extent: Node) -> Node:
    # It lies inside anyway; the clamp lets bounds inference see that without knowledge of the arithmetic.
    return max_(min_(add(mod(sub(x, low), extent), low), _last(low, extent)), low)


def _mirror_image(x: Node, low: Node, extent: Node) -> Node:
    period = mul(extent, 2)
    within = mod(sub(x, low), period)
    mirrored = add(select(ge(within, extent), sub(sub(period, 1), within), within), low)
    return _near(mirrored, x, (low, extent), 1)


def _mirror_interior(x: Node, low: Node, extent: Node) -> Node:
    last = sub(extent, 1)
    # The distance from the last element is last - |...|; an extent of 1 gives 0, as x % 0 is 0.
    offset = sub(mod(sub(x, low), mul(last, 2)), last)
    mirrored = add(sub(last, max_(offset, sub(0, offset))), low)
    return _near(mirrored, x, (low, extent), 0)


def _near(mirrored: Node, x: Node, bound: Bound, gap: int) -> Node:
    """A mirrored coordinate, clamped to where the first reflections at both edges may lie, which it is in by itself.

    So bounds find that what lies a little outside is mirrored to a little inside. `gap`: how far an edge is from its
    own reflection.
    """
    assert bound is not None
    low, last = bound[0], _last(*bound)
    least = max_(min_(min_(x, sub(add(mul(last, 2), gap), x)), last), low)
    most = max_(min_(max_(x, sub(sub(mul(low, 2), gap), x)), last), low)
    return max_(min_(mirrored, most), least)


def _exterior(source: _Source, exterior: Any, inside: list[Node]) -> list[Node]:
    single = node_or_none(exterior)
    nodes = [single] if single is not None else tuple_nodes(exterior)
    if nodes is None:
        raise TypeError(f"constant_exterior(): incompatible function arguments: {exterior!r} is no value of a Func")
    if len(nodes) != len(inside):
        raise DefinitionError(
            f"Error: Invalid arguments to constant_exterior: {source.image.name()} has {len(inside)} values at each"
            f" point, but {len(nodes)} were given."
        )
    return [_of_type(value, read.type) for value, read in zip(nodes, inside, strict=True)]


def _of_type(value: Node, kind: Type) -> Node:
    if value.type is kind:
        return value
    if value.type.floating and not kind.floating:
        raise DefinitionError(
            f"Error: Invalid arguments to constant_exterior: the value {value} has type {value.type}, but the image has"
            f" type {kind}. Cast it."
        )
    return cast(kind, value)
