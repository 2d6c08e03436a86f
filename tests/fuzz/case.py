"""One seed: its random case run in all ways, and when they differ, the case made small and written as a program."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "differential"))

from random_case import Case, Mismatch, check, check_accesses, check_wheel, make_case  # noqa: E402
from shrink import program_text, shrink  # noqa: E402

from pipec.errors import InternalError, PipecError  # noqa: E402

# One program in so many is compared with the halide wheel too, which takes longer than all other ways together.
WHEEL_EVERY = 10
# One in so many is run with checks of its memory too.
CHECKED_EVERY = 4
BOXES = 8  # for each program, which is compiled once
FAILURES = (Mismatch, InternalError, AssertionError, ArithmeticError, LookupError, TypeError, AttributeError)


@dataclass(frozen=True)
class Outcome:
    """What became of a seed: `failure` is empty when all ways agree."""

    failure: str = ""
    program: str = ""


def failure_of(case: Case, seed: int) -> str:
    """What is wrong with the case of a seed, in one line; empty when nothing is."""
    try:
        check(case)
        if seed % WHEEL_EVERY == 0:
            check_wheel(case)
        if seed % CHECKED_EVERY == 0:
            check_accesses(case)
    except FAILURES as error:
        return f"{type(error).__name__}: {error}"
    except PipecError as error:
        # While shrinking, parts are left out without which the program has no meaning.
        return f"refused: {error}"
    return ""


def run_seed(seed: int) -> Outcome:
    """Runs the program of a seed for all its boxes."""
    case = replace(make_case(seed), boxes=BOXES)
    failure = failure_of(case, seed)
    if not failure:
        return Outcome()
    kind = failure.split(":")[0]
    alone = [replace(case, box=box, boxes=1) for box in case.all_boxes()]
    case = next((one for one in alone if failure_of(one, seed).split(":")[0] == kind), case)
    small = shrink(case, lambda smaller: failure_of(smaller, seed).split(":")[0] == kind)
    return Outcome(failure_of(small, seed), program_text(small))
