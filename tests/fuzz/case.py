"""One random program: pipec with its schedule against the halide wheel with every Func at the root."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np

from tests.fuzz.program import Program, random_program


@dataclass(frozen=True)
class Outcome:
    """What became of a program. Kinds: same, illegal (both refuse), refused (only pipec does), skipped, different."""

    kind: str
    detail: str = ""
    program: Program | None = None


def inputs() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(7)
    a = rng.integers(0, 256, (23, 37), dtype=np.uint8)
    return {"a": a, "b": rng.integers(-32768, 32768, (40, 19), dtype=np.int16)}


def realize(hl: ModuleType, lines: list[str], size: tuple[int, int]) -> np.ndarray:
    scope: dict[str, Any] = {"hl": hl} | {name: hl.Buffer(array) for name, array in inputs().items()}
    with contextlib.redirect_stdout(io.StringIO()):  # warnings of the compilers
        exec("\n".join(lines), scope)
        return np.array(scope["out"].realize(list(size)))


def expected(program: Program) -> np.ndarray:
    import halide

    names = [line.split(" ")[0] for line in program.definition if "= hl.Func(" in line]
    roots = [f"{name}.compute_root()" for name in names if name != "out"]
    return realize(halide, [*program.definition, *roots], program.size)


def wheel_refuses(program: Program) -> bool:
    import halide

    try:
        realize(halide, program.text().splitlines(), program.size)
    except halide.HalideError:
        return True
    return False


def attempt(program: Program, wanted: np.ndarray) -> Outcome:
    """Runs the scheduled program with pipec; errors that are not pipec's own are differences."""
    import pipec

    try:
        got = realize(pipec, program.text().splitlines(), program.size)
    except pipec.HalideError as error:
        return Outcome("refused", f"{type(error).__name__}: {error}", program)
    except Exception as error:  # whatever else comes out of the compiler is a finding
        return Outcome("different", f"{type(error).__name__}: {error}", program)
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return Outcome("different", f"{got.dtype}{got.shape} instead of {wanted.dtype}{wanted.shape}", program)
    wrong = np.argwhere(got != wanted)
    if len(wrong) == 0:
        return Outcome("same")
    at = tuple(int(i) for i in wrong[0])
    return Outcome("different", f"{len(wrong)} of {got.size} pixels, first at {at}: {got[at]} != {wanted[at]}", program)


def shortened(program: Program, wanted: np.ndarray, kind: str) -> Program:
    """The program without the lines of its schedule that the failure does not need."""
    at = 0
    while at < len(program.schedule):
        shorter = replace(program, schedule=program.schedule[:at] + program.schedule[at + 1 :])
        if attempt(shorter, wanted).kind == kind and "NameError" not in attempt(shorter, wanted).detail:
            program = shorter
        else:
            at += 1
    return program


def run_seed(seed: int) -> Outcome:
    import halide

    program = random_program(seed)
    try:
        wanted = expected(program)
    except halide.HalideError as error:
        return Outcome("skipped", str(error))
    outcome = attempt(program, wanted)
    if outcome.kind == "refused":
        if "Cannot fold storage" in outcome.detail:  # newer wheels refuse it too
            return Outcome("illegal", outcome.detail)
        return Outcome("illegal", outcome.detail) if wheel_refuses(program) else outcome
    if outcome.kind == "different":
        shorter = shortened(program, wanted, "different")
        return Outcome("different", attempt(shorter, wanted).detail, shorter)
    return outcome
