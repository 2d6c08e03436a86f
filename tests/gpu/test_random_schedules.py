"""Random schedules for the GPU change no pixel."""

import pytest

from tests.gpu.random_schedules import check

pytestmark = pytest.mark.opencl

# Each of these runs, with kernels; more of them: python -m tests.gpu.random_schedules 0 400.
SEEDS = (1, 8, 11, 22)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.part(2)
def test_pixels_are_those_of_the_plain_pipeline(seed):
    assert check(seed, ((35, 33), (1, 1))) == "ran"
