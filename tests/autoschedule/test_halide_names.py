"""Halide's autoschedulers by name: the same calls work on both, and pixels agree."""

from __future__ import annotations

import os
from pathlib import Path

import halide
import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.params import options_of
from pipec.errors import HalideError, NotSupportedError
from pipec.func.functions.names import local_names

PLUGINS = Path(halide.__file__).parent / "lib64"


def _program(api, name: str, options: dict) -> tuple[object, np.ndarray]:
    """A program as Halide's users write it: the results, and pixels."""
    file = PLUGINS / f"libautoschedule_{name.lower()}.so"
    api.load_plugin(str(file))
    x, y = api.Var("x"), api.Var("y")
    image, f, g = api.ImageParam(api.UInt(8), 2), api.Func("f"), api.Func("g")
    f[x, y] = api.cast(api.UInt(16), image[x, y]) * 2
    g[x, y] = f[x, y] + f[x + 1, y] + f[x, y + 1]
    g.set_estimates([(0, 64), (0, 48)])
    image.set_estimates([(0, 65), (0, 49)])
    pipeline = api.Pipeline(g)
    results = pipeline.apply_autoscheduler(api.get_host_target(), api.AutoschedulerParams(name, options))
    picture = (np.arange(65 * 49) % 251).astype(np.uint8).reshape(49, 65)
    image.set(api.Buffer(picture))
    return results, np.array(pipeline.realize([64, 48]))


@pytest.mark.parametrize("name", ["Mullapudi2016", "Li2018", "Adams2019"])
@pytest.mark.part(2)
def test_a_program_runs_on_both_and_gives_the_same_pixels(name: str) -> None:
    ours, pixels = _program(hl, name, {"parallelism": 2})
    theirs, expected = _program(halide, name, {"parallelism": 2})
    assert (pixels == expected).all()
    assert ours.autoscheduler_params.name == theirs.autoscheduler_params.name == name
    assert ours.autoscheduler_params.extra == {"parallelism": "2"}
    assert str(ours.target).split("-")[0] == str(theirs.target).split("-")[0]
    assert "g" in ours.schedule_source and repr(ours) == repr(theirs)
    assert bool(ours.featurization) == bool(theirs.featurization) == (name == "Adams2019")


def _message(api, call) -> str:
    with pytest.raises((HalideError, halide.HalideError)) as caught:
        call(api)
    return str(caught.value).splitlines()[0]


@pytest.mark.parametrize(
    "call",
    [
        lambda api: api.load_plugin("autoschedule_nonsense"),
        lambda api: _apply(api, api.AutoschedulerParams()),
        lambda api: _apply(api, api.AutoschedulerParams("Nonsense", {})),
    ],
)
def test_refusals_begin_with_the_words_of_the_wheel(call) -> None:
    ours, theirs = _message(hl, call), _message(halide, call)
    assert ours.startswith(theirs.split(".so")[0].replace("lib", "")[:40]) or ours == theirs


def _apply(api, params):
    x, f = api.Var("x"), api.Func("f")
    f[x] = x
    return api.Pipeline(f).apply_autoscheduler(api.get_host_target(), params)


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("Mullapudi2016", {"beam_size": 2}, "Autoscheduler Params contain unknown keys: beam_size"),
        ("Adams2019", {"last_level_cache_size": 2}, "unknown keys: last_level_cache_size"),
        ("Adams2019", {"parallelism": "many"}, "Unable to parse: many"),
    ],
)
def test_unknown_options_are_refused(name: str, options: dict, text: str) -> None:
    with pytest.raises(HalideError, match=text):
        _apply(hl, hl.AutoschedulerParams(name, options))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Adams2019", {"weights_path": "some.weights"}),
        ("Mullapudi2016", {"experimental_gpu_schedule": 1}),
        ("Anderson2021", {}),  # for a CPU
    ],
)
def test_what_cannot_be_done_says_so(name: str, options: dict) -> None:
    with pytest.raises(NotSupportedError):
        _apply(hl, hl.AutoschedulerParams(name, options))


def test_options_decide_how_it_is_searched() -> None:
    assert options_of(hl.AutoschedulerParams("Adams2019"))["beam_size"] == 32
    inputs = {"beam_size": 1, "random_dropout": 50, "random_dropout_seed": 3, "memory_limit": 1 << 20}
    result = []
    for _ in range(2):
        with local_names():
            result.append(_program(hl, "Adams2019", {**inputs, "parallelism": 2})[0].schedule_source)
    assert result[0] == result[1]
    for more in ({"disable_subtiling": 1}, {"disable_memoized_blocks": 1, "disable_memoized_features": 1}):
        assert _program(hl, "Adams2019", {**more, "beam_size": 2})[0].schedule_source
    cache = {"last_level_cache_size": 1 << 18, "balance": 5, "parallelism": 4}
    assert _program(hl, "Mullapudi2016", cache)[0].schedule_source


def test_plugins_have_halides_names() -> None:
    for name in ("autoschedule_adams2019", "libautoschedule_li2018.so", os.path.join("x", "libautoschedule_li2018.so")):
        hl.load_plugin(name)
