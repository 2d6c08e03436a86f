"""Running a case in all of pipec's ways: from the definitions, from statements, as machine code, as a user does."""

from __future__ import annotations

import contextlib
import ctypes
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

import pipec
import pipec.pipeline.calls.memo_cache  # noqa: F401  gives machine code the cache of memoized Funcs
from pipec import records
from pipec.errors import BoundsError, CheckError, NotSupportedError, ScheduleError
from pipec.func.functions.definition import PipelineDef
from pipec.func.functions.evaluate import interpret
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.func.functions.handlers import Handlers
from pipec.ir.build import constant
from pipec.ir.interp import BudgetExceeded, run
from pipec.ir.program import Program, ProgramArgumentKind
from pipec.ir.storage import Image
from pipec.ir.verify import LoweringStage, verify
from pipec.jit.engine import compile_program
from pipec.lower.context import LoweringContext
from pipec.lower.lower import lower, unaligned
from pipec.lower.pipeline import PASSES, run_passes
from pipec.lower.planning.arguments import program_arguments
from pipec.pipeline.observation.reports import ReportedCall
from pipec.schedule.schedule import Schedule
from pipec.target import Target, TargetFeature, get_host_target
from tests.fuzz.case import Box, Case
from tests.fuzz.extern_library import load_extern_functions
from tests.fuzz.programs.builder import Builder
from tests.fuzz.programs.images import laid_out, pixels
from tests.fuzz.schedules.directives import Directive, apply

Lowering = Callable[..., Program]
Arrays = dict[str, Any]
Buffers = dict[str, Image]
BEFORE_LOOPS = PASSES[: 1 + [step.name for step in PASSES].index("fork async Funcs")]
# Cases in which redundant computation takes more steps than this are left to machine code.
STEPS = 20_000
REFUSALS = (ScheduleError, BoundsError, NotSupportedError)
# Checks that are false for some sizes under a legal schedule.
SIZE_CHECKS = ("fold", "storage_bound", "specialize_fail", "explicit_bounds")


class RefusedAtRunTime(Exception):
    """A fold or a bound of storage turned out too small for these sizes, which is an error as it should be."""


class Mismatch(AssertionError):
    """Two ways of running a case differ."""


@dataclass
class Prepared:
    """A case built on pipec and frozen."""

    case: Case
    definition: PipelineDef
    schedule: Schedule
    accepted: list[Directive]
    programs: dict[tuple[Lowering, bool], Program] = field(default_factory=dict)
    code: dict[int, Any] = field(default_factory=dict)

    def program(self, lowering: Lowering, exact_tails: bool = False) -> Program:
        """The lowered case, with exact tails or not; each is lowered once."""
        key = (lowering, exact_tails)
        if key not in self.programs:
            options = {"exact_tails": True} if exact_tails else {}
            self.programs[key] = lowering(self.definition, self.schedule, get_host_target(), **options)
            stage = LoweringStage.SCHEDULED if lowering is plan_only else LoweringStage.LOWERED
            verify(self.programs[key], stage, "lowering")
        return self.programs[key]

    def machine_code(self, program: Program) -> Any:
        """The machine code of one of the programs; each is compiled once."""
        if id(program) not in self.code:
            self.code[id(program)] = compile_program(program, get_host_target())
        return self.code[id(program)]

    def inputs(self, case: Case) -> Buffers:
        """The images of a variant of the case, by the names that the definition has for them."""
        images = {image["name"]: image for image in case.recipe["images"]}
        images_by_name = {name: images[name.split("$")[0]] for name in self.definition.images}
        return {name: Image(pixels(image), tuple(image["min"])) for name, image in images_by_name.items()}

    def scalars(self, case: Case) -> dict[str, int | float]:
        """The Params of a variant of the case."""
        return {name: case.recipe["params"][name.split("$")[0]][1] for name in self.definition.scalars}

    @cached_property
    def plain(self) -> PipelineDef:
        """The definition as it was before any directive changed it, with expressions in the place of C functions."""
        built = Builder(pipec, self.case.recipe, plain=True)
        return freeze([output.function for output in built.outputs], "main")[0]


def in_dense_memory(prepared: Prepared) -> Prepared:
    """The case without the strides of images that code knows, for the interpreter, whose memory is dense."""
    images = dict(prepared.definition.images)
    for name, image in images.items():
        strides = [None if stride is None else constant(stride) for _, _, stride in image.constraints]
        if strides not in ([], [1] + [None] * (image.dimensions - 1)):
            triples = tuple([(low, extent, None) for low, extent, _ in image.constraints])
            images[name] = records.replace(image, constraints=triples)
    if images == prepared.definition.images:
        return prepared
    return replace(prepared, definition=records.replace(prepared.definition, images=images), programs={}, code={})


def prepare(case: Case) -> Prepared:
    """Build the pipeline and apply what is legal of the schedule."""
    if uses_extern(case):
        load_extern_functions()
    built = Builder(pipec, case.recipe)
    accepted = apply(pipec, built, case.directives)
    functions = [output.function for output in built.outputs]
    return Prepared(case, freeze(functions, "main")[0], schedule_of(functions), accepted)


def uses_extern(case: Case) -> bool:
    return any("extern" in stage for stage in case.recipe["stages"])


def calls_c(prepared: Prepared) -> bool:
    """Whether C functions take part, which the interpreter cannot call."""
    return uses_extern(prepared.case) or any(directive[1] == "memoize" for directive in prepared.accepted)


def reference(prepared: Prepared, case: Case) -> Arrays:
    """The outputs of a variant straight from the definitions."""
    plain = replace(prepared, definition=prepared.plain)
    inputs = {name: (image.array, image.mins) for name, image in plain.inputs(case).items()}
    box = tuple([(low, n) for low, n in case.box])
    result = interpret(plain.definition, inputs, plain.scalars(case), dict.fromkeys(plain.definition.outputs, box))
    names = zip(plain.definition.outputs, prepared.definition.outputs, strict=True)
    return {after + key.removeprefix(before): result[key] for before, after in names for key in _keys(result, before)}


def _keys(actual: Arrays, output: str) -> list[str]:
    """The buffers of an output: itself, or one for each element of a Tuple."""
    return [key for key in actual if key == output or key.rpartition(".")[0] == output]


def plan_only(definition: PipelineDef, schedule: Schedule, target: Target, *, exact_tails: bool = False) -> Program:
    """The Program as it is before loops are changed, for the interpreter: it takes a third of the time of lowering."""
    context = LoweringContext(definition, unaligned(schedule) if exact_tails else schedule, target, exact_tails)
    run_passes(context, BEFORE_LOOPS)
    arguments, notices = program_arguments(definition), tuple(context.notices)
    return Program(definition.name, arguments, context.stmt, context.checks, notices)


def legalized(case: Case, lowering: Lowering = lower) -> Prepared:
    """The case with as much of its schedule as lowering accepts: placements become compute_root one by one."""
    while True:
        prepared = prepare(case)
        try:
            prepared.program(lowering)
            return prepared
        except REFUSALS as refusal:
            simpler = simpler_case(case)
            if simpler is None:
                raise Mismatch(f"The unplaced schedule is refused: {refusal}") from refusal
            case = simpler


def simpler_case(case: Case) -> Case | None:
    """The case with one placement or directive less, those first that are refused most often; None without any."""
    directives = list(case.directives)
    for at in reversed(range(len(directives))):
        if directives[at][2:3] == ["compute_with"]:
            return replace(case, directives=directives[:at] + directives[at + 1 :])
    for at in reversed(range(len(directives))):
        func, method = directives[at][:2]
        if method in ("store_at", "store_root", "hoist_storage", "fold_storage", "ring_buffer"):
            return replace(case, directives=directives[:at] + directives[at + 1 :])
        if method == "compute_at":
            directives[at] = [func, "compute_root"]
            return replace(case, directives=directives)
    for at in reversed(range(len(directives))):
        if directives[at][1] != "compute_root":
            return replace(case, directives=directives[:at] + directives[at + 1 :])
    return None


def execute(
    prepared: Prepared,
    case: Case,
    how: Callable[[Program, Buffers], Arrays],
    outputs: Arrays,
    lowering: Lowering = lower,
) -> Arrays:
    """Run a variant by `how(program, buffers)` and crop the outputs to its box.

    Where the program needs larger outputs it is given them, up to twice; then the variant of it is run that
    computes no more than is asked for, which may still need more for updates that write elsewhere.
    """
    # The elements of a Tuple have one shape, other outputs each their own.
    boxes = {name: [list(side) for side in case.box] for name in prepared.definition.outputs}
    program, larger, inputs = prepared.program(lowering), case.order % 3, prepared.inputs(case)
    for attempt in range(20):
        if attempt == larger + 1:
            program = prepared.program(lowering, exact_tails=True)
        buffers = dict(inputs)
        for name, array in outputs.items():
            box = boxes[_func_of(prepared, name)]
            buffers[name] = Image(np.zeros([n for _, n in box], array.dtype), tuple([low for low, _ in box]))
        try:
            result = how(program, buffers)
        except CheckError as error:
            if program.checks[error.code].kind == "expected_bounds":
                program = prepared.program(lowering, exact_tails=True)
            elif attempt != larger:
                _enlarge(prepared, boxes, program, error)
            continue
        return {name: _crop(result[name], boxes[_func_of(prepared, name)], case.box) for name in outputs}
    raise Mismatch("The program keeps asking for larger outputs.")


def _func_of(prepared: Prepared, buffer: str) -> str:
    return buffer if buffer in prepared.definition.outputs else buffer.rpartition(".")[0]


def _crop(array: Any, box: Box, part: Box) -> Any:
    return array[tuple([slice(c - low, c - low + n) for (c, n), (low, _) in zip(part, box, strict=True)])]


def _enlarge(prepared: Prepared, boxes: dict[str, Box], program: Program, error: CheckError) -> None:
    check = program.checks[error.code]
    facts = dict(check.details) | dict(zip(check.values, error.values, strict=False))
    if check.kind != "output_bounds":
        if check.kind in SIZE_CHECKS:
            raise RefusedAtRunTime(facts) from error
        raise Mismatch(f"Check {error.code} ({check.kind}) is false: {facts}") from error
    side = boxes[_func_of(prepared, facts["buffer"])][int(facts["dimension"])]
    low, high = int(facts["required min"]), int(facts["required max"])
    if low >= side[0] and high < side[0] + side[1] or high - low > 1000:
        raise Mismatch(f"Check {error.code} asks for what it was given, or for too much: {facts}, {side}") from error
    end = max(side[0] + side[1], high + 1)
    side[0] = min(side[0], low)
    side[1] = end - side[0]


def run_native(prepared: Prepared, case: Case, program: Program, buffers: Buffers) -> Arrays:
    """Run machine code of the program on buffers in the layouts that the recipe gives them."""
    compiled, scalars = prepared.machine_code(program), prepared.scalars(case)
    slots = (ctypes.c_int64 * compiled.slots)()
    stored: Arrays = {}
    at = 0
    for argument in program.arguments:
        if argument.kind is ProgramArgumentKind.SCALAR:
            value = np.array([scalars[argument.name]], argument.type.numpy())
            slots[at] = int.from_bytes(value.tobytes().ljust(8, b"\0"), "little", signed=True)
            at += 1
            continue
        image = buffers[argument.name]
        array = stored[argument.name] = image.array
        if argument.kind is ProgramArgumentKind.OUTPUT:
            array = stored[argument.name] = laid_out(array, case.recipe["output_layout"])
        slots[at] = array.ctypes.data
        at += 1
        for d in range(array.ndim):
            # As in a Buffer: numpy leaves the strides of single elements open.
            stride = array.strides[d] // array.itemsize if array.shape[d] > 1 or d else 1
            slots[at : at + 3] = image.minimum(d), array.shape[d], stride
            at += 3
    with ReportedCall(program.notices, Handlers(print=len, trace=_ignored)) as reported:
        slots[at] = reported.address
        status = compiled.call(ctypes.addressof(slots))
    if status == 1:
        raise CheckError("", int(slots[at + 1]), tuple(slots[at + 2 : at + 10]))
    if status:
        raise Mismatch(f"Machine code returned {status}.")
    return stored


def _ignored(event: object) -> int:
    """What a handler of trace events answers."""
    return 0


def compare(what: str, actual: Arrays, expected: Arrays, tolerance: float = 0.0) -> None:
    """Equal element by element, or close for floats when a tolerance is given."""
    for name, want in expected.items():
        got = actual[name]
        if want.dtype.kind == "f":
            same = np.isclose(got, want, rtol=tolerance, atol=tolerance * 100, equal_nan=True)
        else:
            same = got == want
        if not np.all(same):
            at = tuple(np.argwhere(~same)[0].tolist())
            raise Mismatch(f"{what}: {name} differs at {np.sum(~same)} of {want.size} points; at {at} "
                           f"{got[at]!r} instead of {want[at]!r}")  # fmt: skip


def check(case: Case, native: bool = True, shuffled: bool = True) -> list[Directive]:
    """All ways of running a case on pipec agree; returns the directives that were accepted."""
    prepared = legalized(case)
    check_prepared(prepared, native, shuffled)
    return prepared.accepted


def check_prepared(prepared: Prepared, native: bool = True, shuffled: bool = True) -> None:
    """All ways of running the variants of a prepared case agree.

    The interpreter is slow, and a user's call prepares everything anew: the first variant is enough for them.
    """
    for number, case in enumerate(prepared.case.variants()):
        with contextlib.suppress(RefusedAtRunTime):
            expected = reference(prepared, case)
            if number == 0 and not calls_c(prepared) and (not native or case.order % 2):
                compare("interpreted", interpreted(prepared, case, expected, shuffled), expected)
            if native:
                results = execute(prepared, case, partial(run_native, prepared, case), expected)
                compare(f"machine code for {case.box}", results, expected)
                if number == 0 and case.order % 4 == 0 and not any(low for low, _ in case.box):
                    compare("realize", realized(case, prepared.accepted, list(expected)), expected)


def interpreted(prepared: Prepared, case: Case, expected: Arrays, shuffled: bool, lowering: Lowering = lower) -> Arrays:
    """The outputs as the statements compute them; the expected ones when that takes too many steps."""
    order = random.Random(case.order) if shuffled else None

    def how(program: Program, buffers: Buffers) -> Arrays:
        return run(program, buffers, prepared.scalars(case), order=order, strict=False, budget=STEPS)

    try:
        return execute(in_dense_memory(prepared), case, how, expected, lowering)
    except BudgetExceeded:
        return expected


def lower_checked(definition: PipelineDef, schedule: Schedule, target: Target, *, exact_tails: bool = False) -> Program:
    """As `lower`, with checks of all loads and stores."""
    checked = target.with_feature(TargetFeature.Checked)
    return lower(definition, schedule, checked, exact_tails=exact_tails)


def check_accesses(case: Case) -> None:
    """Machine code stays within its memory, and uses only what it wrote."""
    prepared = legalized(case, lower_checked)
    for variant in prepared.case.variants():
        expected = reference(prepared, variant)
        with contextlib.suppress(RefusedAtRunTime):
            how = partial(run_native, prepared, variant)
            compare(f"checked for {variant.box}", execute(prepared, variant, how, expected, lower_checked), expected)


def check_plan(case: Case) -> list[Directive]:
    """The loops of a case, before all passes, give what the definitions say; returns the directives accepted."""
    if any(directive[1] in ("ring_buffer", "memoize") for directive in case.directives):
        # The interpreter has several storages of a Func only where they are parts of flat memory, and calls no C.
        return check(case)
    prepared = legalized(case, plan_only)
    expected = reference(prepared, case)
    with contextlib.suppress(RefusedAtRunTime):
        compare("before all passes", interpreted(prepared, case, expected, True, plan_only), expected)
    return prepared.accepted


def realized(case: Case, directives: list[Directive], names: list[str]) -> Arrays:
    """The outputs as a user gets them."""
    built = Builder(pipec, case.recipe)
    apply(pipec, built, directives)
    results = pipec.Pipeline(built.outputs).realize([n for _, n in case.box])
    results = list(results) if isinstance(results, tuple | list) else [results]
    return {name: np.asarray(result).T for name, result in zip(names, results, strict=True)}
