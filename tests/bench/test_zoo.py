"""Every pipeline of the zoo computes what its reference says, on pipec and, where it can, on the wheel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

import halide
import numpy as np
import pytest

import pipec
from apps.app import Algorithm, Array
from bench.zoo.entry import GRADIENT, Entry
from bench.zoo.gradients import ADJOINT, learned_image
from bench.zoo.registry import GRADIENTS, MODULES, PIPELINES

QUICK = {f"{name}{GRADIENT}" for name in ("bilateral_slice", "hdr_merge", "radon")}


def some(names: Iterable[str], every: int) -> list[Any]:
    """All names, of which all but one of `every` are marked as slow."""
    return [pytest.param(name, marks=[pytest.mark.slow] if at % every else []) for at, name in enumerate(names)]


def quick(names: Iterable[str]) -> list[Any]:
    """All names of gradients; those that take long to derive and compile are marked as slow."""
    return [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in names]


def with_inputs(hl: ModuleType, entry: Entry, images: Mapping[str, Array]) -> Algorithm:
    """The algorithm of an entry with its inputs set; the wheel's Buffers share the arrays' memory and don't own it."""
    algorithm = entry.build(hl)
    for name, param in algorithm.images.items():
        param.set(hl.Buffer(images[name]))
    for name, param in algorithm.params.items():
        param.set(entry.settings[name])
    return algorithm


def all_at_root(hl: ModuleType, algorithm: Algorithm) -> None:
    for func in algorithm.stages.values():
        func.compute_root()


def gradient_result(entry: Entry) -> Any:
    """The output of a gradient; inlined, the Funcs of adjoints would grow without bound."""
    images, size = entry.inputs(entry.test_size), entry.output_size(entry.test_size)
    pipeline = pipec.Pipeline(with_inputs(pipec, entry, images).output)
    pipeline.autoschedule(sizes=size, strategy="fallback")
    return np.array(pipeline.realize(list(size)))


def check(hl: ModuleType, entry: Entry, schedule: Callable[[ModuleType, Algorithm], None] = all_at_root) -> None:
    """Compares the output of an entry at its test size with its reference, under a schedule."""
    images = entry.inputs(entry.test_size)
    algorithm = with_inputs(hl, entry, images)
    schedule(hl, algorithm)
    expected, actual = entry.reference(images), np.array(algorithm.output.realize(list(entry.test_size)))
    assert actual.dtype == expected.dtype and actual.shape == expected.shape
    worst = np.abs(actual.astype(np.float64) - expected.astype(np.float64)).max()
    assert worst <= entry.tolerance, f"{hl.__name__} differs by {worst}"


def test_no_two_entries_have_the_same_name() -> None:
    assert len(PIPELINES) == sum(len(module.ENTRIES) for module in MODULES)


def test_inputs_come_in_the_order_of_the_arguments() -> None:
    for name, entry in PIPELINES.items():
        assert list(entry.inputs(entry.test_size)) == list(entry.build(pipec).images), name


@pytest.mark.part(24)
@pytest.mark.parametrize("name", some(PIPELINES, 3))
def test_an_entry_computes_its_reference(name: str) -> None:
    check(pipec, PIPELINES[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, entry in PIPELINES.items() if not entry.wheel])
def test_the_wheel_computes_the_reference(name: str) -> None:
    check(halide, PIPELINES[name])


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, entry in PIPELINES.items() if entry.hand])
def test_a_schedule_by_hand_computes_the_reference(name: str) -> None:
    entry = PIPELINES[name]
    assert entry.hand is not None
    check(pipec, entry, entry.hand)
    if not entry.wheel:
        check(halide, entry, entry.hand)


@pytest.mark.part(3)
@pytest.mark.parametrize("name", quick(GRADIENTS))
def test_a_gradient_is_the_slope_of_its_pipeline(name: str) -> None:
    gradient, entry = GRADIENTS[name], PIPELINES[name.removesuffix(GRADIENT)]
    images, image, step = gradient.inputs(entry.test_size), learned_image(entry), 1e-3
    direction = np.random.default_rng(2).standard_normal(images[image].shape)

    def weighted(sign: int) -> float:
        moved = (images[image] + sign * step * direction).astype(images[image].dtype)
        output = entry.reference({**images, image: moved})
        return float((output.astype(np.float64) * images[ADJOINT]).sum())

    slope = (weighted(1) - weighted(-1)) / (2 * step)
    terms = gradient_result(gradient).astype(np.float64) * direction
    assert abs(terms.sum() - slope) <= 0.02 * np.abs(terms).sum() + 1e-4, f"{terms.sum()} instead of {slope}"
