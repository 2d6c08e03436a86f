"""CompiledPipeline: a definition with its schedule as machine code, and the call of it on arrays."""

from __future__ import annotations

import ctypes
import struct
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from pipec.bounds.simplify import forget_simplified
from pipec.diagnostics import warn
from pipec.endings import at_end
from pipec.errors import ArgumentError, OverlapError
from pipec.func.buffers.arrays import address_of
from pipec.func.buffers.buffer import Buffer
from pipec.func.functions.definition import PipelineDef, is_pure_arg
from pipec.func.functions.handlers import Handlers
from pipec.ir.expr import FuncCall, ImageCall
from pipec.ir.extern_functions import require_function
from pipec.ir.program import BORDER_CHECKS, ProgramArgument, ProgramArgumentKind
from pipec.ir.walk import postorder
from pipec.jit.device import device_api, split
from pipec.jit.engine import CompiledProgram, compile_program
from pipec.jit.runtime.call_table import Profiled, ProfileMode
from pipec.jit.runtime.library import loading_runtime
from pipec.lower.legality.schedule_warnings import schedule_warnings
from pipec.pipeline.calls import compile_cache
from pipec.pipeline.calls.descriptor import ArrayShape, BufferArgument, bits_of, share_memory, spans_of
from pipec.pipeline.calls.layouts import (
    MAX_STRIDE_VARIANTS,
    Layout,
    any_strides,
    dense_arguments,
    layout_of,
    max_channels,
    with_strides,
)
from pipec.pipeline.calls.program_facts import ProgramFacts
from pipec.pipeline.calls.thread_limit import SETTING
from pipec.schedule.execution import Memoize
from pipec.schedule.placement import func_schedule, func_schedules
from pipec.schedule.schedule import Schedule
from pipec.schedule.split import Split, TailStrategy
from pipec.target import Target, TargetFeature

# Imported where they are needed: kernels, fast calls and reports are not part of most first calls.
if TYPE_CHECKING:
    from pipec.jit.runtime.device_program import DeviceProgram
    from pipec.jit.runtime.device_run import DeviceRun, MemorySpan
    from pipec.jit.runtime.python_call import Builtin, CallTable
    from pipec.pipeline.calls.device_buffer import Resident
    from pipec.pipeline.observation.group_clock import GroupClock
    from pipec.pipeline.observation.profile import Profile
    from pipec.pipeline.observation.reports import ReportedCall

_PROFILING = [TargetFeature.Profile, TargetFeature.ProfileByTimer]
CHECK_FAILED, OUT_OF_MEMORY = 1, 2
# So many profiles of runs are added up at a time: after each run it would take a good part of the run's own time.
MAX_PROFILES = 256


class _Code:
    """One variant of the machine code, from the disk cache when it is there."""

    def __init__(
        self,
        definition: PipelineDef,
        schedule: Schedule,
        target: Target,
        clock: GroupClock | None,
        exact_tails: bool = False,
    ) -> None:
        self.profiled = None if clock is None else clock.profiled
        if clock is None and target.features_any_of(_PROFILING):
            counted = target.has_feature(TargetFeature.Profile)
            mode = ProfileMode.COUNTED if counted else ProfileMode.SAMPLED
            self.profiled = Profiled(tuple(definition.funcs), mode)
        self.lowering_seconds, started = 0.0, time.perf_counter()
        key = compile_cache.pipeline_key(definition, schedule, target, exact_tails, clock is not None)
        cached = compile_cache.load(key, self.profiled is not None) if key else None
        self.cached = cached is not None
        if cached is None:
            with loading_runtime():
                cached = self._compiled(definition, schedule, target, exact_tails)
            if key:
                compile_cache.store(key, *cached)
        self.compiled, (self.arguments, self.checks, self.notices, self.device) = cached
        self.code_seconds = time.perf_counter() - started - self.lowering_seconds
        self.slots: int = self.compiled.slots
        self.calls_out = bool(self.notices) or (self.profiled is not None and clock is None)
        self._target = target
        self._programs: dict[Any, DeviceProgram] = {}
        self._width = sum(1 + 3 * argument.dimensions for argument in self.arguments)
        self._spans: tuple[tuple[int, ...], list[MemorySpan]] = ((), [])

    def _compiled(
        self, definition: PipelineDef, schedule: Schedule, target: Target, exact_tails: bool
    ) -> tuple[CompiledProgram, ProgramFacts]:
        # A pipeline found on disk needs no compiler.
        from pipec.lower.lower import lower

        started = time.perf_counter()
        program = lower(definition, schedule, target, exact_tails=exact_tails)
        self.lowering_seconds = time.perf_counter() - started
        if target.has_gpu_feature():
            program = split(program, target)
        facts = ProgramFacts(program.arguments, program.checks, program.notices, program.device)
        return compile_program(program, target, self.profiled), facts

    def run(self, slots: Sequence[int], residents: Sequence[Resident]) -> DeviceRun | None:
        """The device run of a call with these slots; None for code without kernels."""
        program = self.kernels()
        if program is None:
            _bring_to_host(residents)
            return None
        from pipec.jit.runtime.device_run import DeviceRun
        from pipec.pipeline.calls.device_buffer import residents_of

        allocations = residents_of(residents, self.device, program.device) if residents else {}
        return DeviceRun(program, lambda: self._spans_at(slots), allocations, self.profiled is not None)

    def call(self, address: int) -> int:
        """Runs the code on slots at an address, on as many threads as the calling thread may use; its status."""
        return self.compiled.call(address, SETTING.threads)

    def kernels(self) -> DeviceProgram | None:
        """The kernels, on the device where they are to run now; None where there are none."""
        if self.device is None or not self.device.kernels:
            return None
        from pipec.jit.runtime.device_program import DeviceProgram

        device = device_api(self._target).open_device(self._target.device)
        with device.lock:
            program = self._programs.get(device)
            if program is None:
                program = self._programs[device] = DeviceProgram(self.device, device, self.notices)
        return program

    def allows_fast_call(self) -> bool:
        """Whether the code runs without Python, where all data is where it is used."""
        if self.notices:
            from pipec.jit.runtime.device_program import KINDS

            return self.profiled is None and all(notice.kind in KINDS for notice in self.notices)
        return not self.calls_out

    def _spans_at(self, slots: Sequence[int]) -> list[MemorySpan]:
        """The memory of the buffers among the arguments; found once for calls on the same memory."""
        key = tuple(slots[: self._width])
        cached_key, spans = self._spans
        if key != cached_key:
            spans = spans_of(self.arguments, slots)
            self._spans = key, spans
        return spans


class CompiledPipeline:
    """The machine code of a pipeline. Calls may come from many threads at once.

    The first variant computes whole strips where the schedule splits loops, as is fastest. Buffers too tight for it are
    computed by a second one, made when first needed, in which every strip stops at the border.

    Buffers are compiled with neighbours in dimension 0 as neighbours in memory. For buffers with other strides there
    are further CompiledPipelines, made when first needed (`_for_strides`).
    """

    def __init__(
        self,
        definition: PipelineDef,
        schedule: Schedule,
        target: Target,
        handlers: Handlers | None = None,
        *,
        is_variant: bool = False,
        clock: GroupClock | None = None,
    ) -> None:
        """`is_variant`: it belongs to another one, which has warned about the schedule. `clock`: counts the time of its
        groups, in place of any other profile; then the calls may not come at once."""
        self.handlers = handlers or Handlers()
        self.definition, self.schedule, self.target = definition, schedule, target
        for text in () if is_variant else schedule_warnings(definition, schedule):
            warn(text)
        for name, func in definition.funcs.items():
            if func.extern is not None:
                require_function(func.extern.symbol, name)
            if Memoize in func_schedule(schedule, name):
                # The import lets machine code know the functions of the cache.
                from pipec.pipeline.calls import memo_cache  # noqa: F401
        self.clock = clock
        self._code = _Code(definition, schedule, target, clock)
        self.arguments: tuple[ProgramArgument, ...] = self._code.arguments
        self._exact: _Code | None = None
        self._lock = threading.Lock()
        self._profiles: list[Profile] = []
        self._calls = 0
        self._fast_call: dict[Any, tuple[CallTable, Builtin] | None] = {}
        self._pool: list[tuple[Any, int]] = []
        self._fields: list[Any] = [
            bits_of(a.type, a.name) if a.kind is ProgramArgumentKind.SCALAR else BufferArgument(a, definition)
            for a in self.arguments
        ]
        self._width = sum(1 + 3 * a.dimensions for a in self.arguments)
        self._pack = struct.Struct(f"={self._width}q").pack_into
        self._outputs = tuple([a for a in self.arguments if a.kind is ProgramArgumentKind.OUTPUT])
        self._dense = () if is_variant else tuple(dense_arguments(definition, self.arguments))
        self._by_strides: dict[Layout, CompiledPipeline] = {}
        self._exact_once: CompiledPipeline | None = None
        # The caches of lowering keep expressions and schedules of pipelines.
        at_end(self, forget_simplified)
        at_end(self, func_schedules.cache_clear)

    def __call__(self, values: Sequence[Any]) -> None:
        """Run on `values`, one for each of `arguments`: numbers, numpy arrays (dimension 0 last) and Buffers.

        Raises QueryWanted when one of them is a bounds query; nothing runs then.
        """
        slots: list[int] = []
        spans: list[ArgumentSpan] = []
        outputs: list[ArgumentSpan] = []
        keep: list[Any] = []
        residents: list[Resident] = []
        for number, (field, value) in enumerate(zip(self._fields, values, strict=True)):
            if type(field) is not BufferArgument:
                slots.append(field(value))
                continue
            if type(value) is np.ndarray:
                shape: ArrayShape = field.of_array(value)
                address = address_of(value)
                array: Any = value
            else:
                if type(value) is not Buffer:
                    value = value if isinstance(value, Buffer) else field.converted(value)
                    keep.append(value)
                address, shape = field.of_buffer(value)
                array = value._memory
                if value._device is not None:
                    residents.append((value, address, field))
            if address & field.mask:
                field.check_aligned(address)
            span = (address + shape[1], address + shape[2], number, field)
            if field.output:
                if not array.flags.writeable:
                    field.check_writable(array)
                if not shape[3]:
                    field.check_distinct(array if array is value else array.T)
                outputs.append(span)
            else:
                spans.append(span)
            slots.append(address)
            slots += shape[0]
        if len(self._outputs) > 1:
            self._check_outputs(values)
        code = self._for_overlaps(values, slots, spans, outputs) if outputs else self
        layout = layout_of(slots, self._dense)
        (code._for_strides(layout) if layout else code)._run(slots, residents)

    def _for_overlaps(
        self, values: Sequence[Any], slots: Sequence[int], spans: list[ArgumentSpan], outputs: Sequence[ArgumentSpan]
    ) -> CompiledPipeline:
        """The code for outputs that lie in the memory of inputs; an error where that changes pixels."""
        code = self
        for low, high, number, field in outputs:
            for other_low, other_high, other_number, other in spans:
                if low < other_high and other_low < high and self._share(values, number, other_number):
                    if not self._is_in_place(slots, field, other):
                        raise _overlap(field, other)
                    code = self._in_place()
            spans.append((low, high, number, field))
        return code

    def _is_in_place(self, slots: Sequence[int], output: BufferArgument, other: BufferArgument) -> bool:
        """Whether the only output lies exactly where an input does, and each element depends on that one alone."""
        if other.output or len(self._outputs) > 1 or self.target.has_gpu_feature():
            return False
        places = {}
        at = 0
        for argument in self.arguments:
            end = at + 1 + 3 * argument.dimensions
            places[argument.name] = slots[at:end]
            at = end
        same_type = output.dtype == other.dtype
        return same_type and places[output.name] == places[other.name] and is_pointwise(self.definition)

    def _in_place(self) -> CompiledPipeline:
        """The variant that computes each element once, so that an output may overwrite its input.

        Splits end their loops exactly: other tails compute elements again, from inputs that have been overwritten.
        """
        with self._lock:
            if self._exact_once is None:
                directives = [
                    directive.replace(tail=TailStrategy.GuardWithIf) if isinstance(directive, Split) else directive
                    for directive in self.schedule.directives
                ]
                arguments = self.definition, Schedule(tuple(directives)), self.target, self.handlers
                self._exact_once = CompiledPipeline(*arguments, is_variant=True, clock=self.clock)
                self._exact_once._dense = self._dense
            return self._exact_once

    def _for_strides(self, layout: Layout) -> CompiledPipeline:
        """The variant for buffers with strides other than 1 in dimension 0, or with interleaved channels."""
        with self._lock:
            if layout not in self._by_strides and len(self._by_strides) >= MAX_STRIDE_VARIANTS:
                layout = any_strides(layout)
            if layout not in self._by_strides:
                definition = with_strides(self.definition, {image.name: image for _, image in self._dense}, layout)
                arguments = definition, self.schedule, self.target, self.handlers
                self._by_strides[layout] = CompiledPipeline(*arguments, is_variant=True, clock=self.clock)
            return self._by_strides[layout]

    def _run(self, slots: list[int], residents: Sequence[Resident]) -> None:
        try:
            memory, address = self._pool.pop()
        except IndexError:
            memory = (ctypes.c_int64 * self._code.slots)()
            address = ctypes.addressof(memory)
        self._pack(memory, 0, *slots)
        self._calls += 1
        if self._code.calls_out:
            self._run_reporting(memory, address, residents)
        else:
            _bring_to_host(residents)
            if self.clock is not None:
                memory[self._width] = self.clock.address
            status = self._code.call(address)
            if status:
                self._recover(status, memory, address)
        self._pool.append((memory, address))

    def _run_reporting(self, memory: Any, address: int, residents: Sequence[Resident]) -> None:
        """As `_run`, for programs that report while they run."""
        from pipec.pipeline.observation.profile import Counters, total_of
        from pipec.pipeline.observation.reports import ReportedCall

        code, clock = self._code, self.clock
        counters = None if code.profiled is None or clock is not None else Counters(code.profiled)
        counting = counters if clock is None else clock.counters
        with ReportedCall(code.notices, self.handlers, 0 if counting is None else counting.address) as reported:
            memory[self._width] = reported.address
            reported.run = code.run(memory, residents)
            with nullcontext() if counters is None else counters.observing():
                status = code.call(address)
                if status:
                    self._recover(status, memory, address, reported, residents)
            reported.finish()
            if counters is not None:
                profile = counters.profile(self.definition.name, reported.run)
                with self._lock:
                    if len(self._profiles) == MAX_PROFILES:
                        self._profiles = [total_of(self._profiles)]
                    self._profiles.append(profile)
                reported.write(str(profile))

    def _recover(
        self,
        status: int,
        memory: Any,
        address: int,
        reported: ReportedCall | None = None,
        residents: Sequence[Resident] = (),
    ) -> None:
        """Runs the exact variant after a failed border check; raises the error when that fails too."""
        code, first = self._code, self._width + 1
        if status == CHECK_FAILED and code.checks[memory[first]].kind in BORDER_CHECKS:
            shapes = self._shapes(memory).values()
            if all(any(extent == 0 for _, extent in box) for word, box in shapes if word == "Output"):
                return  # an empty output reads nothing
            code = self.exact_code()
            if reported is not None:
                reported.notices = code.notices
                reported.run = code.run(memory, residents)
            status = code.call(address)
            if status == 0:
                return
        if reported is not None and reported.error is not None:
            raise reported.error
        from pipec.pipeline.calls.error_text import error_of_check, error_of_memory, error_of_status

        if status == CHECK_FAILED:
            values = memory[first + 1 : code.slots]
            raise error_of_check(code.checks[memory[first]], values, self._shapes(memory))
        if status == OUT_OF_MEMORY:
            raise error_of_memory(self.definition.name, memory[first + 1])
        raise error_of_status(self.definition.name, status)

    def exact_code(self) -> _Code:
        """The variant in which every strip stops at the border."""
        with self._lock:
            if self._exact is None:
                self._exact = _Code(self.definition, self.schedule, self.target, self.clock, exact_tails=True)
                for call in filter(None, self._fast_call.values()):
                    self._add_exact(call[0], self._exact)
            return self._exact

    def _borders(self) -> list[bool]:
        return [check.kind in BORDER_CHECKS for check in self._code.checks]

    def fast_call(self, count: int, places: Sequence[int], constants: Sequence[Any] = ()) -> Builtin | None:
        """A builtin that does the same, or nothing and gives False; None where there can be none.

        It takes so many values, in another order: number `places[i]` of them, followed by `constants`, is argument i.
        """
        key = count, tuple(places), *map(id, constants)
        with self._lock:
            if key not in self._fast_call:
                self._fast_call[key] = self._make_fast_call(count, places, constants)
            call = self._fast_call[key]
            variants = list(self._by_strides.values())
        own = None if call is None else call[1]
        calls = list(filter(None, [own, *[variant.fast_call(count, places, constants) for variant in variants]]))
        return _first_of(calls) if len(calls) > 1 else calls[0] if calls else None

    @property
    def layouts(self) -> int:
        """How many memory layouts there is code for, which the fast calls of that moment can run."""
        return 1 + len(self._by_strides)

    def _make_fast_call(
        self, count: int, places: Sequence[int], constants: Sequence[Any]
    ) -> tuple[CallTable, Builtin] | None:
        # A failed call runs again for its error text, which extern functions could notice.
        code = self._code
        if not code.allows_fast_call() or any(func.extern is not None for func in self.definition.funcs.values()):
            return None
        from pipec.jit.runtime.python_call import builtin
        from pipec.pipeline.calls.fast_call import call_table

        interleaved = {image.name: max_channels(image) for _, image in self._dense}
        arguments = self.arguments, self.definition, count, places, constants, code.kernels(), self.clock, interleaved
        table = call_table(code.compiled, *arguments)
        if table is None:
            return None
        if self._exact is not None:
            self._add_exact(table, self._exact)
        return table, builtin(table)

    def _add_exact(self, table: CallTable, exact: _Code) -> None:
        from pipec.pipeline.calls.fast_call import add_exact

        add_exact(table, exact.compiled, self._borders(), exact.kernels())

    def _variants(self) -> list[CompiledPipeline]:
        """Those made so far for other strides, and for an output in the memory of its input."""
        return [*self._by_strides.values(), *([] if self._exact_once is None else [self._exact_once])]

    @property
    def calls(self) -> int:
        """Runs so far."""
        fast = [call[0].calls for call in self._fast_call.values() if call is not None]
        return self._calls + sum(fast) + sum([other.calls for other in self._variants()])

    @property
    def profile(self) -> Profile | None:
        """The profile of all runs; None when none was profiled."""
        from pipec.pipeline.observation.profile import total_of

        profiles = self.profiles
        return total_of(profiles) if profiles else None

    @property
    def profiles(self) -> list[Profile]:
        """The profiles of single runs, those of the oldest in one."""
        return self._profiles + [profile for other in self._variants() for profile in other.profiles]

    def codes(self) -> list[_Code]:
        """The variants made so far."""
        own = [self._code] if self._exact is None else [self._code, self._exact]
        return own + [code for other in self._variants() for code in other.codes()]

    def required(
        self, outputs: Mapping[str, Any], values: Mapping[str, Any], images: Mapping[str, Any]
    ) -> dict[str, list[tuple[int, int]]]:
        """Returns the box that each input must cover to compute these boxes of the outputs."""
        from pipec.lower.required_boxes import RegionQuery

        return RegionQuery(self.definition, self.schedule).boxes(outputs, values, images)

    def _shapes(self, memory: Any) -> Mapping[str, tuple[str, list[tuple[int, int]]]]:
        shapes = {}
        position = 0
        for argument in self.arguments:
            if argument.kind is not ProgramArgumentKind.SCALAR:
                box = [
                    (memory[at], memory[at + 1]) for at in range(position + 1, position + 3 * argument.dimensions, 3)
                ]
                shapes[argument.name] = ("Output" if argument.kind is ProgramArgumentKind.OUTPUT else "Input", box)
            position += 1 + 3 * argument.dimensions
        return shapes

    # Rare cases: several outputs, and outputs whose memory interleaves with that of other buffers.

    def _check_outputs(self, values: Sequence[Any]) -> None:
        """The buffers of one Func's values must have the same bounds."""
        boxes: dict[str, list[tuple[int, int]]] = {}
        for argument, value in zip(self.arguments, values, strict=True):
            if argument.kind is ProgramArgumentKind.OUTPUT:
                boxes[argument.name] = box_of(value)
        for name in self.definition.outputs:
            for index in range(1, len(self.definition.funcs[name].types)):
                first, other = f"{name}.0", f"{name}.{index}"
                for d, (a, b) in enumerate(zip(boxes[first], boxes[other], strict=True)):
                    for what, expected, actual in (("min", a[0], b[0]), ("extent", a[1], b[1])):
                        if expected != actual:
                            raise ArgumentError(
                                f"Error: Constraint violated: {other}.{what}.{d} ({actual}) == {first}.{what}.{d}"
                                f" ({expected})\nThe buffers of the values of {name} must cover the same coordinates."
                            )

    def _share(self, values: Sequence[Any], output: int, other: int) -> bool:
        """Whether two arguments, by number, have an element in common."""
        return share_memory(array_of(values[output]), array_of(values[other]))


def _first_of(calls: Sequence[Builtin]) -> Builtin:
    """What calls one after the other until one has run."""
    return lambda *values: any(call(*values) for call in calls)


def _overlap(output: BufferArgument, other: BufferArgument) -> OverlapError:
    word = "output" if other.output else "input"
    return OverlapError(
        f"Error: The output buffer {output.name} shares memory with the {word} buffer {other.name}. What is written"
        " would change what is still to be read, in an order that depends on the schedule: pass separate arrays, for"
        " example array.copy(). Only a pipeline whose one output depends at each point on that point of the input may"
        " write into the input, in exactly its memory."
    )


def is_pointwise(definition: PipelineDef) -> bool:
    """Whether each value of the pipeline depends on images and other Funcs at the same point only."""
    for func in definition.funcs.values():
        if not func.pure:
            return False
        for node in postorder(*func.stages[0].values):
            if isinstance(node, FuncCall | ImageCall) and not (
                len(node.args) == len(func.args) and all(map(is_pure_arg, node.args, func.args))
            ):
                return False
    return True


ArgumentSpan = tuple[int, int, int, BufferArgument]
"""The first byte of an argument and the one after its last, its number, and what it is."""


def _bring_to_host(residents: Sequence[Resident]) -> None:
    """Copies the newest contents of Buffers from the device to the host."""
    if residents:
        from pipec.pipeline.calls.device_buffer import residents_of

        residents_of(residents, None)


def array_of(value: Any) -> np.ndarray:
    """The numpy array of an argument."""
    array = (
        value._memory if isinstance(value, Buffer) else value if isinstance(value, np.ndarray) else Buffer(value)._array
    )
    assert array is not None
    return array


def box_of(value: Any) -> list[tuple[int, int]]:
    """(min, extent) of each dimension of an argument, dimension 0 first."""
    buffer = value if isinstance(value, Buffer) else Buffer(value)
    return [(minimum, extent) for minimum, extent, _ in buffer._dims]


def strides_of(value: Any) -> list[int]:
    """The stride in elements of each dimension of an argument, dimension 0 first."""
    buffer = value if isinstance(value, Buffer) else Buffer(value)
    return [stride for _, _, stride in buffer._dims]
