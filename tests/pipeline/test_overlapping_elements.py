"""The elements of an output have memory of their own, whatever its strides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pipec as hl

x, y = hl.vars("x y")
MEMORY = np.zeros(60, np.int32)


def view(extents: tuple[int, int], strides: tuple[int, int], first: int = 0) -> np.ndarray:
    """A view of MEMORY, dimension 0 last; strides in elements."""
    return np.lib.stride_tricks.as_strided(MEMORY[first:], extents, [4 * stride for stride in strides])


def numpy_array(array: np.ndarray) -> np.ndarray:
    return array


@pytest.fixture(scope="module")
def run() -> Any:
    image, f = hl.ImageParam(hl.Int(32), 2, "image"), hl.Func("f")
    f[x, y] = image[x, y] + x * 2 + y
    return f.compile_to_callable([image])


OVERLAPPING = [
    ((3, 4), (0, 1), "dimension 1 has extent 3 and stride 0"),
    ((4, 3), (3, 0), "dimension 0 has extent 3 and stride 0"),
    ((3, 4), (2, 1), "dimension 1 has extent 3 and stride 2"),
    ((4, 4), (2, 3), "dimension 1 has extent 4 and stride 2"),
    ((3, 4), (1, 1), "dimension 1 has extent 3 and stride 1"),
]


@pytest.mark.parametrize("wrap", [numpy_array, hl.Buffer])
@pytest.mark.parametrize("extents, strides, text", OVERLAPPING)
def test_elements_that_share_memory_are_refused(
    run: Any, wrap: Callable[[np.ndarray], Any], extents: tuple[int, int], strides: tuple[int, int], text: str
) -> None:
    image, output = np.ones(extents, np.int32), wrap(view(extents, strides))
    run(image, np.ones(extents, np.int32))
    assert run.fast_call()(image, output) is False
    with pytest.raises(hl.ArgumentError, match=rf"output buffer f\S* share memory .* {text}"):
        run(image, output)
    assert not MEMORY.any()
    # An input may have any strides.
    result = np.zeros(extents, np.int32)
    run(output, result)
    assert result[2, 1] == 4


SEPARATE = [((3, 4), (2, 3), 0), ((1, 4), (0, 1), 0), ((4, 3), (-3, 1), 9), ((4, 3), (2, 8), 0), ((0, 4), (0, 0), 0)]


@pytest.mark.parametrize("wrap", [numpy_array, hl.Buffer])
@pytest.mark.parametrize("extents, strides, first", SEPARATE)
def test_other_strides_are_taken(
    run: Any, wrap: Callable[[np.ndarray], Any], extents: tuple[int, int], strides: tuple[int, int], first: int
) -> None:
    output = view(extents, strides, first)
    for number in range(3):  # later calls may be fast calls
        run(np.full(extents, number, np.int32), wrap(output))
        rows, columns = np.indices(extents)
        assert (output == number + 2 * columns + rows).all()
    MEMORY[:] = 0
