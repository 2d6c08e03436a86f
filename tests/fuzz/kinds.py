"""The kinds of cases of the fuzzer, how often each is drawn, and how a failure of each becomes a small program."""

from __future__ import annotations

import contextlib
import io
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from pipec.errors import InternalError, NotSupportedError, PipecError, UnboundedError
from tests.fuzz import wrong_programs
from tests.fuzz.c_files import check_c
from tests.fuzz.case import Case, make_case
from tests.fuzz.choices import Choices, shrink_choices
from tests.fuzz.gradients import Draws, check_compiled, check_gradient, definitions_text, pipeline
from tests.fuzz.opencl import check_opencl, make_gpu_case
from tests.fuzz.refusals import check_refusals
from tests.fuzz.runs import Mismatch, check, check_accesses
from tests.fuzz.schedules.nested_splits import nested_case
from tests.fuzz.searches import check_search
from tests.fuzz.shrink import program_text, shrink
from tests.fuzz.states import check_state, make_unscheduled_case
from tests.fuzz.wheel import check_wheel

FAILURES = (
    Mismatch,
    InternalError,
    AssertionError,
    ArithmeticError,
    LookupError,
    TypeError,
    AttributeError,
    ValueError,
)


@dataclass(frozen=True)
class Outcome:
    """What became of a seed: `failure` is empty when all ways agree; `cases` is the number of runs compared."""

    cases: int
    failure: str = ""
    program: str = ""


class Kind(Protocol):
    """A kind of cases: what becomes of a seed, and its program as drawn."""

    def run(self, seed: int) -> Outcome: ...

    def program(self, seed: int) -> str: ...


@dataclass(frozen=True)
class CaseKind:
    """Random pipelines, schedules, inputs and boxes, checked in some way."""

    check: Callable[[Case], object]
    make: Callable[[int], Case] = make_case
    boxes: int = 16

    def failure(self, case: Case) -> str:
        """What is wrong with a case, in one line; empty when nothing is."""
        try:
            self.check(case)
        except FAILURES as error:
            return f"{type(error).__name__}: {error}"
        except PipecError as error:
            # While shrinking, parts are left out without which the program has no meaning.
            return f"{type(error).__name__} (refused): {error}"
        return ""

    def program(self, seed: int) -> str:
        """The program of a seed, as it is drawn."""
        case = self.make(seed)
        return f"{program_text(case)}\n# {case.text}"

    def run(self, seed: int) -> Outcome:
        """The program of a seed with all its boxes and inputs; a failure is made small."""
        case = replace(self.make(seed), boxes=self.boxes)
        failure = self.failure(case)
        if not failure:
            return Outcome(self.boxes)
        kind = failure.split(":")[0]

        def fails(smaller: Case) -> bool:
            return self.failure(smaller).split(":")[0] == kind

        case = next((one for one in case.variants() if fails(one)), case)
        small = shrink(case, fails)
        return Outcome(self.boxes, self.failure(small) or failure, f"{program_text(small)}\n# {small.text}")


@dataclass(frozen=True)
class GradientKind:
    """Random pipelines that are differentiated."""

    check: Callable[[Draws], None]

    def failure(self, draws: Draws) -> str:
        """What is wrong with the gradient of a pipeline, in one line; empty when nothing is."""
        try:
            self.check(draws)
        except (NotSupportedError, UnboundedError):
            return ""
        except (*FAILURES, PipecError) as error:
            return f"{type(error).__name__}: {error}"
        return ""

    def program(self, seed: int) -> str:
        """The definitions that a seed draws."""
        return definitions_text(pipeline(Choices(seed))[0])

    def run(self, seed: int) -> Outcome:
        """The gradient of the pipeline of a seed; a failure is made small."""
        failure = self.failure(lambda: Choices(seed))
        if not failure:
            return Outcome(1)
        kind, first = failure.split(":")[0], Choices(seed)
        pipeline(first)

        def fails(draws: list[float]) -> bool:
            return self.failure(lambda: Choices(draws=draws)).split(":")[0] == kind

        draws = shrink_choices(first.drawn, fails)
        text = definitions_text(pipeline(Choices(draws=draws))[0])
        return Outcome(1, self.failure(lambda: Choices(draws=draws)) or failure, f"{text}\n# {draws}")


class WrongProgramKind:
    """Mutated programs, each of which must end well or with an error that is raised on purpose."""

    def program(self, seed: int) -> str:
        """The mutated program of a seed."""
        return wrong_programs.text_of(wrong_programs.mutated_program(seed))

    def run(self, seed: int) -> Outcome:
        """How the program of a seed ends."""
        return Outcome(1, *wrong_programs.check_wrong_program(seed))


# Name: (weight, kind). The cheaper a kind, the more often it is drawn.
KINDS: dict[str, tuple[float, Kind]] = {
    "pipelines": (40, CaseKind(check, boxes=40)),
    "splits": (10, CaseKind(check, nested_case, boxes=40)),
    "checked": (8, CaseKind(check_accesses)),
    "wrong programs": (20, WrongProgramKind()),
    "refusals": (20, CaseKind(check_refusals, boxes=1)),
    "wheel": (5, CaseKind(check_wheel, boxes=40)),
    "C": (3, CaseKind(lambda case: check_c(case, "c"))),
    "objects": (3, CaseKind(lambda case: check_c(case, "o"))),
    "OpenCL": (4, CaseKind(check_opencl, make_gpu_case)),
    "states": (5, CaseKind(check_state, make_unscheduled_case)),
    "searches": (2, CaseKind(check_search, make_unscheduled_case)),
    "gradients": (5, GradientKind(check_gradient)),
    "compiled gradients": (1, GradientKind(check_compiled)),
}


def run_seed(kind: str, seed: int) -> Outcome:
    """What becomes of one seed of a kind."""
    with contextlib.redirect_stdout(io.StringIO()):  # warnings
        return KINDS[kind][1].run(seed)


def program_of_seed(kind: str, seed: int) -> str:
    """The program of a seed, not made small."""
    return KINDS[kind][1].program(seed)


def kind_of(seed: int) -> str:
    """The kind that a seed draws."""
    names, weights = list(KINDS), [weight for weight, _ in KINDS.values()]
    return random.Random(seed).choices(names, weights)[0]
