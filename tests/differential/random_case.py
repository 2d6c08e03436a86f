"""One random case: a recipe, a schedule and a size; and the check that every way of running it gives the same."""

from __future__ import annotations

import contextlib
import ctypes
import io
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from random_pipeline import Generator, Recipe
from random_schedule import ScheduleGenerator
from recipe_builder import Builder, image_array
from schedule_text import MAKING, Directive, apply, parts

import pipec
from pipec.errors import BoundsError, CheckError, NotSupportedError, ScheduleError
from pipec.func.functions.definition import PipelineDef
from pipec.func.functions.evaluate import interpret
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.ir.interp import BudgetExceeded, run
from pipec.ir.program import Program, ProgramArgumentKind
from pipec.ir.storage import Image
from pipec.ir.verify import LoweringStage, verify
from pipec.jit.engine import compile_program
from pipec.lower.context import LoweringContext
from pipec.lower.lower import lower, unaligned
from pipec.lower.pipeline import PASSES, run_passes
from pipec.lower.planning.arguments import program_arguments
from pipec.schedule.schedule import Schedule
from pipec.target import Target, TargetFeature, get_host_target

Lowering = Callable[..., Program]
Arrays = dict[str, Any]
Buffers = dict[str, Image]
BEFORE_LOOPS = PASSES[: 1 + [step.name for step in PASSES].index("fork async Funcs")]
SIDES = [1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 17]
# Cases in which redundant computation takes more steps than this are left to machine code.
STEPS = 60_000
REFUSALS = (ScheduleError, BoundsError, NotSupportedError)


@dataclass(frozen=True)
class Case:
    """Everything that a run depends on; `text` gives it back."""

    recipe: Recipe
    directives: list[Directive]
    box: list[list[int]]
    order: int = 0
    # How many boxes the compiled case is run for.
    boxes: int = 1

    def all_boxes(self) -> list[list[list[int]]]:
        """`box` and random others, to be computed by the same program."""
        r = random.Random(self.order)
        others = [
            [[r.choice((0, 0, 0, low, -3, 4)), r.choice(SIDES)] for low, _ in self.box] for _ in range(self.boxes - 1)
        ]
        return [self.box, *others]

    @property
    def text(self) -> str:
        """The case as one line of JSON."""
        return json.dumps([self.recipe, self.directives, self.box, self.order, self.boxes])

    @staticmethod
    def of_text(text: str) -> Case:
        return Case(*json.loads(text))


def make_case(seed: int) -> Case:
    """The case of a seed."""
    r = random.Random(seed)
    recipe = Generator(r.getrandbits(48)).make()
    directives = ScheduleGenerator(recipe, r.getrandbits(48)).make()
    mins = [0, 0] if r.random() < 0.8 else [r.randint(-5, 5), r.randint(-5, 5)]
    return Case(recipe, directives, [[low, r.choice(SIDES)] for low in mins], r.getrandbits(16))


class RefusedAtRunTime(Exception):
    """A fold or a bound of storage turned out too small for these sizes, which is an error as it should be."""


class Mismatch(AssertionError):
    """Two ways of running a case differ."""


@dataclass
class Prepared:
    """A case built on pipec and frozen."""

    case: Case
    definition: Any
    schedule: Schedule
    accepted: list[Directive]
    inputs: dict[str, Image]
    scalars: dict[str, int | float]
    programs: dict[tuple[Lowering, bool], Program] = field(default_factory=dict)
    code: dict[int, Any] = field(default_factory=dict)

    def program(self, lowering: Lowering, exact_tails: bool = False) -> Program:
        """The lowered case; each variant is lowered once."""
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

    def with_box(self, box: list[list[int]]) -> Prepared:
        """The same programs, for another box of the outputs."""
        return replace(self, case=replace(self.case, box=box))


def prepare(case: Case) -> Prepared:
    """Build the pipeline and apply what is legal of the schedule."""
    built = Builder(pipec, case.recipe)
    accepted = apply(pipec, built, case.directives)
    functions = [output.function for output in built.outputs]
    definition, bindings = freeze(functions, "main")
    images = {image["name"]: image for image in case.recipe["images"]}
    inputs: dict[str, Image] = {}
    scalars: dict[str, int | float] = {}
    for name, live in bindings.items():
        if name in definition.scalars:
            scalars[name] = live.scalar()
        else:
            image = images[name.split("$")[0]]
            inputs[name] = Image(image_array(image).T, tuple(image["min"]))
    return Prepared(case, definition, schedule_of(functions), accepted, inputs, scalars)


def reference(prepared: Prepared) -> Arrays:
    """The outputs straight from the definitions, as they were before any directive changed them."""
    if any(parts(directive)[1] in MAKING for directive in prepared.accepted):
        plain = prepare(replace(prepared.case, directives=[]))
        result = reference(plain)
        names = zip(plain.definition.outputs, prepared.definition.outputs, strict=True)
        return {
            after + key.removeprefix(before): result[key] for before, after in names for key in _keys(result, before)
        }
    inputs = {name: (image.array, image.mins) for name, image in prepared.inputs.items()}
    box = tuple([(low, n) for low, n in prepared.case.box])
    boxes = {name: box for name in prepared.definition.outputs}
    return interpret(prepared.definition, inputs, prepared.scalars, boxes)


def _keys(found: Arrays, output: str) -> list[str]:
    """The buffers of an output: itself, or one for each element of a Tuple."""
    return [key for key in found if key == output or key.rpartition(".")[0] == output]


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
            simpler = _without_one_placement(case)
            if simpler is None:
                raise Mismatch(f"The unplaced schedule is refused: {refusal}") from refusal
            case = simpler


def _without_one_placement(case: Case) -> Case | None:
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
    how: Callable[[Program, Buffers], Arrays],
    outputs: Arrays,
    larger: int,
    lowering: Lowering = lower,
) -> Arrays:
    """Run by `how(program, buffers)` and crop the outputs to the case's box.

    Where the program needs larger outputs it is given them, `larger` times; then the variant of it is run that
    computes no more than is asked for, which may still need more for updates that write elsewhere.
    """
    # The elements of a Tuple have one shape, other outputs each their own.
    boxes = {name: [list(side) for side in prepared.case.box] for name in prepared.definition.outputs}
    program = prepared.program(lowering)
    for attempt in range(20):
        if attempt == larger + 1:
            program = prepared.program(lowering, exact_tails=True)
        buffers = dict(prepared.inputs)
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
        return {name: _crop(result[name], boxes[_func_of(prepared, name)], prepared.case.box) for name in outputs}
    raise Mismatch("The program keeps asking for larger outputs.")


def _func_of(prepared: Prepared, buffer: str) -> str:
    return buffer if buffer in prepared.definition.outputs else buffer.rpartition(".")[0]


def _crop(array: Any, box: list[list[int]], wanted: list[list[int]]) -> Any:
    return array[tuple([slice(c - low, c - low + n) for (c, n), (low, _) in zip(wanted, box, strict=True)])]


def _enlarge(prepared: Prepared, boxes: dict[str, list[list[int]]], program: Program, error: CheckError) -> None:
    check = program.checks[error.code]
    facts = dict(check.details) | dict(zip(check.values, error.values, strict=False))
    if check.kind != "output_bounds":
        if check.kind in ("fold", "storage_bound"):
            raise RefusedAtRunTime(facts) from error
        raise Mismatch(f"Check {error.code} ({check.kind}) is false: {facts}") from error
    side = boxes[_func_of(prepared, facts["buffer"])][int(facts["dimension"])]
    low, high = int(facts["required min"]), int(facts["required max"])
    if low >= side[0] and high < side[0] + side[1] or high - low > 1000:
        raise Mismatch(f"Check {error.code} asks for what it was given, or for too much: {facts}, {side}") from error
    end = max(side[0] + side[1], high + 1)
    side[0] = min(side[0], low)
    side[1] = end - side[0]


def run_native(prepared: Prepared, program: Program, buffers: Buffers) -> Arrays:
    """Run machine code of the program."""
    compiled, scalars = prepared.machine_code(program), prepared.scalars
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
        # Rows are not packed one after the other in memory: strides count.
        wide = np.zeros([n + 3 * (d == 0) for d, n in enumerate(image.array.shape)], image.array.dtype, order="F")
        array = stored[argument.name] = wide[: image.array.shape[0]]
        array[...] = image.array
        slots[at] = array.ctypes.data
        at += 1
        for d in range(array.ndim):
            slots[at : at + 3] = image.minimum(d), array.shape[d], array.strides[d] // array.itemsize
            at += 3
    status = compiled.call(ctypes.addressof(slots))
    if status == 1:
        raise CheckError("", int(slots[at + 1]), tuple(slots[at + 2 : at + 10]))
    if status:
        raise Mismatch(f"Machine code returned {status}.")
    return stored


def run_wheel(case: Case) -> list[Any]:
    """The outputs of the halide wheel with every Func at the root, dimension 0 first."""
    import halide

    built = Builder(halide, case.recipe)
    for name, func in built.funcs.items():
        if name not in case.recipe["outputs"]:
            func.compute_root()
    with contextlib.redirect_stdout(io.StringIO()):
        results = halide.Pipeline(built.outputs).realize([n for _, n in case.box])
    return [np.asarray(result).T for result in (results if isinstance(results, tuple | list) else [results])]


def compare(what: str, found: Arrays, expected: Arrays, tolerance: float = 0.0) -> None:
    """Equal element by element, or close for floats when a tolerance is given."""
    for name, want in expected.items():
        got = found[name]
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
    for number, box in enumerate(case.all_boxes()):
        with contextlib.suppress(RefusedAtRunTime):
            # The interpreter is slow, and a user's call prepares everything anew: the first box is enough for them.
            check_prepared(prepared.with_box(box), native, shuffled, only_native=number > 0)
    return prepared.accepted


def lower_checked(definition: PipelineDef, schedule: Schedule, target: Target, *, exact_tails: bool = False) -> Program:
    """As `lower`, with checks of all loads and stores."""
    checked = target.with_feature(TargetFeature.Checked)
    return lower(definition, schedule, checked, exact_tails=exact_tails)


def check_accesses(case: Case) -> list[Directive]:
    """Machine code stays within its memory, and uses only what it wrote; returns the directives accepted."""
    prepared = legalized(case, lower_checked)
    for box in case.all_boxes():
        boxed = prepared.with_box(box)
        expected = reference(boxed)

        def compiled(program: Program, buffers: Buffers, boxed: Prepared = boxed) -> Arrays:
            return run_native(boxed, program, buffers)

        with contextlib.suppress(RefusedAtRunTime):
            result = execute(boxed, compiled, expected, case.order % 3, lower_checked)
            compare(f"machine code with checks for {box}", result, expected)
    return prepared.accepted


def check_plan(case: Case) -> list[Directive]:
    """The loops of a case, before all passes, give what the definitions say; returns the directives accepted."""
    if any(directive[1] == "ring_buffer" for directive in case.directives):
        # The interpreter has several storages of a Func only where they are parts of flat memory.
        return check(case, native=False)
    prepared = legalized(case, plan_only)
    expected = reference(prepared)
    order = random.Random(case.order)

    def interpreted(program: Program, buffers: Buffers) -> Arrays:
        return run(program, buffers, prepared.scalars, order=order, strict=False, budget=STEPS)

    with contextlib.suppress(BudgetExceeded, RefusedAtRunTime):
        result = execute(prepared, interpreted, expected, case.order % 3, plan_only)
        compare("before all passes", result, expected)
    return prepared.accepted


def check_prepared(prepared: Prepared, native: bool, shuffled: bool, only_native: bool = False) -> None:
    """All ways of running a prepared case agree."""
    case, expected = prepared.case, reference(prepared)
    order = random.Random(case.order) if shuffled else None
    larger = case.order % 3

    def interpreted(program: Program, buffers: Buffers) -> Arrays:
        return run(program, buffers, prepared.scalars, order=order, strict=False, budget=STEPS)

    def compiled(program: Program, buffers: Buffers) -> Arrays:
        return run_native(prepared, program, buffers)

    if not only_native:
        with contextlib.suppress(BudgetExceeded):
            compare("interpreted", execute(prepared, interpreted, expected, larger), expected)
    if native:
        compare(f"machine code for {case.box}", execute(prepared, compiled, expected, larger), expected)
    if native and not only_native and case.order % 4 == 0 and not any(low for low, _ in case.box):
        compare("realize", realized(case, prepared.accepted, list(expected)), expected)


def realized(case: Case, directives: list[Directive], names: list[str]) -> Arrays:
    """The outputs as a user gets them."""
    built = Builder(pipec, case.recipe)
    apply(pipec, built, directives)
    with contextlib.redirect_stdout(io.StringIO()):
        results = pipec.Pipeline(built.outputs).realize([n for _, n in case.box])
    results = list(results) if isinstance(results, tuple | list) else [results]
    return {name: np.asarray(result).T for name, result in zip(names, results, strict=True)}


def check_wheel(case: Case) -> bool:
    """The reference evaluator agrees with the halide wheel; False when known defects of the wheel may show."""
    case = replace(case, box=[[0, n] for _, n in case.box], directives=[])
    if not comparable_with_wheel(case.recipe):
        return False
    expected = reference(prepare(case))
    compare("wheel", dict(zip(expected, run_wheel(case), strict=True)), expected)
    return True


def comparable_with_wheel(recipe: Recipe) -> bool:
    """Whether the wheel gives what the definitions say.

    It mistakes minima and maxima over reductions, and fuses float operations, which shows where these are inexact.
    """
    text = json.dumps(recipe)
    # Divisions by 3 and 7, scans that halve, roots.
    inexact = re.search(r'"sqrt"|"f(32|64)", (0\.5|3\.0|7\.0)\]', text) is not None
    extremes = [json.dumps(u["values"]) for stage in recipe["stages"] for u in stage["updates"] if u["rdom"]]
    mistaken = any(f'"{op}"' in values for values in extremes for op in ("min", "max", "select"))
    return not inexact and not mistaken and "maximum" not in text
