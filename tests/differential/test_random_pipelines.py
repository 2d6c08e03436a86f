"""Random pipelines under random schedules give the same however they are run; `make fuzz` looks for more."""

import pytest
from random_case import check, check_accesses, check_wheel, make_case
from shrink import program_text

# Every directive, tail strategy, type and operation that the generators know is in one of these small cases.
SEEDS = [42, 55, 83, 91, 95, 101, 105, 115, 119, 123, 125, 132, 166, 171, 174, 176, 188, 199, 200, 210, 213, 237]
SEEDS += [259, 283, 351, 371, 390]


def run(seed, way):
    case = make_case(seed)
    try:
        way(case)
    except Exception as error:
        error.add_note(f"seed {seed}:\n{program_text(case)}\n{case.text}")
        raise


@pytest.mark.parametrize("seed", SEEDS)
def test_lowered_programs_and_machine_code_give_what_the_definitions_say(seed):
    run(seed, lambda case: check(case, native=seed % 2 == 0))


@pytest.mark.parametrize("seed", SEEDS[1::2])
def test_machine_code_stays_within_its_memory_and_uses_only_what_it_wrote(seed):
    run(seed, check_accesses)


@pytest.mark.parametrize("seed", range(1000, 1010))
def test_the_definitions_say_what_the_wheel_gives(seed):
    run(seed, check_wheel)
