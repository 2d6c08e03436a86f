"""Each allocation of a pipeline in a file fails in turn: out of memory, nothing is lost, the next call is right."""

from __future__ import annotations

import ctypes
import itertools
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import pipec as hl
from pipec.jit.c.interface import ErrorCode
from tests.emission.c_programs import CC, descriptor
from tests.faults.allocating_pipelines import IN_C, IN_FILES, SIZE

# Allocations: how many, which one fails, whether all after it do, and how many are in use. C calls `malloc`, object
# code `pipec_malloc`, whose blocks end with spare bytes and lie on lines of the cache.
COUNTED = """
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

atomic_long count, in_use;
long failing, all_after;

static int fails(void) {
    long number = ++count;
    return number == failing || (all_after && failing > 0 && number > failing);
}
void *counted_malloc(size_t bytes) {
    if (fails()) return NULL;
    in_use++;
    return malloc(bytes);
}
void counted_free(void *block) {
    if (block) in_use--;
    free(block);
}
void *pipec_malloc(int64_t bytes, int32_t float_bytes) {
    (void)float_bytes;
    if (fails()) return NULL;
    in_use++;
    return aligned_alloc(64, (size_t)(bytes + 191) / 64 * 64);
}
void pipec_free(void *block) { counted_free(block); }
"""


def library_of(folder: Path, func: hl.Func, kind: str) -> ctypes.CDLL:
    """The pipeline as `f` of a shared library whose allocations are counted."""
    (folder / "counted.c").write_text(COUNTED)
    if kind == "c":
        func.compile_to_c(folder / "f.c", [], "f")
    else:
        func.compile_to_object(folder / "f.o", [], "f")
    commands = [
        [*CC, "-fPIC", "-Dmalloc=counted_malloc", "-Dfree=counted_free", "-c", "f.c", "-o", "f.o"],
        ["cc", "-std=c11", "-O1", "-shared", "-fPIC", "counted.c", "f.o", "-o", "f.so", "-lm", "-lpthread"],
    ]
    for command in commands if kind == "c" else commands[1:]:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(folder / "f.so"))


@pytest.mark.part(5)
@pytest.mark.parametrize("kind, make", [*itertools.product(["c"], IN_C), *itertools.product(["o"], IN_FILES)])
def test_the_code_says_so_and_the_next_call_is_right(tmp_path: Path, kind: str, make: Callable[[], hl.Func]) -> None:
    func = make()
    library = library_of(tmp_path, func, kind)
    number = {name: ctypes.c_long.in_dll(library, name) for name in ("count", "in_use", "failing", "all_after")}
    expected = func.realize(SIZE)
    expected = [np.array(buffer) for buffer in (expected if isinstance(expected, tuple | list) else [expected])]

    def run(failing: int = 0, all_after: bool = False) -> int:
        outputs = [np.full_like(array, -1) for array in expected]
        described = [descriptor(hl.Buffer(array)) for array in outputs]
        number["count"].value, number["failing"].value, number["all_after"].value = 0, failing, all_after
        code = library.f(*[data for data, _ in described])
        assert number["in_use"].value == 0, f"after allocation {failing} had failed, others stayed"
        if code == 0:
            for actual, value in zip(outputs, expected, strict=True):
                np.testing.assert_array_equal(actual, value)
        return int(code)

    assert run() == 0
    count = number["count"].value
    assert count > 0
    for failing, all_after in itertools.product(range(1, count + 1), (False, True)):
        code = run(failing, all_after)
        # Threads may take turns in which fewer allocations are needed.
        assert code == ErrorCode.OUT_OF_MEMORY or number["count"].value < failing, f"allocation {failing} gave {code}"
        assert run() == 0
