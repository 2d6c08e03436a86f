"""A pipeline as a function of its inputs over boxes, and the same for its gradients: what torch differentiates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from itertools import groupby
from typing import Any

from pipec.autodiff.algebra import adjoint_type, number
from pipec.autodiff.backward import callees_first
from pipec.autodiff.copies import unscheduled
from pipec.autodiff.derivative import grad, input_of
from pipec.bounds.simplify import simplify
from pipec.errors import NotSupportedError
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.func import Func
from pipec.func.functions.param import ImageParam, Param
from pipec.func.functions.tuple import Tuple
from pipec.func.functions.var import Var
from pipec.func.math.convert import cast, convert
from pipec.func.math.expr import wrap
from pipec.ir.build import constant
from pipec.ir.expr import Add, Binary, Cast, Const, Div, Expr, Max, Min, Mod, Mul, ParameterRef, Sub
from pipec.ir.types import INT32, Type
from pipec.records import dataclass

# An input of a program, whose values tensors have.
Source = Buffer | ImageParam | Param
# (min, extent) of each dimension, in terms of extents of inputs.
Region = tuple[tuple[Expr, Expr], ...]
_ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    Add: lambda a, b: a + b,
    Sub: lambda a, b: a - b,
    Mul: lambda a, b: a * b,
    Div: lambda a, b: a // b,
    Mod: lambda a, b: a % b,
}


@dataclass(frozen=True, eq=False)
class TensorResult:
    """One value of an output: where it is computed, and the number of the input that it has the shape of, if any.

    `output`: the name of the output; values of one Func follow each other.
    """

    output: str
    type: Type
    region: Region
    like: int | None = None


@dataclass(frozen=True, eq=False)
class TensorProgram:
    """Funcs as a function of inputs. `results`: the values of all outputs in order; at least one.

    `adjoints`: how many of the inputs, the last ones, are the adjoints of a program of which this is the gradient.
    `derive` makes the outputs, which a gradient found in the cache does not need.
    """

    inputs: tuple[Source, ...]
    derive: Callable[[], tuple[Func, ...]]
    results: tuple[TensorResult, ...]
    adjoints: int = 0

    @cached_property
    def outputs(self) -> tuple[Func, ...]:
        """The Funcs that have the results as values."""
        return self.derive()

    def copies(self, sizes: Mapping[str, int] | None = None, keep_sizes: bool = False) -> list[Func]:
        """The outputs without schedules, of images that begin at 0, as all tensors do, and have these extents.

        `keep_sizes`: with the bounds and estimates that the user gave.
        """
        properties = dict(sizes or {})
        for source in self.inputs:
            if isinstance(source, ImageParam):
                properties |= {f"{source.name()}.min.{d}": 0 for d in range(source.dimensions())}
        return unscheduled(self.outputs, properties, keep_sizes)

    def gradient(self, sources: Sequence[int]) -> TensorProgram:
        """The gradients with respect to these inputs, given the inputs and the adjoint of each float result."""
        seeds: list[ImageParam] = []
        adjoints: list[list[ImageParam]] = []
        for name, results in groupby(self.results, lambda result: result.output):
            own = list(results)
            first = len(seeds)
            if any(result.type.floating for result in own):
                seeds += [
                    ImageParam(result.type, len(result.region), f"d_{_stem(name)}_{first + at}")
                    for at, result in enumerate(own)
                ]
            adjoints.append(seeds[first:])
        gradients = [
            TensorResult(f"d_{source.name()}", adjoint_type(source.type()), whole(source), at)
            for at, source in zip(sources, [self.inputs[at] for at in sources], strict=True)
        ]
        derive = partial(self._gradients, adjoints, sources)
        return TensorProgram((*self.inputs, *seeds), derive, tuple(gradients), len(seeds))

    def _gradients(self, adjoints: Sequence[list[ImageParam]], sources: Sequence[int]) -> tuple[Func, ...]:
        """The outputs of the gradient; `adjoints`: for each output those of its values, none where it has no floats."""
        sums: dict[int, Func] = {}
        values = iter(self.results)
        # Copies, since a schedule of the user's is one of the forward program and names Funcs that are not here.
        for output, seeds in zip(self.copies(), adjoints, strict=True):
            region = [next(values).region for _ in output.types()][0]
            if seeds:
                self._add_gradients(output, region, seeds, sources, sums)
        return tuple([sums[at] if at in sums else _zero(self.inputs[at]) for at in sources])

    def _add_gradients(
        self, output: Func, region: Region, adjoints: list[ImageParam], sources: Sequence[int], sums: dict[int, Func]
    ) -> None:
        seed = _adjoint(output, region, adjoints)
        bounds = [(wrap(low), wrap(extent)) for low, extent in region]
        read = {owner for function in callees_first(output.function) for owner in function.parameters}
        reached = [at for at in sources if input_of(self.inputs[at]) in read]
        for at, func in zip(reached, grad(output, [self.inputs[at] for at in reached], seed, bounds), strict=True):
            sums[at] = _sum(sums[at], func) if at in sums else func


def _stem(name: str) -> str:
    return name.partition("$")[0]


def _adjoint(output: Func, region: Region, adjoints: Sequence[ImageParam]) -> Any:
    """The adjoints of the values of one Func, which begin at 0 as all tensors, over its region."""
    if len(adjoints) == 1 and all(constant(low) == 0 for low, _ in region):
        return adjoints[0]
    seed, variables = Func(f"d_{_stem(output.name())}"), [Var(name) for name in output.function.args]
    place = tuple([x - wrap(low) for x, (low, _) in zip(variables, region, strict=True)])
    values = [adjoint[place] for adjoint in adjoints]
    seed[tuple(variables)] = Tuple(*values) if len(values) > 1 else values[0]
    return seed


def _sum(a: Func, b: Func) -> Func:
    total, place = Func(_stem(a.name())), tuple([Var(name) for name in a.function.args])
    total[place] = a[place] + b[place]
    return total


def _zero(source: Source) -> Func:
    """The gradient with respect to what no output depends on."""
    zero = Func(f"d_{source.name()}")
    zero[tuple([Var(f"v{d}") for d in range(len(whole(source)))])] = wrap(number(adjoint_type(source.type()), 0.0))
    return zero


def param_of(parameter: Any) -> ImageParam | Param:
    """The ImageParam or Param of a Parameter of a definition."""
    param: Any = object.__new__(ImageParam if parameter.is_buffer() else Param)
    param._parameter = parameter
    return param  # type: ignore[no-any-return]


def whole(source: Source) -> Region:
    """All of an input, from coordinate 0."""
    owner = input_of(source)
    if isinstance(source, Param):
        return ()
    extents = [
        owner.property("extent", d) if isinstance(source, ImageParam) else Const(INT32, owner.dim(d).extent())
        for d in range(owner.dimensions())
    ]
    return tuple([(Const(INT32, 0), extent) for extent in extents])


def region_of(sizes: Sequence[Any]) -> Region:
    """Returns the region that a user gave: for each dimension an extent or a (min, extent) pair, numbers or Exprs."""
    pairs = [size if isinstance(size, tuple | list) else (0, size) for size in sizes]
    return tuple([(_integer(low), _integer(extent)) for low, extent in pairs])


def _integer(value: Any) -> Expr:
    return simplify(cast(INT32, convert(value, "a size")))


def evaluated(
    e: Expr, values: Mapping[str, Any], smaller: Callable[..., Any] = min, larger: Callable[..., Any] = max
) -> Any:
    """A size, given the extents of inputs by name, which may be symbols."""
    if isinstance(e, Const):
        return int(e.value)
    if isinstance(e, ParameterRef) and e.name in values:
        return values[e.name]
    if isinstance(e, Cast) and e.type == INT32:
        return evaluated(e.value, values, smaller, larger)
    if isinstance(e, Min | Max):
        choose = smaller if isinstance(e, Min) else larger
        return choose(evaluated(e.a, values, smaller, larger), evaluated(e.b, values, smaller, larger))
    if type(e) in _ARITHMETIC:
        assert isinstance(e, Binary)
        a, b = evaluated(e.a, values, smaller, larger), evaluated(e.b, values, smaller, larger)
        return _ARITHMETIC[type(e)](a, b)
    raise NotSupportedError(
        f"Error: A size of a torch layer can't be {e}: sizes are numbers and extents of the layer's inputs, such as"
        " image.width(), with + - * // % min and max."
    )
