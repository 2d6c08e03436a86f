"""Directives that pipec refuses, judged by the halide wheel: a refusal that the wheel does not share is a finding.

The wheel may end its process, so that a process of its own judges; `python -m tests.fuzz.refusals` is that process. It
reads a line of JSON for each question, and answers with a line.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import select
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pipec
from pipec.lower.lower import lower
from tests.fuzz.case import Case
from tests.fuzz.programs.builder import Builder
from tests.fuzz.runs import REFUSALS, Mismatch, compare, prepare, reference, uses_extern
from tests.fuzz.schedules.directives import MAKING, Directive, Unknown, apply_directive, parts
from tests.fuzz.wheel import Wheel, comparable

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60  # seconds for one answer
# Directives that the wheel does not have.
ONLY_HERE = ("stream_stores", "tile_storage")
# What pipec refuses although the wheel computes the right pixels, by the text of the error, and why.
ON_PURPOSE: dict[str, str] = {
    "can't be stored past the cache by stream_stores": "the wheel has no stream_stores",
    "^Error: The storage of Func .* (can't be tiled|has both)": "the wheel has no tile_storage",
    "is stored outside the parallel": "the wheel overlooks loops of specializations, where it has a race",
    "^Error: Prefetch 'at' variable": "the wheel overlooks the name of a loop that does not exist",
    "Cannot split a loop variable resulting from a split using Predicate": "the wheel loses track of a split by fuse",
    "^Error: Tail strategy .* because other vars stemming": "the wheel loses track of a split by fuse",
    "compute_at.* names .* itself": "the wheel overlooks a Func that is computed at itself",
    "can't reorder RVars": "the wheel takes stores that are not read back for commutative, but the last one counts",
    "no loop partitioning was performed": "which conditions are left to partition by depends on the simplifiers",
    r"correct stage order between \S+ with (\S+) and \S+ with \1": "of two stages that share loops with the same one "
    "the later may not share more of them: the rest of the earlier one would run inside, which is not supported",
    "^Cannot fold storage of": "the wheel ignores a fold_storage that has no effect; here the user is told",
}


def check_refusals(case: Case) -> None:
    """Raises when pipec refuses a directive, or to lower the schedule, and the wheel computes the right pixels."""
    if not comparable(case.recipe) or uses_extern(case):
        return
    built, accepted = Builder(pipec, case.recipe), []
    for directive in case.directives:
        try:
            apply_directive(pipec, built, directive)
        except Unknown:
            continue
        except pipec.HalideError as refusal:
            if parts(directive)[1] not in ONLY_HERE:
                # The wheel looks at the schedules of Funcs that it does not inline.
                ask(case, [*accepted, directive, *roots(case, accepted)], refusal)
        else:
            accepted.append(directive)
    try:
        prepare(replace(case, directives=accepted)).program(lower)
    except REFUSALS as refusal:
        ask(case, accepted, refusal)


def roots(case: Case, directives: list[Directive]) -> list[Directive]:
    """A place for each Func that has none."""
    placed = {directive[0] for directive in directives if directive[1] in ("compute_root", "compute_at")}
    names = [stage["name"] for stage in case.recipe["stages"]] + [d[-1] for d in directives if parts(d)[1] in MAKING]
    return [[name, "compute_root"] for name in names if name not in placed and name not in case.recipe["outputs"]]


def ask(case: Case, directives: list[Directive], refusal: Exception) -> None:
    """Raises when the wheel computes the right pixels with the directives."""
    text = str(refusal)
    if any(re.search(pattern, text) for pattern in ON_PURPOSE):
        return
    verdict = JUDGE.verdict(replace(case, directives=directives, boxes=1))
    if verdict == "accepted":
        raise Mismatch(f"The wheel does not share this refusal: {text}")


class Judge:
    """A process that says what the wheel makes of a schedule; a new one takes the place of one that dies."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[str] | None = None

    def verdict(self, case: Case) -> str:
        """`accepted`, or why not."""
        if self.process is None:
            command = [sys.executable, "-m", "tests.fuzz.refusals"]
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(
                command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
            )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(case.text + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        answer = self.process.stdout.readline() if ready else ""
        if not answer:
            self.process.kill()
            self.process.wait()
            self.process = None
            return "died"
        return str(json.loads(answer))


JUDGE = Judge()


def judged(case: Case) -> str:
    """What the wheel makes of a schedule, in this process."""
    import halide

    try:
        wheel = Wheel(case, placed=False)
        for directive in case.directives:
            if parts(directive)[1] not in ONLY_HERE:
                apply_directive(halide, wheel.built, directive)
        results = wheel.run(replace(case, box=[[0, n] for _, n in case.box]))
    except (halide.HalideError, Unknown) as error:
        return f"refused: {error}"
    plain = replace(case, directives=[], box=[[0, n] for _, n in case.box])
    expected = reference(prepare(plain), plain)
    try:
        compare("wheel", dict(zip(expected, results, strict=True)), expected)
    except Mismatch as mismatch:
        return f"wrong: {mismatch}"
    return "accepted"


def main() -> None:
    for line in sys.stdin:
        with contextlib.redirect_stdout(io.StringIO()):
            answer = judged(Case.of_text(line))
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
