"""The target feature `checked`: accesses outside of memory and uses of unwritten elements are errors."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import pipec as hl
from pipec.errors import CheckError, MemoryAccessError, NotSupportedError
from pipec.ir import build
from pipec.ir.expr import TRUE, Const, Load, const, variable
from pipec.ir.interp import run
from pipec.ir.program import Check, Program
from pipec.ir.stmt import Allocate, Evaluate, For, LoopKind, MemoryType, ProducerConsumer, Store
from pipec.ir.types import INT32, INT64
from pipec.ir.walk import postorder, rewrite
from pipec.lower import lower as lowering
from pipec.lower.passes.check_accesses import check_accesses
from pipec.lower.pipeline import PASSES, Pass, on_statement

CHECKED = hl.Target("host-checked")
x, y = hl.vars("x y")


@contextmanager
def planted(change: Callable[[Any], Any]) -> Iterator[None]:
    """Lowering with a defect: a change of the nodes of the finished program, before its accesses are checked."""
    defect = Pass("defect", on_statement(lambda stmt: rewrite(stmt, change)))
    place = [step.name for step in PASSES].index("check accesses")
    passes = patch.object(lowering, "PASSES", (*PASSES[:place], defect, *PASSES[place:]))
    with patch.dict(os.environ, PIPEC_CACHE="0"), passes:
        yield


def shifted(buffer: str, elements: int, kind: type = Load) -> Callable[[Any], Any]:
    """Moves all accesses of one kind to a buffer by some elements."""

    def change(node: Any) -> Any:
        if not isinstance(node, kind) or not node.buffer.startswith(buffer):
            return node
        index = build.add(build.cast(INT64, node.index), elements)
        if isinstance(node, Load):
            return Load(node.type, node.buffer, index, node.predicate)
        return Store(node.buffer, node.value, index, node.predicate)

    return change


def without_production(func: str) -> Callable[[Any], Any]:
    def change(node: Any) -> Any:
        is_production = isinstance(node, ProducerConsumer) and node.is_producer and node.name.startswith(func)
        return build.NOTHING if is_production else node

    return change


def two_stages(vectors: int = 0, parallel: bool = False) -> hl.Func:
    producer, consumer = hl.funcs("producer consumer")
    producer[x, y] = x + 10 * y
    consumer[x, y] = producer[x, y] + producer[x + 1, y]
    producer.compute_root()
    if vectors:
        producer.vectorize(x, vectors)
        consumer.vectorize(x, vectors)
    if parallel:
        producer.parallel(y)
        consumer.parallel(y)
    return consumer


def fails(func: hl.Func, sizes: list[int], *words: str) -> None:
    with pytest.raises(MemoryAccessError) as raised:
        func.realize(sizes, CHECKED)
    # Without the numbers that make names unique.
    text = re.sub(r"\$\d+", "", str(raised.value))
    for word in words:
        assert re.search(word, text), text


@pytest.mark.parametrize("vectors", [0, 4])
@pytest.mark.parametrize("parallel", [False, True])
def test_results_are_those_of_other_targets(vectors: int, parallel: bool) -> None:
    expected = np.asarray(two_stages().realize([13, 7]))
    np.testing.assert_array_equal(np.asarray(two_stages(vectors, parallel).realize([13, 7], CHECKED)), expected)


@pytest.mark.parametrize("vectors", [0, 4])
@pytest.mark.parametrize("parallel", [False, True])
def test_a_load_outside_of_an_allocation_is_detected(vectors: int, parallel: bool) -> None:
    with planted(shifted("producer", 1000)):
        fails(two_stages(vectors, parallel), [8, 4], r"reads element.* 100\d.* of producer.*the elements 0 to 35")


@pytest.mark.parametrize("vectors", [0, 4])
def test_a_store_outside_of_an_allocation_is_detected(vectors: int) -> None:
    with planted(shifted("producer", -1, Store)):
        fails(two_stages(vectors), [8, 4], "stores to element.* -1.* of producer")


def test_a_store_outside_of_an_output_is_detected() -> None:
    with planted(shifted("consumer", 1, Store)):
        fails(two_stages(), [8, 4], "stores to element 32 of consumer.*the elements 0 to 31")


@pytest.mark.parametrize("flipped", [False, True])
def test_the_memory_of_an_argument_is_what_its_strides_reach(flipped: bool) -> None:
    image = np.arange(40, dtype=np.int32).reshape(5, 8)[::2, :: -1 if flipped else 1]
    param = hl.ImageParam(hl.Int(32), 2, "image")
    param.dim(0).set_stride(hl.Expr())
    copy = hl.Func("copy")
    copy[x, y] = param[x, y]
    param.set(hl.Buffer(image))
    np.testing.assert_array_equal(np.asarray(copy.realize([8, 3], CHECKED)), image)
    with planted(shifted("image", -1 if flipped else 1)):
        copy = hl.Func("copy")
        copy[x, y] = param[x, y]
        ends = "-7 to 32" if flipped else "0 to 39"
        fails(copy, [8, 3], f"reads element {-8 if flipped else 40} of image.*the elements {ends}")


def test_a_broken_promise_about_an_index_is_detected() -> None:
    table = hl.Buffer(np.arange(10, dtype=np.uint8), name="table")
    places = hl.Buffer(np.array([1, 2, 50, 3], np.int32), name="places")
    lookup = hl.Func("lookup")
    lookup[x] = table[hl.unsafe_promise_clamped(places[x], 0, 9)]
    fails(lookup, [4], "reads element 50 of table, which has the elements 0 to 9 in memory")


@pytest.mark.parametrize("vectors", [0, 4])
@pytest.mark.parametrize("parallel", [False, True])
def test_an_output_of_values_that_were_never_written_is_detected(vectors: int, parallel: bool) -> None:
    with planted(without_production("producer")):
        fails(two_stages(vectors, parallel), [8, 4], r"reads an element of producer.*consumer\(0, 0\) depends on it")


def test_the_first_undefined_element_of_an_output_is_named() -> None:
    def change(node: Any) -> Any:
        if isinstance(node, Store) and node.buffer.startswith("producer"):
            # The last element of all stays as it was.
            index = build.min_(build.cast(INT64, node.index), 43)
            return Store(node.buffer, node.value, index, node.predicate)
        return node

    with planted(change):
        fails(two_stages(), [8, 5], r"an element of producer that was never written: consumer\(7, 4\) depends")


def test_an_output_that_was_not_written_is_detected() -> None:
    with planted(without_production("consumer")):
        fails(two_stages(), [8, 4], r"an element of consumer that was never written: consumer\(0, 0\)")


def count_by(use: str) -> tuple[hl.Func, list[int]]:
    """A Func that uses the values of another one to decide what it computes, and its sizes."""
    decider, counts = hl.funcs("decider counts")
    decider[x] = hl.cast(hl.UInt(8), x)
    decider.compute_root()
    r = hl.RDom([(0, 8)])
    counts[x] = 0
    if use == "a condition":
        r.where(decider[r] > 3)
        counts[r] += 1
    else:
        counts[decider[r]] += 1
    return counts, [256]


@pytest.mark.parametrize("use", ["a condition", "an index of counts"])
def test_nothing_may_be_decided_by_values_that_were_never_written(use: str) -> None:
    counts, sizes = count_by(use)
    np.testing.assert_array_equal(
        np.asarray(counts.realize(sizes, CHECKED)), np.asarray(count_by(use)[0].realize(sizes))
    )
    with planted(without_production("decider")):
        fails(count_by(use)[0], sizes, f"an element of decider.* never written: {use}")


def test_the_bounds_of_loops_must_be_defined() -> None:
    extent = Load(INT32, "f", const(0), TRUE)
    body = For("i", const(0), extent, LoopKind.SERIAL, Evaluate(variable("i")))
    allocated = Allocate("f", INT32, MemoryType.Heap, Const(INT64, 1), body)
    checks: list[Check] = []
    program = Program("p", (), check_accesses(allocated, (), frozenset(), checks), tuple(checks))
    with pytest.raises(CheckError, match=r"undefined.*the bounds of loop i.*origins = f, origin = 0"):
        run(program, {})


def test_undefined_values_that_are_not_used_are_no_error() -> None:
    """A vector at the end of a Func that is not a multiple of it reads beyond what its producer computes."""
    first, second, third = hl.funcs("first second third")
    first[x] = x
    second[x] = first[x] + 1
    third[x] = second[x] * 2
    first.compute_root()
    second.compute_root().vectorize(x, 8, hl.TailStrategy.RoundUp)
    np.testing.assert_array_equal(np.asarray(third.realize([13], CHECKED)), 2 * np.arange(13) + 2)


def test_lanes_that_a_predicate_excludes_are_not_checked() -> None:
    image = hl.Buffer(np.arange(13, dtype=np.int32), name="image")
    doubled = hl.Func("doubled")
    doubled[x] = image[x] * 2
    doubled.vectorize(x, 8, hl.TailStrategy.Predicate)
    np.testing.assert_array_equal(np.asarray(doubled.realize([13], CHECKED)), 2 * np.arange(13))


def test_elements_of_an_output_that_is_undef_are_the_callers() -> None:
    added = hl.Func("added")
    added[x] = hl.undef(hl.Int(32))
    added[x] += 1
    values = np.arange(5, dtype=np.int32)
    added.realize(hl.Buffer(values), CHECKED)
    np.testing.assert_array_equal(values, np.arange(5) + 1)


def total_of_later_elements() -> hl.Func:
    total = hl.Func("total")
    r = hl.RDom([(0, 3)])
    total[x] = x
    total[r] = total[r + 3] + 1
    return total


def test_an_update_reads_elements_of_an_output_only_after_the_pipeline_wrote_them() -> None:
    assert list(total_of_later_elements().realize([6], CHECKED)) == [4, 5, 6, 3, 4, 5]

    def without_pure_stores(node: Any) -> Any:
        is_pure = isinstance(node, Store) and not any(isinstance(part, Load) for part in postorder(node.value))
        return build.NOTHING if is_pure else node

    with planted(without_pure_stores):
        fails(total_of_later_elements(), [6], r"an element of total that was never written: total\(0\)")


def test_kernels_are_refused() -> None:
    f = hl.Func("f")
    f[x, y] = x + y
    i, j = hl.vars("i j")
    f.gpu_tile(x, y, i, j, 8, 8)
    with pytest.raises(NotSupportedError, match="checked does not check kernels, but loop"):
        f.compile_to_lowered_stmt("f.stmt", [], hl.StmtOutputFormat.Text, hl.Target("host-opencl-checked"))
