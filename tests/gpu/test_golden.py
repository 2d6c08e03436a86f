"""The text of kernels changes only on purpose: `python -m tests.gpu.golden` writes the files anew."""

import pytest

from tests.gpu.golden import FOLDER, NAMES, kernels


@pytest.mark.parametrize("name", NAMES)
def test_kernels_are_those_of_the_golden_file(name):
    assert kernels(name) == (FOLDER / f"{name}.cl").read_text()
