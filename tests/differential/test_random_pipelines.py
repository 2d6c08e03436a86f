"""Random pipelines under random schedules give the same however they are run; `make fuzz` looks for more."""

import pytest
from random_case import check, check_wheel, make_case
from shrink import program_text

BLOCK = 10


def run(seed, way):
    case = make_case(seed)
    try:
        way(case)
    except Exception as error:
        error.add_note(f"seed {seed}:\n{program_text(case)}\n{case.text}")
        raise


@pytest.mark.parametrize("first", range(0, 240, BLOCK))
def test_lowered_programs_and_machine_code_give_what_the_definitions_say(first):
    for seed in range(first, first + BLOCK):
        run(seed, lambda case, native=seed % 3 == 0: check(case, native))


@pytest.mark.parametrize("first", range(1000, 1040, BLOCK))
def test_the_definitions_say_what_the_wheel_gives(first):
    for seed in range(first, first + BLOCK):
        run(seed, check_wheel)
