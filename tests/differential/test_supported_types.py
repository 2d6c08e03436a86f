"""Which types each target says it supports, on each device, and the type of nothing; against the wheel."""

import halide
import pytest

import pipec

FEATURES = ["", "opencl", "opencl-cl_doubles", "opencl-cl_half", "cuda", "metal", "vulkan", "d3d12compute", "webgpu"]
TARGETS = [f"x86-64-linux-{features}".rstrip("-") for features in FEATURES]
TARGETS += [
    "x86-64-linux-vulkan-vk_int8-vk_int64-vk_float64", "x86-64-linux-vulkan-vk_int16-vk_float16",
    "x86-64-linux-hvx", "hexagon-32-qurt-hvx", "arm-64-osx-metal", "x86-64-linux-avx2-f16c",
    "x86-64-linux-metal-opencl",
]  # fmt: skip
DEVICES = ["Host", "Default_GPU", "CUDA", "OpenCL", "Metal", "Hexagon", "Vulkan"]


def types(hl):
    sizes = {hl.Int: (8, 16, 32, 64), hl.UInt: (1, 8, 16, 32, 64), hl.Float: (16, 32, 64), hl.BFloat: (16,)}
    result = [kind(bits, lanes) for kind, all_bits in sizes.items() for bits in all_bits for lanes in (1, 4)]
    return [*result, hl.Handle(), hl.Type()]


def supported(hl, target):
    described = hl.Target(target)
    result = {}
    for kind in types(hl):
        result[str(kind).replace("uint1x", "boolx"), "any device"] = described.supports_type(kind)
        for device in DEVICES:
            result[str(kind).replace("uint1x", "boolx"), device] = described.supports_type(
                kind, getattr(hl.DeviceAPI, device)
            )
    return result


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_supports_the_types_that_the_wheel_says(target):
    assert supported(pipec, target) == supported(halide, target)


def test_the_type_of_nothing():
    def outcome(hl):
        kind = hl.Type()
        facts = (kind.bits(), kind.lanes(), kind.bytes(), kind.is_handle(), kind.is_scalar(), kind.is_vector())
        return str(kind), repr(kind), int(kind.code()), facts, kind == hl.Type(), kind == hl.Handle()

    assert outcome(pipec) == outcome(halide)
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        pipec.Type(pipec.TypeCode.Int)
