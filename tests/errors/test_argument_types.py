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
