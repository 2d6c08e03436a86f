"""Every kind of definition: its gradient against central differences in float64."""

from __future__ import annotations

import numpy as np
import pytest
from gradient_programs import PROGRAMS

import pipec as hl


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.part(3)
def test_the_gradient_is_that_of_central_differences(name: str) -> None:
    program = PROGRAMS[name]
    images = [hl.Buffer(image.copy(), f"image{at}") for at, image in enumerate(program.images)]
    f = program.make(hl, *images)
    # The quick functions look at the bits of float32 numbers, so steps must be longer than their rounding.
    step, tolerance = (1e-3, 1e-4) if name == "quick_functions" else (1e-5, 1e-6)
    assert hl.check_gradient(f, images, [(0, size) for size in program.sizes], step=step, tolerance=tolerance)


def test_a_wrong_gradient_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    from pipec.autodiff import rules

    monkeypatch.setitem(rules.INTRINSICS, "sin", rules.INTRINSICS["cos"])
    x, image = hl.Var("x"), hl.Buffer(np.array([0.5, 1.0], np.float32), "image")
    f = hl.Func("f")
    f[x] = hl.sin(image[x])
    with pytest.raises(AssertionError, match="with respect to image DIFFERS from central differences"):
        hl.check_gradient(f, image, [(0, 2)])


def test_a_check_of_nothing_is_refused() -> None:
    x, image, f = hl.Var("x"), hl.Buffer(np.array([0.5, 1.0], np.float32), "image"), hl.Func("f")
    f[x] = image[x]
    with pytest.raises(hl.ArgumentError, match="wrt is empty"):
        hl.check_gradient(f, [], [(0, 2)])
