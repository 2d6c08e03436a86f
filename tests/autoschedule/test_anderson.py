"""Halide's Anderson2021 by name: its options decide what is searched, and for which device."""

from __future__ import annotations

import pytest

import pipec as hl
from pipec.autoschedule.features.gpu.device import GENERIC
from pipec.autoschedule.params import options_of
from pipec.autoschedule.space.gpu.halide import anderson
from pipec.autoschedule.space.gpu.options import GpuOptions
from pipec.autoschedule.strategies.search_state import Options
from pipec.errors import ArgumentError, NotSupportedError

TARGET = hl.Target("host-opencl")


def search(**overrides):
    params = hl.AutoschedulerParams("Anderson2021", overrides)
    return anderson(options_of(params), params.extra, GENERIC)


def program():
    x, y = hl.vars("x y")
    first, second = hl.funcs("first second")
    first[x, y] = hl.f32(x) * y
    second[x, y] = first[x, y] + first[x + 1, y]
    second.set_estimates([(0, 640), (0, 480)])
    return hl.Pipeline(second)


def test_it_finds_kernels() -> None:
    hl.load_plugin("autoschedule_anderson2021")
    params = hl.AutoschedulerParams("Anderson2021", {"parallelism": 16, "beam_size": 1, "num_passes": 1})
    result = program().apply_autoscheduler(TARGET, params)
    assert "second.gpu_blocks(" in result.schedule_source or ".gpu_blocks(x)" in result.schedule_source
    assert result.featurization == []


def test_without_options_the_search_is_the_usual_one() -> None:
    result = search()
    assert (result.device, result.strategy) == (GENERIC, "beam")
    assert result.kernels == GpuOptions()
    assert result.options.beam == Options.beam and result.options.patience == Options.patience


def test_options_are_limits_of_the_device() -> None:
    device = search(
        parallelism=80,
        shared_memory_limit_kb=32,
        shared_memory_sm_limit_kb=64,
        active_block_limit=8,
        active_warp_limit=32,
        stack_factor=0.475,
    ).device
    assert (device.units, device.local_bytes, device.local_bytes_of_unit) == (80, 32 << 10, 64 << 10)
    assert (device.blocks_of_unit, device.threads_of_unit) == (8, 1024)
    assert device.private_bytes == GENERIC.private_bytes // 2


def test_options_are_parts_of_the_space() -> None:
    kernels = search(search_space_options="1010", disable_subtiling=1, randomize_tilings=0).kernels
    assert kernels == GpuOptions(inline=False, thread=False, points=False, sampled=False)
    assert search(freeze_inline_compute_root=1).kernels.freeze is True
    dropped = search(random_dropout=50, random_dropout_seed=3, beam_size=4)
    assert (dropped.strategy, dropped.options.seed, dropped.options.samples) == ("random", 3, 4)


@pytest.mark.parametrize(
    ("overrides", "error", "text"),
    [
        ({"weights_path": "a.weights"}, NotSupportedError, "weights of Halide's network"),
        ({"partial_schedule_path": "a"}, NotSupportedError, "schedule some Funcs by hand"),
        ({"search_space_options": "12"}, ArgumentError, "four digits 0 or 1"),
        ({"parallelism": 0}, ArgumentError, "must be positive"),
        ({"tile": 3}, ArgumentError, "unknown keys: tile"),
    ],
)
def test_what_it_cannot_do_is_refused(overrides: dict, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        search(**overrides)


def test_it_is_for_gpus() -> None:
    with pytest.raises(NotSupportedError, match='hl.Target\\("host-opencl"\\), or use Adams2019'):
        program().apply_autoscheduler(hl.Target("x86-64-linux"), hl.AutoschedulerParams("Anderson2021"))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"strategy": "grouping"}, "decides about loops of a CPU"),
        ({"memory_limit": 1 << 20}, "memory_limit is about the memory of the CPU"),
    ],
)
def test_what_is_for_cpus_is_refused_for_gpus(options: dict, text: str) -> None:
    with pytest.raises(NotSupportedError, match=text):
        program().autoschedule(target=TARGET, model="generic", **options)
