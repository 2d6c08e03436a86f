"""Target: strings, features, host detection, vector sizes."""

import pickle
from pathlib import Path

import pytest

import pipec as hl
from pipec.errors import ArgumentError
from pipec.ir.types import Bool, Float, Int, UInt
from pipec.jit.llvm.machine import foreign_machine, host, machine_of
from pipec.target import (
    DeviceAPI,
    Target,
    TargetArch,
    TargetFeature,
    TargetOS,
    get_host_target,
    get_jit_target_from_environment,
)
from pipec.target.host import features_of_processor, tune_of_processor


def test_features_are_sorted_in_the_string():
    features = [TargetFeature.SSE41, TargetFeature.NoBoundsQuery, TargetFeature.NoAsserts]
    target = Target(TargetOS.Linux, TargetArch.X86, 32, features)
    assert str(target) == "x86-32-linux-no_asserts-no_bounds_query-sse41"
    assert Target(str(target)) == target


def test_words_come_in_any_order():
    assert str(Target("avx-linux-64-x86")) == "x86-64-linux-avx"


def test_a_device_is_part_of_the_target():
    target = Target("x86-64-linux-device_1-opencl")
    assert target.device == "1" and str(target) == "x86-64-linux-device_1-opencl"
    assert Target(str(target)) == target != Target("x86-64-linux-opencl")
    assert Target(target).with_feature(TargetFeature.AVX).device == "1"
    assert not Target.validate_target_string("x86-64-linux-device_")


def test_the_empty_target_is_unknown():
    assert str(Target()) == "arch_unknown-0-os_unknown"
    assert repr(Target()) == "<halide.Target arch_unknown-0-os_unknown>"
    with pytest.raises(ArgumentError, match="natural_vector_size cannot be used on a Target with Unknown values"):
        Target().natural_vector_size(Int(8))


@pytest.mark.parametrize(
    "text",
    ["debug", "x86", "x86-64-linux-foo", "x86-arm-64-linux", "x86-16-linux", "64-host", "host-", "x86-64--linux"]
    + [f"x86-64-linux-vector_bits_{bits}" for bits in ("", "-3", "wide")],
)
def test_targets_not_understood(text):
    with pytest.raises(ArgumentError, match="Did not understand Halide target"):
        Target(text)
    assert not Target.validate_target_string(text)


def test_features_must_fit_the_architecture():
    with pytest.raises(ArgumentError, match="Target feature armv7s is incompatible"):
        Target("x86-64-linux-armv7s")


def test_features_are_returned_as_features():
    with pytest.raises(TypeError, match="incompatible constructor arguments"):
        Target(TargetOS.Linux, TargetArch.X86, 32, ["avx"])


def test_features_can_be_set_in_place_or_in_a_copy():
    target = Target("x86-64-linux")
    copy = target.with_feature(TargetFeature.AVX2)
    assert copy.has_feature(TargetFeature.AVX2) and not target.has_feature(TargetFeature.AVX2)
    target.set_features([TargetFeature.AVX, TargetFeature.FMA])
    target.set_feature(TargetFeature.FMA, False)
    assert str(target) == "x86-64-linux-avx"
    assert str(copy.without_feature(TargetFeature.AVX2)) == "x86-64-linux"


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("x86-64-linux-sse41", [16, 8, 4, 2, 8, 2, 16]),
        ("x86-64-linux-avx", [16, 8, 8, 4, 16, 2, 16]),
        ("x86-64-linux-avx2", [32, 16, 8, 4, 16, 4, 32]),
        ("x86-64-linux-avx512", [32, 16, 16, 8, 16, 4, 32]),
        ("x86-64-linux-avx512_skylake", [64, 32, 16, 8, 32, 8, 64]),
        ("arm-64-linux", [16, 8, 4, 2, 8, 2, 16]),
        ("wasm-32-wasmrt", [1, 1, 1, 1, 1, 1, 1]),
        ("arm-64-linux-sve2-vector_bits_512", [64, 32, 16, 8, 32, 8, 64]),
        ("arm-64-linux-vector_bits_512", [16, 8, 4, 2, 8, 2, 16]),
        ("riscv-64-linux-rvv-vector_bits_256", [32, 16, 8, 4, 16, 4, 32]),
        ("powerpc-64-linux", [16, 8, 4, 2, 8, 2, 16]),
    ],
)
def test_natural_vector_size(text, sizes):
    types = [UInt(8), Int(16), Float(32), Float(64), Float(16), UInt(64), Bool()]
    assert [Target(text).natural_vector_size(t) for t in types] == sizes


def test_the_width_of_scalable_vectors_is_part_of_the_target():
    target = Target("arm-64-linux-vector_bits_256-sve2")
    assert str(target) == "arm-64-linux-sve2-vector_bits_256"
    assert str(target.with_feature(TargetFeature.NoAsserts)) == "arm-64-linux-no_asserts-sve2-vector_bits_256"
    assert target != Target("arm-64-linux-sve2")


def test_the_empty_string_is_the_host_but_not_valid():
    assert Target("") == get_host_target()
    assert not Target.validate_target_string("")


def test_trace_all_is_three_features():
    assert str(Target("x86-64-linux-trace_all")) == "x86-64-linux-trace_all"
    assert Target("x86-64-linux-trace_all").has_feature(TargetFeature.TraceLoads)


def test_large_buffers():
    assert Target("x86-64-linux").maximum_buffer_size() == 2**31 - 1
    assert Target("x86-64-linux-large_buffers").maximum_buffer_size() == 2**63 - 1


def test_the_host_is_supported_and_jit_adds_a_feature(monkeypatch):
    monkeypatch.delenv("HL_JIT_TARGET", raising=False)
    host = get_host_target()
    assert host.supported() and not host.is_unknown()
    assert get_jit_target_from_environment() == host.with_feature(TargetFeature.JIT)
    assert Target("host-no_asserts") == host.with_feature(TargetFeature.NoAsserts)


def test_the_jit_target_must_be_the_host(monkeypatch):
    monkeypatch.setenv("HL_JIT_TARGET", "hexagon-32-qurt")
    with pytest.raises(ArgumentError, match="HL_JIT_TARGET must match the host"):
        get_jit_target_from_environment()


def test_features_of_a_processor_are_read_from_its_flags():
    text = "vendor_id\t: AuthenticAMD\ncpu family\t: 23\nmodel\t\t: 49\nflags\t\t: sse4_1 avx avx2 fma\n"
    names = {f.name for f in features_of_processor(text)}
    assert names == {"SSE41", "AVX", "AVX2", "FMA"}
    assert tune_of_processor(text).text == "tune_znver2"


def test_targets_are_values():
    target = Target("x86-64-linux-avx2")
    assert pickle.loads(pickle.dumps(target)) == target
    assert hash(target) == hash(Target("x86-64-linux-avx2"))
    assert target != Target("x86-64-linux")


def test_gpu_features():
    target = Target("x86-64-linux-opencl")
    assert target.has_gpu_feature() and target.supports_device_api(DeviceAPI.OpenCL)
    assert not target.supports_type(Float(64), DeviceAPI.OpenCL)
    assert target.supports_type(Float(16), DeviceAPI.OpenCL) and not target.supports_type(Float(64))
    assert target.with_feature(TargetFeature.CLDoubles).supports_type(Float(64))


@pytest.mark.parametrize("feature", ["x86apx", "avx512_sapphirerapids", "avx512_knl", "fma4", "avxvnni"])
def test_code_for_this_process_takes_no_instructions_that_it_lacks(feature: str) -> None:
    if get_host_target().arch is not TargetArch.X86:
        pytest.skip("features of x86")
    machine = machine_of(Target(f"x86-64-linux-{feature}"), host())
    assert set(filter(None, machine.features.split(","))) <= set(host().features.split(","))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("arm-64-linux-armv82a", "+v8.2a"),
        ("arm-64-linux-armv8a-sve", "+v8a,+sve"),
        ("arm-32-linux-armv8a", "+v8"),
        ("arm-64-linux-no_neon", "-neon"),
        ("riscv-64-linux-rvv", "+v"),
        ("x86-32-linux-avx512_knl", "+avx512cd"),
        ("x86-64-linux-x86apx", "+egpr"),
    ],
)
def test_files_are_for_the_instructions_that_the_target_names(
    text: str, named: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert set(named.split(",")) <= set(foreign_machine(Target(text)).features.split(","))
    x, f = hl.Var("x"), hl.Func("f")
    f[x] = x * 2
    f.compile_to_assembly(str(tmp_path / "f.s"), [], "f", Target(f"{text}-no_runtime"))
    assert "not a recognized feature" not in capfd.readouterr().err


def test_the_simulator_is_one_of_ios() -> None:
    assert foreign_machine(Target("arm-64-ios-simulator")).triple == "arm64-apple-ios14.0.0-simulator"
    f = hl.Func("f")
    f[hl.Var("x")] = 1
    with pytest.raises(hl.HalideError, match="simulator is for ios"):
        f.realize([4], Target("host-simulator"))
