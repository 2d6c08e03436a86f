"""The text of kernels changes only on purpose."""

import pytest

from apps.registry import APPS
from tests.gpu.golden import FOLDER, kernels


@pytest.mark.parametrize("name", APPS)
def test_kernels_are_those_of_the_golden_file(name):
    expected = (FOLDER / f"{name}.cl").read_text()
    assert kernels(name) == expected, "if that is on purpose: python -m tests.gpu.golden writes all files anew"
