"""pipec.records behaves as the standard dataclasses do."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pipec import records
from pipec.schedule.fields import StageRef

ROOT = Path(__file__).parent.parent


@records.dataclass(frozen=True)
class Point:
    x: int
    y: int = 2
    names: tuple[str, ...] = records.field(default_factory=tuple)
    dimensions: ClassVar[int] = 2


@records.dataclass(frozen=True)
class Point3(Point):
    z: int = 3
    note: str = records.field(default="", compare=False, repr=False)


@records.dataclass
class Counter:
    count: int = 0
    seen: list[int] = records.field(default_factory=list)
    doubled: int = records.field(init=False, default=0)

    def __post_init__(self) -> None:
        self.doubled = 2 * self.count


@records.dataclass(eq=False)
class Identity:
    x: int


class Derived(Counter):
    def __init__(self) -> None:
        super().__init__(4)


def test_fields_are_set_by_position_or_name_or_default() -> None:
    assert Point(1) == Point(x=1, y=2, names=()) != Point(1, 3)
    assert Point3(1, z=5).z == 5 and Point3(1).y == 2
    assert Counter(3).doubled == 6 and Derived().doubled == 8


def test_each_instance_has_a_default_of_its_own() -> None:
    assert Counter().seen is not Counter().seen


@pytest.mark.parametrize("arguments", [(), (1, 2, (), 4)])
def test_missing_and_superfluous_arguments_are_refused(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match="argument"):
        Point(*arguments)


def test_equality_is_of_the_class_and_the_compared_fields() -> None:
    assert Point3(1, note="a") == Point3(1, note="b")
    assert Point(1) != Point3(1) and Identity(1) != Identity(1)
    assert hash(Point(1)) == hash(Point(1)) and len({Point(1), Point(1), Point(2)}) == 2


def test_only_frozen_records_have_a_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Counter())


def test_frozen_records_refuse_changes() -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del point.x
    assert point.x == 1


def test_repr_names_the_fields() -> None:
    assert repr(Point3(1, note="a")) == "Point3(x=1, y=2, names=(), z=3)"


def test_a_shared_mutable_default_is_refused() -> None:
    with pytest.raises(ValueError, match="default_factory"):

        @records.dataclass
        class Shared:
            items: list[int] = []


def test_replace_and_fields_take_records_and_standard_dataclasses() -> None:
    standard = dataclasses.make_dataclass("Standard", [("a", int), ("b", int)])
    assert records.replace(Point(1), y=7) == Point(1, 7)
    assert records.replace(standard(1, 2), b=3) == standard(1, 3)
    assert [field.name for field in records.fields(Point3)] == ["x", "y", "names", "z", "note"]
    assert [field.name for field in records.fields(standard)] == ["a", "b"]
    assert records.is_dataclass(standard) and records.is_dataclass(Point) and not records.is_dataclass(int)


def test_the_standard_functions_take_records() -> None:
    assert dataclasses.is_dataclass(Point)
    assert dataclasses.asdict(Point(1)) == {"x": 1, "y": 2, "names": ()}
    assert dataclasses.replace(Point3(1), z=9) == Point3(1, z=9)
    assert [(field.name, field.type) for field in dataclasses.fields(Identity)] == [("x", "int")]


def test_records_are_copied_and_pickled() -> None:
    for value in (Point3(1, names=("a",)), Counter(2, [3])):
        assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value


def test_the_signature_is_that_of_the_fields() -> None:
    assert list(inspect.signature(Point).parameters) == ["x", "y", "names"]


def test_records_match_patterns() -> None:
    match Point(1, 5):
        case Point(x, y):
            assert (x, y) == (1, 5)


def test_pickles_are_read_before_any_instance_exists() -> None:
    code = (
        "import pickle, sys; value = pickle.loads(sys.stdin.buffer.read());"
        " print(value == pickle.loads(pickle.dumps(value)), hash(value) != 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(StageRef("f", 1)), cwd=ROOT, capture_output=True, check=True
    )
    assert done.stdout.split() == [b"True", b"True"]
