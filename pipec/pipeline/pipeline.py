"""Pipeline: Funcs as a whole program that is compiled and run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from pipec.errors import ArgumentError, DefinitionError, DimensionError, PipecError, UndefinedError
from pipec.func.buffers.arrays import as_array
from pipec.func.buffers.buffer import Buffer
from pipec.func.buffers.elements import plain_index
from pipec.func.functions.definition import PipelineDef, short_traceback
from pipec.func.functions.freeze import freeze, reachable, schedule_of
from pipec.func.functions.func import Func
from pipec.func.functions.function import Function, revision
from pipec.func.functions.realizable import Realizable
from pipec.func.functions.tuple import Tuple
from pipec.func.functions.wrappers import func_of
from pipec.func.math.convert import convert, node_or_none
from pipec.func.math.target_query import for_target
from pipec.ir.expr import Expr as Node
from pipec.ir.expr import FuncCall, ImageCall, ReductionVariable, Variable
from pipec.ir.program import ProgramArgumentKind
from pipec.ir.walk import postorder
from pipec.pipeline.calls.arguments import (
    Argument,
    bound_value,
    demanded_strides,
    inferred,
    new_buffer,
    properties,
)
from pipec.pipeline.calls.callable import Callable, callable_of
from pipec.pipeline.calls.compiled import box_of
from pipec.pipeline.calls.realize_call import RealizeCall, realize_call
from pipec.pipeline.calls.runnable import (
    Requirement,
    Runnable,
    jit_target,
    mentioned_in,
    output_parameters,
    runnable,
)
from pipec.pipeline.calls.thread_limit import SETTING, limited_threads
from pipec.pipeline.emission.compile_to import CompileTo
from pipec.pipeline.queries import (
    MAX_STEPS,
    Box,
    constrained,
    fixed_outputs,
    grown_outputs,
    inferred_inputs,
    output_buffers,
)
from pipec.target import Target

if TYPE_CHECKING:
    from pipec.autoschedule.params import AutoschedulerParams, AutoSchedulerResults

# What realize fills: anything that a Buffer can be made of.
Output = Buffer | np.ndarray


class Pipeline(CompileTo, Realizable):
    """One or several Funcs as outputs of one program: `Pipeline(f)`, `Pipeline([f, g])`.

    >>> x = hl.Var("x")
    >>> f, g = hl.Func(), hl.Func()
    >>> f[x] = x
    >>> g[x] = f[x] * f[x]
    >>> [result.numpy().tolist() for result in hl.Pipeline([f, g]).realize([3])]
    [[0, 1, 2], [0, 1, 4]]
    """

    __slots__ = ("_functions", "_requirements", "_realize_call", "__weakref__")

    def __init__(self, outputs: Func | Sequence[Func] | None = None) -> None:
        funcs = [] if outputs is None else [outputs] if isinstance(outputs, Func) else outputs
        if not isinstance(funcs, list | tuple) or not all(isinstance(func, Func) for func in funcs):
            raise TypeError(
                f"__init__(): incompatible constructor arguments. A Pipeline is made of a Func or a list, not"
                f" {outputs!r}"
            )
        self._functions: tuple[Function, ...] = tuple([func.function for func in funcs])
        for number, function in enumerate(self._functions):
            if function in self._functions[:number]:
                raise ArgumentError(f"Error: Func {function.name} is listed twice among the outputs of a Pipeline.")
        self._requirements: list[Requirement] = []
        self._realize_call: RealizeCall | None = None

    @classmethod
    def _of(cls, *functions: Function) -> Pipeline:
        """The pipeline with these outputs."""
        pipeline = cls.__new__(cls)
        pipeline._functions, pipeline._requirements, pipeline._realize_call = functions, [], None
        return pipeline

    def defined(self) -> bool:
        """Whether it has outputs."""
        return bool(self._functions)

    def outputs(self) -> list[Func]:
        """Returns the output Funcs."""
        return [func_of(function) for function in self._functions]

    def get_func(self, index: int) -> Func:
        """Func number `index` of all that the pipeline uses, producers first."""
        functions = reachable(self._checked())
        if not 0 <= index < len(functions):
            raise ArgumentError(f"Error: The pipeline has {len(functions)} Funcs; there is none of number {index}.")
        return func_of(functions[index])

    def _checked(self) -> tuple[Function, ...]:
        if not self._functions:
            raise UndefinedError("Error: Pipeline is undefined: it was made without a Func.")
        for function in self._functions:
            if not function.defined:
                raise UndefinedError(
                    f"Error: Can't realize undefined Func. Func {function.name} (made at {function.location}) has no"
                    f" definition; write {function.name}[...] = ... first."
                )
        return self._functions

    def _pipeline(self) -> Pipeline:
        return self

    def _runnable(self, target: Target | None) -> Runnable:
        return runnable(self._checked(), target, tuple(self._requirements))

    # Running

    @overload
    def realize(
        self, sizes: Sequence[int] = (), target: Target | None = None, *, threads: int | None = None
    ) -> Any: ...
    @overload
    def realize(
        self, dst: Output | Sequence[Output], target: Target | None = None, *, threads: int | None = None
    ) -> None: ...

    def realize(self, *args: Any, **kwargs: Any) -> Any:
        """Compile where that is needed, and run.

        `realize([w, h])`, with as many sizes as dimensions, gives a new Buffer, whose numpy shape is (h, w); a tuple of
        them when there are several values. `realize(dst)` fills a Buffer, an array or a tensor, or a list of them, one
        for each value. `target=`: what to compile for, by default this machine. `threads=`: the most threads of this
        call, its caller among them. Raises ArgumentError for sizes, types
        and numbers of buffers that do not fit, OutOfBoundsError where inputs are too small.

        >>> import pipec as hl
        >>> x, y = hl.vars("x y")
        >>> f = hl.Func("f")
        >>> f[x, y] = x + 10 * y
        >>> f.realize([3, 2]).numpy().tolist()
        [[0, 1, 2], [10, 11, 12]]
        """
        call = self._realize_call
        if call is not None and len(args) == 1 and not kwargs:
            result = call(args[0])
            if result is not False:
                return result
        threads = kwargs.pop("threads", None)
        try:
            with limited_threads(threads):
                return self._realize(args, kwargs)
        except PipecError as error:
            raise short_traceback(error) from error.__cause__

    def _realize(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        values, target = _realize_arguments(args, kwargs)
        run = self._runnable(target)
        if run.called and len(args) == 1 and not kwargs and SETTING.threads is None:
            # From the second call on: a pipeline that runs once would take longer with it.
            call = self._realize_call = realize_call(run)
            result = False if call is None else call(args[0])
            if result is not False:
                return result
        if values and isinstance(values[0], Buffer):
            self._realize_into(run, values)
            return None
        return self._realize_sizes(run, values)

    def _realize_into(self, run: Runnable, buffers: Sequence[Buffer]) -> None:
        if len(buffers) != len(run.output_names):
            raise ArgumentError(
                f"Error: Realization requires {len(buffers)} output(s) but pipeline produces"
                f" {len(run.output_names)} result(s)."
            )
        for buffer in buffers:
            if not buffer.defined():
                raise UndefinedError(
                    "Error: Undefined buffer calling method raw_buffer: realize needs Buffers with memory."
                )
        run(self._values(run, dict(zip(run.output_names, buffers, strict=True))))

    def _realize_sizes(self, run: Runnable, sizes: Sequence[int]) -> Any:
        _check_sizes(run.definition, sizes, "realize")
        if run.outputs_may_grow or run.output_parameters:
            results = self._realize_grown(run, [(0, extent) for extent in sizes])
        else:
            results = tuple([Buffer.dense(kind, sizes) for kind in run.output_types])
            # As arrays, since a fast call sees the shape of a Buffer only when it has been called with before.
            arrays = {name: buffer.numpy() for name, buffer in zip(run.output_names, results, strict=True)}
            if not run.try_fast_call(self._values(run, arrays)):
                run(self._values(run, dict(zip(run.output_names, results, strict=True))))
        return results[0] if len(results) == 1 else results

    def _realize_grown(self, run: Runnable, requested: Box) -> tuple[Buffer, ...]:
        """Results cropped from buffers with the size and layout that the pipeline requires."""
        inputs = self._inputs(run)
        values = {name: value for name, value in inputs.items() if not isinstance(value, Buffer)}
        images = {name: box_of(value) for name, value in inputs.items() if isinstance(value, Buffer)}
        boxes: Mapping[str, Box] = {name: requested for name in run.output_names}
        if run.outputs_may_grow:
            boxes = run.grown(boxes, values, images)
        whole = {}
        for name, kind in zip(run.output_names, run.output_types, strict=True):
            bound = run.output_parameters.get(name)
            whole[name] = new_buffer(kind, constrained(boxes[name], bound, values), bound, values)
        run(self._values(run, whole))
        return tuple([whole[name].cropped(requested) for name in run.output_names])

    def _inputs(self, run: Runnable) -> dict[str, Any]:
        return {name: bound_value(name, bound) for name, bound in run.bindings.items()}

    def _values(self, run: Runnable, outputs: Mapping[str, Output]) -> list[Any]:
        bindings = run.bindings
        return [
            outputs[argument.name]
            if argument.kind is ProgramArgumentKind.OUTPUT
            else bound_value(argument.name, bindings[argument.name])
            for argument in run.arguments
        ]

    def _callable(self, arguments: Sequence[Any], target: Target | None) -> Callable:
        return callable_of(self._runnable(target), arguments)

    def _inferred(self) -> list[Argument]:
        _, bindings = freeze(self._checked(), mentioned=mentioned_in(self._requirements))
        return inferred(bindings)

    def _infer_input_bounds(self, dst: Any, target: Target | None) -> None:
        target = jit_target(target)
        outputs = _queried_outputs(dst)
        definition, bindings = freeze(self._checked())
        definition = for_target(definition, target)
        names = [name for name, _, _ in output_buffers(definition)]
        boxes = _queried_boxes(definition, outputs)
        buffers = dict(zip(names, outputs, strict=True)) if outputs and isinstance(outputs[0], Buffer) else {}
        queries = {name: buffer for name, buffer in buffers.items() if buffer.is_bounds_query()}
        free = names if not buffers else queries
        unset, image_boxes, values = {}, {}, {}
        for name, bound in bindings.items():
            if not isinstance(bound, Buffer) and bound.is_buffer() and bound.buffer() is None:
                unset[name] = bound
                continue
            value = bound_value(name, bound)
            if isinstance(value, Buffer):
                image_boxes[name] = box_of(value)
            else:
                values[name] = value
        for name, box in image_boxes.items():
            values.update(properties(name, box))
        demands = output_parameters(self._functions, definition.outputs)
        schedule = schedule_of(self._functions)
        inputs: dict[str, Buffer] = {}
        # What is demanded of outputs may depend on how far they grow.
        for _ in range(MAX_STEPS):
            requested, boxes = boxes, fixed_outputs(boxes, demands, values, free)
            if unset:
                inputs = inferred_inputs(definition, schedule, boxes, values, image_boxes, unset)
            if queries:
                images = {**image_boxes, **{name: box_of(buffer) for name, buffer in inputs.items()}}
                boxes = grown_outputs(definition, schedule, boxes, values, images)
            if boxes == requested or not queries:
                break
        for name, buffer in inputs.items():
            bindings[name].set_buffer(buffer)
        for name, query in queries.items():
            query.become_query_of(boxes[name], demanded_strides(demands.get(name), boxes[name], values))

    def apply_autoscheduler(self, target: Target, autoscheduler_params: AutoschedulerParams) -> AutoSchedulerResults:
        """Halide's way: a schedule by "Adams2019" (beam search), "Mullapudi2016" (greedy grouping), "Anderson2021" (for
        GPUs) or "Li2018".

        Sizes are those of `set_estimates`, or what is usual where there are none. ArgumentError for other names and for
        options that the autoscheduler does not have.

        >>> x, y = hl.vars("x y")
        >>> f = hl.Func("f")
        >>> f[x, y] = x + y
        >>> _ = f.set_estimates([(0, 640), (0, 480)])
        >>> hl.load_plugin("autoschedule_mullapudi2016")
        >>> params = hl.AutoschedulerParams("Mullapudi2016", {"parallelism": 2})
        >>> results = hl.Pipeline(f).apply_autoscheduler(hl.get_host_target(), params)
        >>> "vectorize" in results.schedule_source
        True
        """
        from pipec.autoschedule.halide import apply_autoscheduler

        return apply_autoscheduler(self._checked(), target, autoscheduler_params)

    def add_requirement(self, condition: Any, *error_args: Any) -> None:
        """Requires `condition`, over Params only, at each run; else RequirementError with these words and values."""
        node = convert(condition, "a condition")
        parts = tuple([part if isinstance(part, str) else convert(part, "a value") for part in error_args])
        for part in (node, *[part for part in parts if not isinstance(part, str)]):
            _check_requirement(node, part)
        self._requirements.append((node, parts))
        self._realize_call = None

    def requirements(self) -> list[Requirement]:
        """The conditions given to add_requirement, each with its words and values."""
        return list(self._requirements)

    def _loop_nest(self) -> str:
        from pipec.lower.loop_nest_text import loop_nest_text

        definition, _ = freeze(self._checked())
        return loop_nest_text(for_target(definition, jit_target(None)), schedule_of(self._functions))

    def invalidate_cache(self) -> None:
        """Removes the machine code; the next run compiles again."""
        for function in self._functions:
            function.compiled.clear()
        revision.advance()

    def _runnable_definition(self) -> PipelineDef:
        return freeze(self._checked())[0]

    def __reduce__(self) -> tuple[Any, ...]:
        from pipec.pipeline.pickling import reduced_pipeline

        return reduced_pipeline(self)

    def __copy__(self) -> Pipeline:
        copy = Pipeline._of(*self._functions)
        copy._requirements = list(self._requirements)
        return copy

    def __repr__(self) -> str:
        if not self._functions:
            return "<halide.Pipeline Pipeline()>"
        names = ",".join([f"'{function.name}'" for function in self._functions])
        return f"<halide.Pipeline [{names}]>"


def evaluate(value: Any) -> Any:
    """The number that an Expr without Vars is, or the tuple of numbers that a tuple of them is.

    >>> hl.evaluate(hl.i32(3) + 4)
    7
    """
    if isinstance(value, Tuple):
        value = tuple(value)
    if not isinstance(value, tuple) and node_or_none(value) is None:
        raise ValueError(f"Expected an Expr or tuple-of-Expr, not {value!r}.")
    func = Func("evaluate")
    func[()] = value
    result = Pipeline(func).realize([])
    return tuple([buffer[()] for buffer in result]) if isinstance(result, tuple) else result[()]


def evaluate_may_gpu(value: Any) -> Any:
    """As evaluate; on a GPU where the target has one that can be used."""
    return evaluate(value)


def _realize_arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], Target | None]:
    """The Buffers to fill or the sizes, and the target, from the forms that realize takes."""
    target = None
    if kwargs or len(args) != 1:
        rest = dict(kwargs)
        dst: Any = args[0] if args else rest.pop("sizes") if "sizes" in rest else rest.pop("dst", [])
        target = args[1] if len(args) > 1 else rest.pop("target", None)
        if len(args) > 2 or rest or not (target is None or isinstance(target, Target)):
            raise _wrong_arguments(args, kwargs)
    else:
        dst = args[0]
    if isinstance(dst, list | tuple):
        sizes = [plain_index(item) for item in dst]
        if None not in sizes:
            return sizes, target
        buffers = [_output_buffer(item) for item in dst]
    else:
        buffers = [_output_buffer(dst)]
    if None in buffers:
        raise _wrong_arguments(args, kwargs)
    return buffers, target


def _output_buffer(item: Any) -> Buffer | None:
    """Returns the output that realize fills: a Buffer, or an array or tensor that is written in place."""
    return item if isinstance(item, Buffer) else None if as_array(item) is None else Buffer(item)


def _wrong_arguments(args: tuple[Any, ...], kwargs: dict[str, Any]) -> TypeError:
    return TypeError(
        "realize(): incompatible function arguments. It is called as realize([sizes]), with one int for each dimension,"
        " realize(buffer) or realize([buffers]), where a numpy array or tensor serves as a Buffer; each with an"
        f" optional Target, such as hl.Target('host'), not with {args!r} {kwargs!r}."
    )


def _queried_outputs(dst: Any) -> list[Any]:
    """The sizes or Buffers that infer_input_bounds was given."""
    try:
        return _realize_arguments((dst,), {})[0]
    except TypeError as error:
        text = str(error).replace("realize", "infer_input_bounds")
        raise ValueError(f"Invalid arguments to infer_input_bounds. {text}") from None


def _queried_boxes(definition: PipelineDef, outputs: Sequence[Any]) -> dict[str, Box]:
    """The box of each output buffer, of which these are the sizes or Buffers."""
    buffers = output_buffers(definition)
    if not (outputs and isinstance(outputs[0], Buffer)):
        _check_sizes(definition, outputs, "infer_input_bounds")
        return {name: [(0, extent) for extent in outputs] for name, _, _ in buffers}
    if len(outputs) != len(buffers):
        raise ArgumentError(f"Error: infer_input_bounds was given {len(outputs)} Buffers for {len(buffers)} outputs.")
    for (name, func, _), buffer in zip(buffers, outputs, strict=True):
        dimensions = len(definition.funcs[func].args)
        if buffer.dimensions() != dimensions:
            raise DimensionError(
                f"Error: infer_input_bounds was given a Buffer of {buffer.dimensions()} dimensions for {name}, which"
                f" has {dimensions}."
            )
    return {name: box_of(buffer) for (name, _, _), buffer in zip(buffers, outputs, strict=True)}


def _check_sizes(definition: PipelineDef, sizes: Sequence[int], method: str) -> None:
    for name in definition.outputs:
        count = len(definition.funcs[name].args)
        if count != len(sizes):
            raise DimensionError(
                f"Error: Func {name} is defined with {count} dimensions, but {method}() is requesting a realization"
                f" with {len(sizes)} dimensions. Give a size for each dimension, [width, height, ...]: for an array"
                " array.shape[::-1]."
            )
    for d, extent in enumerate(sizes):
        if extent < 0:
            raise ArgumentError(
                f"Error: The extents for buffer Output buffer {definition.outputs[0]} dimension {d} is negative"
                f" ({extent})"
            )


def _check_requirement(condition: Node, node: Node) -> None:
    for part in postorder(node):
        if isinstance(part, Variable | ReductionVariable):
            raise DefinitionError(f"Error: Requirement ({condition}) refers to Var or RVar {part.name}")
        if isinstance(part, FuncCall | ImageCall):
            raise DefinitionError(f"Error: Requirement ({condition}) calls {part.name}; it may use Params only.")
