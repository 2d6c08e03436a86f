"""Arguments of a wrong type are a TypeError, as in the wheel: not an error of what is done with them later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import pipec as hl


def pipeline() -> hl.Pipeline:
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = x
    return hl.Pipeline(f)


CALLS: dict[str, Callable[[Any], Any]] = {
    "compile_jit": lambda wrong: pipeline().compile_jit(wrong),
    "compile_to_callable": lambda wrong: pipeline().compile_to_callable([], wrong),
    "compile_to_module": lambda wrong: pipeline().compile_to_module([], "f", wrong),
    "apply_autoscheduler": lambda wrong: pipeline().apply_autoscheduler(wrong, hl.AutoschedulerParams("Adams2019")),
    "apply_autoscheduler, options": lambda wrong: pipeline().apply_autoscheduler(hl.get_host_target(), wrong),
    "host_supports_target_device": lambda wrong: hl.host_supports_target_device(wrong),
    "set_feature": lambda wrong: hl.get_host_target().set_feature(wrong),
    "with_feature": lambda wrong: hl.get_host_target().with_feature(wrong),
    "supports_device_api": lambda wrong: hl.get_host_target().supports_device_api(wrong),
    "natural_vector_size": lambda wrong: hl.get_host_target().natural_vector_size(wrong),
    "validate_target_string": lambda wrong: hl.Target.validate_target_string(wrong),
    "supports_type": lambda wrong: hl.get_host_target().supports_type(wrong),
    "LoopLevel.set": lambda wrong: hl.LoopLevel().set(4 if isinstance(wrong, hl.LoopLevel) else wrong),
    "copy_from": lambda wrong: hl.Buffer(hl.Int(32), [3]).copy_from(wrong),
    "with_code": lambda wrong: hl.Int(32).with_code(wrong),
    "same_handle_type": lambda wrong: hl.Int(32).same_handle_type(wrong),
    "RDom.same_as": lambda wrong: hl.RDom([(0, 3)]).same_as(wrong),
    "Var.same_as": lambda wrong: hl.Var("x").same_as(wrong),
    "Parameter.same_as": lambda wrong: hl.Parameter(hl.Int(32), False, 0).same_as(wrong),
    "make_with_shape_of": lambda wrong: hl.Buffer.make_with_shape_of(wrong),
}


@pytest.mark.parametrize("name", CALLS)
def test_it_is_a_type_error(name: str) -> None:
    for wrong in (hl.Var("x") < 3, hl.LoopLevel.root(), [1, 2], 1.5):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            CALLS[name](wrong)


def scheduled(call: Callable[[hl.Func, hl.Var, Any], Any]) -> Callable[[Any], Any]:
    """A call of a method of a Func `f` over `x` and `y` with a wrong value."""

    def run(wrong: Any) -> None:
        x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
        f[x, y] = x + y
        call(f, x, wrong)

    return run


def update_of(f: hl.Func) -> hl.Stage:
    """An update of `f`."""
    r = hl.RDom([(0, 4)])
    f[0, 0] += r
    return f.update()


xo, xi = hl.Var("xo"), hl.Var("xi")
ENUMERATIONS: dict[str, Callable[[Any], Any]] = {
    "split": scheduled(lambda f, x, wrong: f.split(x, xo, xi, 4, wrong)),
    "tile": scheduled(lambda f, x, wrong: f.tile(x, hl.Var("y"), xo, xi, 4, 4, tail=wrong)),
    "gpu_tile": scheduled(lambda f, x, wrong: f.gpu_tile(x, xo, xi, 4, tail=wrong)),
    "gpu_tile, device": scheduled(lambda f, x, wrong: f.gpu_tile(x, xo, xi, 4, device_api=wrong)),
    "vectorize": scheduled(lambda f, x, wrong: f.vectorize(x, 4, wrong)),
    "unroll": scheduled(lambda f, x, wrong: f.unroll(x, 4, wrong)),
    "parallel": scheduled(lambda f, x, wrong: f.parallel(x, 4, wrong)),
    "gpu_blocks": scheduled(lambda f, x, wrong: f.gpu_blocks(x, device_api=wrong)),
    "partition": scheduled(lambda f, x, wrong: f.partition(x, wrong)),
    "atomic": scheduled(lambda f, x, wrong: update_of(f).atomic(wrong)),
    "prefetch": scheduled(lambda f, x, wrong: f.prefetch(f, x, x, 1, wrong)),
    "compute_with": scheduled(lambda f, x, wrong: f.compute_with(f, x, wrong)),
    "compute_with, pairs": scheduled(lambda f, x, wrong: f.compute_with(f, x, [(x, wrong)])),
    "store_in": scheduled(lambda f, x, wrong: f.store_in(wrong)),
    "define_extern, mangling": lambda wrong: hl.Func("e").define_extern("e", [], hl.Int(32), 1, wrong),
    "define_extern, device": lambda wrong: hl.Func("e").define_extern("e", [], hl.Int(32), 1, device_api=wrong),
    "compile_to_module, linkage": lambda wrong: pipeline().compile_to_module([], "f", hl.Target("host"), wrong),
    "compile_to_lowered_stmt": lambda wrong: pipeline().compile_to_lowered_stmt("f.stmt", [], wrong),
    "compile_to_conceptual_stmt": lambda wrong: pipeline().compile_to_conceptual_stmt("f.stmt", [], wrong),
    "Target": lambda wrong: hl.Target(wrong, hl.TargetArch.X86, 64, []),
    "has_feature": lambda wrong: hl.get_host_target().has_feature(wrong),
    "features_any_of": lambda wrong: hl.get_host_target().features_any_of([wrong]),
    "features_all_of": lambda wrong: hl.get_host_target().features_all_of([wrong]),
    "supports_type, device": lambda wrong: hl.get_host_target().supports_type(hl.Int(32), wrong),
    "Type": lambda wrong: hl.Type(wrong, 32, 1),
}


@pytest.mark.parametrize("wrong", [3, "Auto", 1.5, hl.OutputFileType.object], ids=str)
@pytest.mark.parametrize("name", ENUMERATIONS)
def test_a_value_of_another_enumeration_is_a_type_error(name: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match="incompatible"):
        ENUMERATIONS[name](wrong)
