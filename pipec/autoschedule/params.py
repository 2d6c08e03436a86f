"""Halide's names for automatic schedules: AutoschedulerParams, their results, and load_plugin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from pipec.errors import ArgumentError
from pipec.records import dataclass
from pipec.target import Target

# The autoschedulers by name, with their options and what those are when they are not given.
AUTOSCHEDULERS: Mapping[str, Mapping[str, float | str]] = {
    "Adams2019": {
        "parallelism": 16,
        "beam_size": 32,
        "random_dropout": 100,
        "random_dropout_seed": 0,
        "weights_path": "",
        "disable_subtiling": 0,
        "disable_memoized_features": 0,
        "disable_memoized_blocks": 0,
        "memory_limit": -1,
    },
    "Anderson2021": {
        "parallelism": 16,
        "beam_size": 32,
        "random_dropout": 100,
        "random_dropout_seed": 0,
        "weights_path": "",
        "disable_subtiling": 0,
        "randomize_tilings": 0,
        "search_space_options": "1111",
        "freeze_inline_compute_root": 0,
        "partial_schedule_path": "",
        "num_passes": 0,
        "stack_factor": 0.95,
        "shared_memory_limit_kb": 48,
        "shared_memory_sm_limit_kb": 96,
        "active_block_limit": 32,
        "active_warp_limit": 64,
    },
    "Li2018": {"parallelism": 16},
    "Mullapudi2016": {
        "parallelism": 16,
        "last_level_cache_size": 16 * 1024 * 1024,
        "balance": 40,
        "experimental_gpu_schedule": 0,
    },
}

_FRACTIONS = ("balance", "stack_factor")


class AutoschedulerParams:
    """The name of an autoscheduler, and options for it: `AutoschedulerParams("Adams2019", {"beam_size": 8})`.

    Options become text, as in Halide. Without a name there is no autoscheduler.

    >>> hl.AutoschedulerParams("Mullapudi2016", {"parallelism": 2}).extra
    {'parallelism': '2'}
    """

    __slots__ = ("name", "extra")

    def __init__(self, name: str = "", extra: Mapping[str, Any] | None = None) -> None:
        if not isinstance(name, str) or not isinstance(extra, Mapping | None):
            raise TypeError(
                "__init__(): incompatible constructor arguments. AutoschedulerParams are made of a name and a"
                f" dictionary, not of {(name, extra)!r}"
            )
        self.name = name
        self.extra = {str(key): str(value) for key, value in (extra or {}).items()}

    def __repr__(self) -> str:
        return f"<halide.AutoschedulerParams '{self.name}' {self.extra}>"


@dataclass(frozen=True)
class AutoSchedulerResults:
    """What `Pipeline.apply_autoscheduler` did. `schedule_source`: the schedule as Python; `featurization`: bytes.

    The bytes (of Adams2019 only) are rows of float32, one for each stage that is computed, with the features that
    pipec's cost models see; Halide's are others.

    >>> x = hl.Var("x")
    >>> f = hl.Func("f")
    >>> f[x] = x * 2
    >>> params = hl.AutoschedulerParams("Adams2019", {"parallelism": 2})
    >>> hl.Pipeline(f).apply_autoscheduler(hl.get_host_target(), params).autoscheduler_params.name
    'Adams2019'
    """

    target: Target
    autoscheduler_params: AutoschedulerParams
    schedule_source: str
    featurization: Sequence[int]

    def __repr__(self) -> str:
        return "<halide.AutoSchedulerResults>"


def load_plugin(lib_name: str) -> None:
    """Make Halide's autoschedulers known, which they are: nothing is loaded, so that Halide's programs run.

    A path counts by its file name. ArgumentError for any other plug-in.

    >>> hl.load_plugin("autoschedule_adams2019")
    """
    stem = PurePath(lib_name).name.removeprefix("lib").removesuffix(".so").removesuffix(".dll").removesuffix(".dylib")
    plugins = [f"autoschedule_{name.lower()}" for name in AUTOSCHEDULERS]
    if stem not in plugins:
        raise ArgumentError(
            f"Error: Failed to load: {lib_name}: pipec has no plug-ins but the autoschedulers {', '.join(plugins)},"
            " which are part of it."
        )


def options_of(params: AutoschedulerParams) -> dict[str, float | str]:
    """All options of a known autoscheduler, numbers as such. ArgumentError for what it does not have."""
    if not params.name:
        raise ArgumentError("Error: apply_autoscheduler was called with no Autoscheduler specified.")
    defaults = AUTOSCHEDULERS.get(params.name)
    if defaults is None:
        names = "".join([f"\n    {name}" for name in AUTOSCHEDULERS])
        raise ArgumentError(f"Error: Unknown autoscheduler name '{params.name}'; known names are:{names}")
    unknown = [key for key in params.extra if key not in defaults]
    if unknown:
        raise ArgumentError(
            f"Error: Autoscheduler Params contain unknown keys: {' '.join(unknown)}. {params.name} has:"
            f" {' '.join(defaults)}."
        )
    parsed = {key: _parsed(key, text, defaults[key]) for key, text in params.extra.items()}
    return {**defaults, **parsed}


def _parsed(key: str, text: str, default: float | str) -> float | str:
    if isinstance(default, str):
        return text
    try:
        return float(text) if key in _FRACTIONS else int(text)
    except ValueError:
        raise ArgumentError(
            f"Error: Unable to parse: {text}. The option {key} of an autoscheduler is a number."
        ) from None
