"""Halide's Anderson2021 by its options: the same things in the search for kernels."""

from __future__ import annotations

from collections.abc import Container, Mapping

from pipec.autoschedule.features.gpu.device import GpuDevice
from pipec.autoschedule.space.gpu.options import GpuOptions
from pipec.autoschedule.strategies.search_state import Options
from pipec.errors import ArgumentError, NotSupportedError
from pipec.records import dataclass, replace

USUAL_STACK = 0.95
"""Halide's stack_factor when it is not given."""


@dataclass(frozen=True)
class Search:
    """The settings that the options of Anderson2021 stand for."""

    device: GpuDevice
    strategy: str
    options: Options
    kernels: GpuOptions


def anderson(values: Mapping[str, float | str], specified: Container[str], device: GpuDevice) -> Search:
    """The search for these values of options, of which those in `given` were set by the user."""
    _refuse(values)
    dropout = float(values["random_dropout"]) / 100
    strategy = "beam" if dropout >= 1 else "random"
    usual = Options()
    beam = max(1, int(values["beam_size"])) if "beam_size" in specified else usual.beam
    passes = int(values["num_passes"])
    options = Options(
        beam=beam,
        dropout=min(max(dropout, 0.0), 1.0),
        samples=beam,
        seed=int(values["random_dropout_seed"]),
        patience=passes if passes > 0 else usual.patience,
    )
    return Search(_limited(values, specified, device), strategy, options, _kernels(values, specified))


def _refuse(values: Mapping[str, float | str]) -> None:
    if values["weights_path"]:
        raise NotSupportedError(
            "Error: weights_path names weights of Halide's network; here the device's rates give the cost of kernels."
            " Leave it out."
        )
    if values["partial_schedule_path"]:
        raise NotSupportedError(
            "Error: partial_schedule_path names a file of Halide's search. Leave it out and schedule some Funcs by"
            " hand: the search keeps what they have and decides the others."
        )
    places = str(values["search_space_options"])
    if len(places) != 4 or set(places) - {"0", "1"}:
        raise ArgumentError(
            f"Error: search_space_options are four digits 0 or 1, for compute_root, inline, at blocks, at threads; not"
            f" {places!r}."
        )


def _limited(values: Mapping[str, float | str], specified: Container[str], device: GpuDevice) -> GpuDevice:
    limits = {
        "parallelism": ("units", 1.0),
        "shared_memory_limit_kb": ("local_bytes", 1024.0),
        "shared_memory_sm_limit_kb": ("local_bytes_of_unit", 1024.0),
        "active_block_limit": ("blocks_of_unit", 1.0),
        "active_warp_limit": ("threads_of_unit", float(device.lanes)),
        "stack_factor": ("private_bytes", device.private_bytes / USUAL_STACK),
    }
    changes: dict[str, int] = {}
    for option, (name, unit) in limits.items():
        if option in specified:
            value = float(values[option])
            if value <= 0:
                raise ArgumentError(f"Error: The option {option} of Anderson2021 must be positive, not {value:g}.")
            changes[name] = max(1, round(value * unit))
    return replace(device, **changes) if changes else device  # type: ignore[arg-type]


def _kernels(values: Mapping[str, float | str], specified: Container[str]) -> GpuOptions:
    root, inline, block, thread = [digit == "1" for digit in str(values["search_space_options"])]
    return GpuOptions(
        root,
        inline,
        block,
        thread,
        points=not int(values["disable_subtiling"]),
        sampled=bool(int(values["randomize_tilings"])) if "randomize_tilings" in specified else True,
        freeze=bool(int(values["freeze_inline_compute_root"])) if "freeze_inline_compute_root" in specified else None,
    )
