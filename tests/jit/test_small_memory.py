"""Where a process may use little memory, pipelines run with less, or the error is a HalideError."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc and RLIMIT_AS")

PROGRAM = """
import mmap, resource, sys
import numpy as np
import pipec as hl
import llvmlite.binding
x, y = hl.vars("x y")

def run(stages, size):
    funcs = [hl.Func(f"f{number}") for number in range(stages)]
    funcs[0][x, y] = x + y
    for before, func in zip(funcs, funcs[1:]):
        func[x, y] = before[x, y] + before[x + 1, y]
        func.compute_root().parallel(y)
    return np.asarray(funcs[-1].realize([size, size]))

if "warm" in sys.argv:
    run(2, 8)
used = int(open("/proc/self/statm").read().split()[0]) * mmap.PAGESIZE
limit = used + (int(sys.argv[1]) << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
try:
    print("done", run(int(sys.argv[2]), int(sys.argv[3])).shape)
except hl.HalideError as error:
    print(type(error).__name__, str(error).splitlines()[0][:60])
"""


def output_of(*arguments):
    environment = {**os.environ, "PIPEC_CACHE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("megabytes", [700, 300, 150])
@pytest.mark.part(2)
def test_pipelines_compile_with_a_smaller_stack(megabytes):
    assert output_of(megabytes, 3, 32).startswith("done (32, 32)")


@pytest.mark.parametrize("megabytes", [1, 4])
def test_without_room_for_any_stack_the_error_says_so(megabytes):
    output = output_of(megabytes, 3, 32, "warm")
    assert output.startswith(("OutOfMemoryError Error: Out of memory", "done"))


@pytest.mark.parametrize("size", [16_000, 24_000])
def test_images_and_intermediate_results_without_room_are_errors(size):
    # The intermediate result beside the result of 1 GB does not fit, or the result of 2.3 GB alone. The stack of 512 MB
    # that the first compilation had may still be there when the limit is set: then there is that much more room.
    assert output_of(1200, 3, size, "warm").startswith("OutOfMemoryError Error: ")


def test_without_room_for_llvm_the_error_says_so():
    program = PROGRAM.replace("import llvmlite.binding\n", "")
    environment = {**os.environ, "PIPEC_CACHE": "0"}
    command = [sys.executable, "-c", program, "60", "3", "32"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.stdout.startswith("OutOfMemoryError Error: LLVM"), done.stderr
