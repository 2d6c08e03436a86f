"""From a failed run-time check to the error that the user sees."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pipec.errors import (
    ArgumentError,
    BoundsError,
    ExternError,
    InternalError,
    MemoryAccessError,
    OutOfBoundsError,
    OutOfMemoryError,
    PipecError,
    RequirementError,
    ScheduleError,
    StrideError,
)
from pipec.ir.program import Check
from pipec.ir.types import BOOL, INT64, Float, UInt
from pipec.pipeline.observation.trace_event import text_of_bits as text_of
from pipec.region_picture import OutsideRegion

# For each buffer argument by name: "Input" or "Output", and its (min, extent) of each dimension.
Shapes = Mapping[str, tuple[str, Sequence[tuple[int, int]]]]


class CheckText(NamedTuple):
    """The error of a failed check. `text` has the details and values of the check in braces, for callers from C too."""

    error: type[PipecError]
    text: str
    advice: str = "."


# The errors whose texts need no more than what the check holds and what was computed.
CHECK_TEXTS: dict[str, CheckText] = {
    "align_extent": CheckText(
        ScheduleError,
        "Error: Can't align the extent of {var} of {func} to a multiple of {modulus}: the number must be at least 1",
        " (it depends on a Param).",
    ),
    "explicit_bounds": CheckText(
        BoundsError,
        "Error: Bounds given for {func} in {var} (from {given min} to {given max}) do not cover required region (from"
        " {required min} to {required max})",
        "\nWiden or remove {func}.bound({var}, ...), or compute a smaller region.",
    ),
    "extern_failed": CheckText(
        ExternError,
        "Error: Call to external stage {symbol} returned non-zero value: {status}",
        "\nIt computes Func {func} (made at {location}).",
    ),
    "extern_fold": CheckText(
        ScheduleError,
        "Error: Cannot fold dimension {var} of {func} because an extern stage accesses [{first}, {last}], which wraps"
        " around the boundary of the fold, which occurs at multiples of {fold factor}",
        ".\nThe C function of {stage} needs rows in sequence: compute it in blocks that divide {fold factor}, or remove"
        " {func}.fold_storage({var}, ...).",
    ),
    "fold": CheckText(
        ScheduleError,
        "Error: The fold factor ({fold factor}) of dimension {var} of {func} is too small to store the required region"
        " accessed by its consumers ({required extent})",
    ),
    "specialize_fail": CheckText(
        ScheduleError,
        "Error: A schedule specialized with specialize_fail() was chosen: {failure}",
        "\n(In the schedule for {func}: none of its specializations before applies.)",
    ),
    "split_factor": CheckText(
        ScheduleError,
        "Error: Can't split {var} by {factor}. Split factors must be strictly positive (in the schedule for {func})",
        ": the factor depends on a Param.",
    ),
    "storage_extent": CheckText(
        BoundsError,
        "Error: Func {func} is accessed over [{first}, {last}] in dimension {var}: int32 numbers do not hold these"
        " coordinates, or what they are computed from",
        ".\nClamp the index to a smaller range.",
    ),
    "output_extent": CheckText(
        BoundsError,
        "Error: Output {func} has {extent} coordinates from {first} on in dimension {var}, more than int32 loops can"
        " count",
        ".\nCompute it in several parts.",
    ),
    "loop_extent": CheckText(
        ScheduleError,
        "Error: Loop {var} of Func {func} has {extent} iterations, more than 2^31 - 1",
        ".\nFuse fewer variables, or split them first.",
    ),
    "storage_bound": CheckText(
        ScheduleError,
        "Error: The explicit allocation bound ({bound}) of dimension {var} of {func} is too small to store the required"
        " region ({required extent})",
        ".\nEnlarge or remove {func}.bound_storage({var}, ...), or compute {func} in smaller pieces.",
    ),
}


def error_of_check(check: Check, values: Sequence[int], shapes: Shapes) -> PipecError:
    """The error for `check`, whose Assert gave `values`."""
    facts = dict(check.details)
    numbers = dict(zip(check.values, values, strict=False))
    writer = _WRITERS.get(check.kind)
    if check.kind in CHECK_TEXTS:
        error, text, advice = CHECK_TEXTS[check.kind]
        return error((text + advice).format(**facts, **numbers))
    if writer is None:
        values_text = ", ".join(f"{name} {value}" for name, value in {**facts, **numbers}.items())
        return PipecError(f"Error: A run-time check of the pipeline failed: {check.kind} ({values_text})")
    return writer(facts, numbers, shapes)


def error_of_memory(pipeline: str, size: int) -> PipecError:
    """The error for an allocation of `size` bytes that failed inside `pipeline`."""
    return OutOfMemoryError(
        f"Error: Out of memory: an intermediate result of pipeline {pipeline} needs {size} bytes. Compute its Func in"
        " smaller pieces: compute_at a loop of its consumer instead of compute_root."
    )


def error_of_status(pipeline: str, status: int) -> InternalError:
    """The error for a status that compiled code should never return."""
    return InternalError(f"Pipeline {pipeline} ended with the unknown status {status}")


def _interval(minimum: int, extent: int) -> str:
    return f"[{minimum}, {minimum + extent - 1}]" if extent > 0 else "nothing"


def _whole(shapes: Shapes, buffer: str) -> str:
    return " x ".join(_interval(*bounds) for bounds in shapes[buffer][1]) if buffer in shapes else "unknown"


def _access(word: str, facts: Mapping[str, str], numbers: Mapping[str, int]) -> str:
    low, high = numbers["required min"], numbers["required max"]
    dimension = facts["dimension"]
    if low < numbers["min"]:
        at, limit = low, f"before the min ({numbers['min']})"
    else:
        at, limit = high, f"beyond the max ({numbers['max']})"
    return f"Error: {word} buffer {facts['buffer']} is accessed at {at}, which is {limit} in dimension {dimension}"


def _input_bounds(facts: Mapping[str, str], numbers: Mapping[str, int], shapes: Shapes) -> PipecError:
    buffer = facts["buffer"]
    reader = f"Func {facts['reader']}" if facts.get("reader") else "The pipeline"
    place = f" (defined at {facts['location']})" if facts.get("location") else ""
    return OutOfBoundsError(
        f"{_access('Input', facts, numbers)}\n"
        f"{reader}{place} reads {buffer} at [{numbers['required min']}, {numbers['required max']}] in dimension"
        f" {facts['dimension']}; the buffer covers {_whole(shapes, buffer)}.\n"
        f"Extend it, for example with hl.BoundaryConditions.repeat_edge({buffer}), or compute a smaller region."
        f"{_sizes_hint(buffer, shapes)}",
        _region(facts, numbers, shapes),
    )


def _region(facts: Mapping[str, str], numbers: Mapping[str, int], shapes: Shapes) -> OutsideRegion | None:
    _, box = shapes.get(facts["buffer"], ("", ()))
    if not box or any(extent < 1 for _, extent in box):
        return None
    needed = numbers["required min"], numbers["required max"]
    return OutsideRegion(facts["buffer"], tuple(box), int(facts["dimension"]), needed)


def _sizes_hint(buffer: str, shapes: Shapes) -> str:
    """Advice for sizes that are those of the input in the order of a numpy shape."""
    extents = [extent for _, extent in shapes.get(buffer, ("", ()))[1]]
    for name, (word, box) in shapes.items():
        sizes = [extent for _, extent in box]
        if word == "Output" and len(sizes) > 1 and sizes != extents and sizes == extents[::-1]:
            return (
                f"\nThe sizes of {name} are those of {buffer} in reverse: realize takes [width, height, ...], and"
                " array.shape is (height, width). Did you mean array.shape[::-1]?"
            )
    return ""


def _output_bounds(facts: Mapping[str, str], numbers: Mapping[str, int], shapes: Shapes) -> PipecError:
    buffer = facts["buffer"]
    reader = facts.get("reader", "")
    why = f"its values there are read by {reader}" if reader else "its updates write there, or bound() demands it"
    return OutOfBoundsError(
        f"{_access('Output', facts, numbers)}\n"
        f"[{numbers['required min']}, {numbers['required max']}] is needed in that dimension ({why}), but the buffer"
        f" passed in covers {_whole(shapes, buffer)}.\n"
        "Pass a larger buffer, or call realize([sizes]), which allocates as much as is needed.",
        _region(facts, numbers, shapes),
    )


def _constraint(facts: Mapping[str, str], numbers: Mapping[str, int], shapes: Shapes) -> PipecError:
    buffer, what, dimension = facts["buffer"], facts["what"], facts["dimension"]
    required = numbers["wanted"]
    text = f"Error: Constraint violated: {buffer}.{what}.{dimension} ({numbers['actual']}) == {required} ({required})"
    if what != "stride":
        return ArgumentError(f"{text}\nIt was demanded by dim({dimension}).set_{what} or set_bounds of {buffer}.")
    if dimension == "0" and required == 1:
        owner = buffer if shapes.get(buffer, ("Input", ()))[0] == "Input" else f"{buffer}.output_buffer()"
        hint = ""
        if numbers["actual"] in (3, 4):
            hint = (
                f'\nIs it an interleaved colour image, made with axes="yxc"? Then declare that: {owner}.dim(0).'
                f"set_stride({numbers['actual']}) and {owner}.dim(2).set_stride(1)."
            )
        return StrideError(
            f"{text}\nElements that are neighbours in dimension 0 must be neighbours in memory. Pass"
            f" numpy.ascontiguousarray(array), or allow any stride with {owner}.dim(0).set_stride(hl.Expr()).{hint}"
        )
    return StrideError(f"{text}\nIt was demanded by dim({dimension}).set_stride of {buffer}.")


def _requirement(facts: Mapping[str, str], numbers: Mapping[str, int], shapes: Shapes) -> PipecError:
    words = " ".join([facts.get("message", ""), *[str(value) for value in numbers.values()]]).strip()
    return RequirementError(f"Error: Requirement Failed: (false) {words}")


def _require(facts: Mapping[str, str], numbers: Mapping[str, int], shapes: Shapes) -> PipecError:
    values = iter(numbers.values())

    def written(match: re.Match[str]) -> str:
        return "%" if match[0] == "%%" else text_of(_CONVERSIONS[match[0]], next(values))

    words = re.sub("%(?:%|B|lld|llu|f|e)", written, facts["message"])
    return RequirementError(f"Error: Requirement Failed: (false) {words}")


def _memory_access(facts: Mapping[str, str], numbers: Mapping[str, int], shapes: Shapes) -> PipecError:
    first, last, low, high = [numbers[name] for name in ("first", "last", "min", "max")]
    elements = f"element {first}" if first == last else f"elements {first} to {last}"
    memory = f"the elements {low} to {high}" if low <= high else "no elements"
    return MemoryAccessError(
        f"Error: The pipeline {facts['verb']} {elements} of {facts['buffer']}, which has {memory} in memory.\n{_DEFECT}"
    )


def _undefined(facts: Mapping[str, str], numbers: Mapping[str, int], shapes: Shapes) -> PipecError:
    point = ", ".join([str(value) for name, value in numbers.items() if name != "origin"])
    use = facts["use"] if "use" in facts else f"{facts['output']}({point})"
    names = facts["origins"].split("\n")
    number = numbers["origin"]
    origin = "a lane that its predicate excludes" if number < 0 else f"an element of {names[number]}"
    return MemoryAccessError(
        f"Error: The pipeline reads {origin} that was never written: {use} depends on it.\n{_DEFECT}"
    )


_DEFECT = (
    "The cause is an unsafe promise about an index, a C function that leaves elements unwritten, or a defect of pipec."
    " Please report the last with the program."
)
_CONVERSIONS = {"%B": BOOL, "%lld": INT64, "%llu": UInt(64), "%f": Float(32), "%e": Float(64)}
_WRITERS = {
    "input_bounds": _input_bounds,
    "output_bounds": _output_bounds,
    "constraint": _constraint,
    "requirement": _requirement,
    "require": _require,
    "access": _memory_access,
    "undefined": _undefined,
    "undefined_output": _undefined,
}
