"""Runnable: a compiled pipeline with its live Params, ImageParams and Buffers."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pipec.deep_stack import gc_paused
from pipec.errors import ArgumentError, PipecError, RequirementError
from pipec.func.buffers.arrays import address_of
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.freeze import freeze, reachable, schedule_of
from pipec.func.functions.function import Function
from pipec.func.math.target_query import for_target
from pipec.ir.expr import Expr as Node
from pipec.ir.program import ProgramArgument, ProgramArgumentKind
from pipec.pipeline.calls.arguments import (
    check_ranges,
    demanded_strides,
    has_ranges,
    number_of,
    properties,
    text_of_requirement,
)
from pipec.pipeline.calls.compiled import CompiledPipeline, box_of, strides_of
from pipec.pipeline.calls.descriptor import QueryWanted
from pipec.pipeline.calls.run_estimate import MIN_OPERATIONS, RunEstimate
from pipec.pipeline.calls.thread_limit import SETTING
from pipec.pipeline.queries import Box, constrained, fixed_outputs, grown_outputs, may_need_more, output_buffers
from pipec.schedule.placement import ComputeAt
from pipec.target import Target, TargetFeature, get_host_target, get_jit_target_from_environment, require_target

if TYPE_CHECKING:
    from pipec.jit.runtime.python_call import Builtin

# A condition over Params, and the words and values of the error when it is false.
Requirement = tuple[Node, tuple[Any, ...]]
Boxes = Mapping[str, Box]
MAX_QUERIES = 256


def no_fast_call(*_: Any) -> bool:
    """In place of a fast call where there can be none."""
    return False


class Runnable:
    """A compiled pipeline, its bindings by argument name, and the checks before each run."""

    def __init__(
        self,
        compiled: CompiledPipeline,
        bindings: Mapping[str, Any],
        functions: Sequence[Function],
        requirements: Sequence[Requirement],
    ) -> None:
        self.compiled, self.bindings, self.functions = compiled, dict(bindings), tuple(functions)
        self.requirements = tuple(requirements)
        self.definition = compiled.definition
        self.arguments: tuple[ProgramArgument, ...] = compiled.arguments
        outputs = output_buffers(self.definition)
        self.output_names = tuple([name for name, _, _ in outputs])
        self.output_types = tuple([self.definition.funcs[func].types[index] for _, func, index in outputs])
        self.output_parameters = output_parameters(self.functions, self.definition.outputs)
        self.alignments = _alignments(self.bindings, self.output_parameters)
        asserts = not compiled.target.has_feature(TargetFeature.NoAsserts)
        self._values_checked = asserts and bool(self.requirements or has_ranges(self.bindings))
        self.checked = bool(self._values_checked or self.alignments)
        self._grows: bool | None = None
        self._fast_call: Builtin | None = None
        self._layouts = 0
        self.called = False
        # The prebuilt call of `realize`, made by pipeline.calls.realize_call; no_fast_call where there can be none.
        self.prebuilt: Callable[[Any], Any] | None = None
        self.prebuilt_layouts = 0
        self._queries: dict[Any, dict[str, Box]] = {}
        self._estimate: RunEstimate | None = None
        self._announced = False

    def __call__(self, values: Sequence[Any]) -> None:
        """Run on `values`, one for each of `arguments`; bounds queries among them are answered instead."""
        if not self.try_fast_call(values):
            self.call_slow(values)

    def call_slow(self, values: Sequence[Any]) -> None:
        """As a call of this, for values that no fast call takes."""
        self.called = True
        try:
            if self.checked:
                self._check(values)
            if not self._announced:
                self._announce(values)
            self.compiled(values)
        except QueryWanted:
            self._answer(values)
        except PipecError as error:
            handler = self.compiled.handlers.error
            if handler is None:
                raise
            handler(str(error))

    def fast_call(self, count: int, places: Sequence[int], constants: Sequence[Any] = ()) -> Builtin | None:
        """As CompiledPipeline.fast_call; None when there is something to check before each run."""
        slow = self._estimate is not None and self._estimate.operations > MIN_OPERATIONS
        return None if self.checked or slow else self.compiled.fast_call(count, places, constants)

    def _announce(self, values: Sequence[Any]) -> None:
        """Warns about a run that would take minutes because Funcs without a schedule are computed at each use."""
        if self._estimate is None:
            # Who places Funcs has thought about it.
            directives = self.compiled.schedule.directives
            if len(self.definition.funcs) == 1 or any(isinstance(directive, ComputeAt) for directive in directives):
                self._announced = True
                return
            # Extents of reductions may depend on Params and on the sizes of images.
            numbers: dict[str, Any] = {}
            for argument, value in zip(self.arguments, values, strict=True):
                is_scalar = argument.kind is ProgramArgumentKind.SCALAR
                numbers.update({argument.name: value} if is_scalar else properties(argument.name, box_of(value)))
            self._estimate = RunEstimate(self.definition, self.compiled.schedule, numbers)
        if self._estimate.operations <= MIN_OPERATIONS:
            self._announced = True
            return
        outputs = [v for a, v in zip(self.arguments, values, strict=True) if a.kind is ProgramArgumentKind.OUTPUT]
        sizes = max([tuple([extent for _, extent in box_of(value)]) for value in outputs], key=math.prod)
        self._announced = self._estimate.announce(self.definition.outputs[0].partition("$")[0], sizes)

    def try_fast_call(self, values: Sequence[Any]) -> bool:
        """Run if a fast call can; else False, and nothing is done. The first call, often the only one, cannot."""
        if SETTING.threads is not None:
            return False
        if self._fast_call is None or self._layouts != self.compiled.layouts:
            if not self.called:
                return False
            self._layouts = self.compiled.layouts
            self._fast_call = self.fast_call(len(self.arguments), range(len(self.arguments))) or no_fast_call
        return self._fast_call(*values)

    @property
    def outputs_may_grow(self) -> bool:
        """Whether an output may have to be larger than what is asked for."""
        if self._grows is None:
            self._grows = may_need_more(self.definition, self.compiled.schedule)
        return self._grows

    def grown(self, requested: Boxes, values: Mapping[str, Any], images: Boxes) -> dict[str, Box]:
        """The boxes of outputs that hold all that computing `requested` writes; cached by size."""
        key = (_frozen(requested), tuple(values.items()), _frozen(images))
        boxes = self._queries.get(key)
        if boxes is None:
            if len(self._queries) >= MAX_QUERIES:
                self._queries.clear()
            boxes = grown_outputs(self.definition, self.compiled.schedule, requested, values, images)
            self._queries[key] = boxes
        return boxes

    def numbers(self, values: Sequence[Any]) -> dict[str, Any]:
        """The scalars, and the properties of the buffers, by name."""
        numbers: dict[str, Any] = {}
        for argument, value in zip(self.arguments, values, strict=True):
            if argument.kind is ProgramArgumentKind.SCALAR:
                numbers[argument.name] = value
            else:
                box = box_of(value)
                numbers.update(properties(argument.name, box))
                for d, stride in enumerate(strides_of(value)):
                    numbers[f"{argument.name}.stride.{d}"] = stride
        return numbers

    def _check(self, values: Sequence[Any]) -> None:
        if self._values_checked:
            check_call(self.bindings, self.requirements, self.numbers(values))
        for argument, value in zip(self.arguments, values, strict=True):
            alignment = self.alignments.get(argument.name, 1)
            if alignment > 1 and _first_address(value) % alignment:
                raise ArgumentError(
                    f"Error: The host pointer of {argument.name} is not aligned to a {alignment} bytes boundary."
                )

    def _answer(self, values: Sequence[Any]) -> None:
        """Sets the required shapes of the bounds queries among `values`."""
        boxes = {
            argument.name: box_of(value)
            for argument, value in zip(self.arguments, values, strict=True)
            if argument.kind is not ProgramArgumentKind.SCALAR
        }
        numbers = self.numbers(values)
        queries = {
            argument.name: value
            for argument, value in zip(self.arguments, values, strict=True)
            if isinstance(value, Buffer) and value.is_bounds_query()
        }
        outputs = {name: boxes[name] for name in self.output_names}
        requested = fixed_outputs(outputs, self.output_parameters, numbers, queries)
        images = {name: box for name, box in boxes.items() if name not in requested}
        definition, schedule = self.compiled.definition, self.compiled.schedule
        required = dict(grown_outputs(definition, schedule, requested, numbers, images))
        required.update(self.compiled.required(required, numbers, images))
        inputs = {argument.name for argument in self.arguments if argument.kind is ProgramArgumentKind.INPUT}
        for name, query in queries.items():
            if name in required:
                bound = self.output_parameters.get(name) or self.bindings.get(name)
                box = constrained(required[name], bound, numbers) if name in inputs else required[name]
                query.become_query_of(box, demanded_strides(bound, box, numbers))


def check_call(bindings: Mapping[str, Any], requirements: Sequence[Requirement], numbers: Mapping[str, Any]) -> None:
    """Raises ArgumentError for a Param outside of its range, RequirementError for a requirement that is false.

    `numbers`: the scalars and the properties of the buffers, by name.
    """
    check_ranges(bindings, numbers)
    for condition, parts in requirements:
        if not number_of(condition, numbers):
            raise RequirementError(f"Error: Requirement Failed: (false) {text_of_requirement(parts, numbers)}")


def _frozen(boxes: Boxes) -> tuple[Any, ...]:
    return tuple([(name, tuple(box)) for name, box in boxes.items()])


def _first_address(value: Any) -> int:
    buffer = value if isinstance(value, Buffer) else Buffer(value)
    assert buffer._memory is not None
    return address_of(buffer._memory)


def output_parameters(functions: Sequence[Function], outputs: Sequence[str]) -> dict[str, Any]:
    """The Parameters with constraints on outputs, by buffer; only those that exist."""
    parameters = {}
    for function in functions:
        if function.name in outputs:
            parameters.update({parameter.name(): parameter for parameter in function.outputs})
    return parameters


def _alignments(bindings: Mapping[str, Any], outputs: Mapping[str, Any]) -> dict[str, int]:
    alignments = {}
    for name, bound in (*bindings.items(), *outputs.items()):
        if not isinstance(bound, Buffer) and bound.is_buffer() and bound.host_alignment() > 1:
            alignments[name] = bound.host_alignment()
    return alignments


def _state(run: Runnable) -> tuple[Any, ...]:
    """All that machine code depends on and users can still change after the Funcs are frozen."""
    functions = run.functions
    outputs = output_parameters(functions, run.definition.outputs)
    schedules = [function.schedule for function in functions]
    demands = [
        bound.constraints() if isinstance(bound, Buffer) else (bound.revision, bound.traced)
        for bound in (*run.bindings.values(), *outputs.values())
    ]
    others = [
        (function, [handle.level() for handle in function.deferred.values()], dict(function.substitutes))
        for function in functions
        if function.deferred or function.substitutes
    ]
    return schedules, demands, others, [function.wrapper for function in functions]


def mentioned_in(requirements: Iterable[Requirement]) -> list[Node]:
    """The conditions and values of requirements."""
    return [part for condition, parts in requirements for part in (condition, *parts) if isinstance(part, Node)]


def jit_target(target: Target | None) -> Target:
    """The target of code that is to run in this process."""
    if target is not None:
        require_target("compile_jit", target)
    if target is None or target.is_unknown():
        return get_jit_target_from_environment()
    host = get_host_target()
    if (target.os, target.arch, target.bits) != (host.os, host.arch, host.bits):
        raise ArgumentError(
            f"Error: Code for {target} cannot run in this process, which is"
            f" {host.arch.text}-{host.bits}-{host.os.text}."
        )
    return target


def runnable(
    functions: tuple[Function, ...], target: Target | None, requirements: tuple[Requirement, ...] = ()
) -> Runnable:
    """The compiled pipeline of these outputs, compiled at the first call and after changes of schedules or demands."""
    cache = functions[0].compiled
    if target is not None:
        require_target("compile_jit", target)
    named = target is not None and not target.is_unknown()
    key = (functions, str(target) if named else os.environ.get("HL_JIT_TARGET"), requirements)
    entry = cache.get(key)
    if entry is not None:
        state, compiled_before = entry
        if state == _state(compiled_before):
            run: Runnable = compiled_before
            return run
    with gc_paused():
        definition, bindings = freeze(functions, mentioned=mentioned_in(requirements))
        chosen = jit_target(target)
        handlers = functions[0].handlers
        compiled = CompiledPipeline(for_target(definition, chosen), schedule_of(functions), chosen, handlers)
        run = Runnable(compiled, bindings, reachable(functions), requirements)
    cache[key] = (_state(run), run)
    return run
