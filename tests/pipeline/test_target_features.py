"""Features of targets that change the code, and those that pipec makes no code for."""

import subprocess
from pathlib import Path

import halide
import numpy as np
import pytest

import pipec as hl
from pipec.errors import NotSupportedError, OutOfBoundsError
from pipec.target import TargetFeature as Feature

x = hl.Var("x")
HOST = hl.get_host_target()
WITHOUT_CHECKS = HOST.with_feature(Feature.NoAsserts)


@pytest.mark.parametrize("bits", [16, 32, 64])
@pytest.mark.parametrize("lanes", [1, 8])
def test_fuzzed_floats_have_no_last_bit(bits: int, lanes: int) -> None:
    f, g = hl.Func("f"), hl.Func("g")
    f[x] = hl.cast(hl.Float(bits), hl.sin(hl.f32(x)))
    f[x] += hl.cast(hl.Float(bits), 0.1)
    g[x] = f[x] * 1
    f.compute_root().vectorize(x, lanes)
    f.update().vectorize(x, lanes)
    plain = np.asarray(g.realize([100]))
    fuzzed = np.asarray(g.realize([100], HOST.with_feature(Feature.FuzzFloatStores)))
    assert not (fuzzed.view(f"u{bits // 8}") & 1).any()
    assert (plain.view(f"u{bits // 8}") & 1).any()
    np.testing.assert_allclose(fuzzed, plain, atol=8 * float(np.finfo(plain.dtype).eps))


def test_fuzzed_floats_are_those_of_the_wheel() -> None:
    def realized(module: object) -> np.ndarray:
        f, v = module.Func("f"), module.Var("v")
        f[v] = module.f32(v) * module.f32(0.1)
        return np.asarray(f.realize([50], module.get_host_target().with_feature(module.TargetFeature.FuzzFloatStores)))

    assert realized(hl).tobytes() == realized(halide).tobytes()


def masked() -> tuple[hl.Func, hl.ImageParam]:
    """A Func that uses the input inside of it alone, which bounds inference cannot see."""
    source, f = hl.ImageParam(hl.Int(32), 1, "source"), hl.Func("f")
    source.set(hl.Buffer(np.arange(10, dtype=np.int32)))
    f[x] = hl.select(x % 20 < 10, source[x % 20], -1)
    return f, source


@pytest.mark.parametrize("size", [5, 20, 33])
def test_inputs_that_are_small_are_not_checked_without_asserts(size: int) -> None:
    f, _ = masked()
    f.vectorize(x, 8)
    with pytest.raises(OutOfBoundsError):
        f.realize([33])
    at = np.arange(size) % 20
    assert np.asarray(f.realize([size], WITHOUT_CHECKS)).tolist() == np.where(at < 10, at, -1).tolist()


def test_constraints_of_inputs_and_requirements_are_not_checked_without_asserts() -> None:
    f, source = masked()
    source.dim(0).set_bounds(0, 12)
    limit = hl.Param(hl.Int(32), "limit", 7)
    pipeline = hl.Pipeline(f)
    pipeline.add_requirement(limit < 3, "too large")
    assert np.asarray(pipeline.realize([4], WITHOUT_CHECKS)).tolist() == [0, 1, 2, 3]


def test_outputs_are_checked_without_asserts_too() -> None:
    f = hl.Func("f")
    f[x] = x
    f.output_buffer().dim(0).set_bounds(0, 64)
    with pytest.raises(hl.HalideError, match="Constraint violated"):
        f.realize(hl.Buffer(np.zeros(10, np.int32)), WITHOUT_CHECKS)


def test_debug_prints_each_call(capfd: pytest.CaptureFixture[str]) -> None:
    source, gain, f = hl.ImageParam(hl.UInt(8), 1, "source"), hl.Param(hl.Int(32), "gain", 3), hl.Func("bright")
    f[x] = source[x] * gain
    source.set(hl.Buffer(np.arange(30, dtype=np.uint8)))
    target = HOST.with_feature(Feature.Debug)
    for size in (4, 5):
        f.realize([size], target)
    lines = "".join(capfd.readouterr()).splitlines()
    assert lines[0] == "Entering Pipeline bright"
    assert lines[1] == f"Target: {target}"
    assert " Input Buffer source: uint8 min extent stride 0 30 1" in lines
    assert " Input gain: int32 3" in lines
    assert " Output Buffer bright: int32 min extent stride 0 4 1" in lines
    assert lines[-2:] == [" Output Buffer bright: int32 min extent stride 0 5 1", "Exiting Pipeline bright"]


def test_debug_prints_a_call_once_whose_strips_pass_the_border(capfd: pytest.CaptureFixture[str]) -> None:
    f = hl.Func("narrow")
    f[x] = x
    f.vectorize(x, 8)
    f.realize([5], HOST.with_feature(Feature.Debug))
    assert "".join(capfd.readouterr()).count("Entering Pipeline narrow") == 1


@pytest.mark.parametrize("feature", "asan msan tsan sanitizer_coverage metal d3d12compute vulkan webgpu".split())
def test_features_without_code_are_refused(feature: str, tmp_path: Path) -> None:
    f = hl.Func("f")
    f[x] = x
    target = hl.Target(f"host-{feature}")
    for use in (lambda: f.realize([4], target), lambda: f.compile_to_object(str(tmp_path / "f.o"), [], target=target)):
        with pytest.raises(NotSupportedError, match=f"The target feature {feature} is not supported"):
            use()


def test_names_of_functions_are_not_mangled(tmp_path: Path) -> None:
    f = hl.Func("f")
    f[x] = x
    with pytest.raises(NotSupportedError, match="functions have C names"):
        f.compile_to_file(str(tmp_path / "f"), [], target=hl.Target("host-c_plus_plus_name_mangling"))


MAIN = """
#include "f.h"
int main(void) {
    int32_t to[4];
    halide_dimension_t dim = {0, 4, 1, 0};
    halide_buffer_t out = {.host = (uint8_t *)to, .type = {halide_type_int, 32, 1}, .dimensions = 1, .dim = &dim};
    int mark;
    return f(&mark, 5, &out) || to[3] != 8;
}
"""


@pytest.mark.parametrize("form", ["object", "c"])
def test_a_user_context_is_the_first_parameter(form: str, tmp_path: Path) -> None:
    f, offset = hl.Func("f"), hl.Param(hl.Int(32), "offset")
    f[x] = x + offset
    target = hl.Target("host-user_context")
    code = tmp_path / ("f.o" if form == "object" else "f.c")
    if form == "object":
        f.compile_to_object(str(code), [offset], "f", target)
    else:
        f.compile_to_c(str(code), [offset], "f", target)
    f.compile_to_header(str(tmp_path / "f.h"), [offset], "f", target)
    assert "int f(void *__user_context, int32_t offset," in (tmp_path / "f.h").read_text()
    (tmp_path / "main.c").write_text(MAIN)
    command = ["cc", "main.c", code.name, "-o", "main", "-lpthread", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    assert subprocess.run([tmp_path / "main"]).returncode == 0
