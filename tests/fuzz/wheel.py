"""The halide wheel's pixels: one compile of the pipeline without a schedule, run for all variants of a case."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from pipec.errors import HalideError
from tests.fuzz.case import Case
from tests.fuzz.extern_library import load_extern_functions
from tests.fuzz.programs.builder import Builder
from tests.fuzz.programs.recipe import Recipe
from tests.fuzz.runs import check_prepared, compare, legalized, reference, uses_extern


class Wheel:
    """A recipe on the wheel; `placed`: with every Func at the root."""

    def __init__(self, case: Case, placed: bool = True) -> None:
        import halide

        if uses_extern(case):
            load_extern_functions()
        self.halide = halide
        try:
            self.built = Builder(halide, case.recipe)
        except halide.HalideError as error:
            raise HalideError(f"The wheel refuses the program: {error}") from error
        for name, func in self.built.funcs.items():
            if placed and name not in case.recipe["outputs"]:
                func.compute_root()
        self.pipeline = halide.Pipeline(self.built.outputs)

    def run(self, case: Case) -> list[Any]:
        """The outputs of a variant, dimension 0 first."""
        self.built.set_inputs(case.recipe)
        sizes, mins = [n for _, n in case.box], [low for low, _ in case.box]
        if not any(mins):
            results = self.pipeline.realize(sizes)
            results = list(results) if isinstance(results, tuple | list) else [results]
        else:
            results = self.built.output_buffers(sizes, mins)
            self.pipeline.realize(results)
        return [np.asarray(result).T for result in results]


def check_wheel(case: Case, schedules: bool = False) -> bool:
    """The definitions agree with the halide wheel; False when known defects of the wheel may show.

    `schedules`: so does machine code under the schedule of the case.
    """
    if not comparable(case.recipe):
        return False
    wheel = Wheel(case)
    prepared = legalized(case)
    for variant in case.variants():
        expected = reference(prepared, variant)
        try:
            results = wheel.run(variant)
        except wheel.halide.HalideError as error:
            if "Failed to materialize symbols" in str(error) or "in an unbounded way" in str(error):
                # It has no routine that rounds float64 to float16 where no instruction does, and finds fewer bounds.
                return False
            if "is accessed at" not in str(error):
                raise
            # It wants larger buffers for updates that write outside of the box.
            continue
        if any(result.shape != tuple([n for _, n in variant.box]) for result in results):
            # Of several outputs it gives all that it computes for such updates, not what was asked for.
            continue
        compare(f"wheel for {variant.box}", dict(zip(expected, results, strict=True)), expected)
    if schedules:
        check_prepared(prepared)
    return True


def comparable(recipe: Recipe) -> bool:
    """Whether the wheel gives what the definitions say.

    It mistakes minima and maxima over reductions, fuses float operations, which shows where these are inexact, converts
    floats to uint32 where an int64 is cast to it, and takes no arrays of uint64.
    """
    text = json.dumps(recipe)
    narrowed = '"cast", "u32", ["cast", "i64"' in text
    # Divisions by 3 and 7, which it multiplies by the reciprocal, scans that halve, roots, and bfloat16.
    inexact = re.search(r'"sqrt"|"bf16"|"f(16|32|64)", (0\.5|3\.0|7\.0)\]', text) is not None
    extremes = [json.dumps(u["values"]) for stage in recipe["stages"] for u in stage["updates"] if u["rdom"]]
    mistaken = any(f'"{op}"' in values for values in extremes for op in ("min", "max", "select"))
    return (
        not inexact
        and not mistaken
        and not narrowed
        and "maximum" not in text
        and all(i["type"] != "u64" for i in recipe["images"])
    )
