"""Random pipelines and schedules as C99 and as objects."""

import pytest
from random_c import check_c
from random_case import make_case


@pytest.mark.parametrize("seed", range(6))
def test_c_agrees_with_the_definitions(seed):
    check_c(make_case(seed), "c")


@pytest.mark.parametrize("seed", range(100, 104))
def test_objects_agree_with_the_definitions(seed):
    check_c(make_case(seed), "o")
