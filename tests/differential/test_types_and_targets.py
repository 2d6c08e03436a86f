"""Questions about types, targets, enumerations and Vars have the wheel's answers."""

from __future__ import annotations

import halide
import pytest

import pipec

QUESTIONS = """
hl.Handle().is_handle(), hl.Handle() == hl.Int(32), hl.Handle().bits()
hl.Int(32).same_handle_type(hl.Int(32)), hl.Handle().same_handle_type(hl.Handle())
[hl.Type(hl.TypeCode.Int, 16, 4).is_vector(), hl.Int(16, 4).lanes(), hl.Int(16, 4).element_of() == hl.Int(16)]
[t.is_uint() for t in (hl.UInt(8), hl.Int(8), hl.Float(32), hl.Bool())]
[hl.Int(8).can_represent(hl.UInt(8)), hl.Int(16).can_represent(hl.UInt(8)), hl.Float(32).can_represent(hl.Int(16))]
[hl.Float(64).can_represent(hl.Int(32))]
[hl.Int(32).is_max(2**31 - 1), hl.UInt(8).is_min(0), hl.UInt(8).is_max(255), hl.Int(8).is_min(-128)]
[hl.Int(8).with_bits(32), hl.Int(8).with_lanes(4), hl.Int(8).with_code(hl.TypeCode.UInt)]
[hl.Int(16).bytes(), hl.Bool().bytes(), hl.Float(64).bytes()]
[hl.Target("x86-64-linux-avx2").to_string(), str(hl.Target("arm-64-android")), hl.Target("arm-64-ios").os.name]
[hl.Target("arm-64-osx").arch.name, hl.Target("x86-64-windows").os.name, hl.Target("x86-32-linux").bits]
[hl.TargetOS.Android.name, hl.TargetOS.IOS.name, hl.TargetOS.OSX.name, hl.TargetOS.Windows.name]
[hl.Target().arch == hl.TargetArch.ArchUnknown, hl.Target().os == hl.TargetOS.OSUnknown, hl.Target().bits]
[hl.Target("arm-32-ios-armv7s").has_feature(hl.TargetFeature.ARMv7s), hl.TargetFeature.HVX == hl.TargetFeature.HVX_128]
[hl.Target("x86-64-linux-" + f).has_gpu_feature() for f in ("cuda", "metal", "opencl", "vulkan", "d3d12compute", "avx")]
[hl.Target("x86-64-linux-cuda").has_feature(hl.TargetFeature.CUDA)]
hl.Target("host-debug").has_feature(hl.TargetFeature.Debug)
[f.name for f in (hl.TargetFeature.Metal, hl.TargetFeature.Vulkan, hl.TargetFeature.D3D12Compute)]
[hl.Target("host-large_buffers").has_large_buffers(), hl.Target("host").has_large_buffers()]
hl.Target("x86-64-linux-large_buffers").has_feature(hl.TargetFeature.LargeBuffers)
[hl.Target("host-large_buffers").maximum_buffer_size(), hl.Target("host").maximum_buffer_size()]
[d.name for d in (hl.DeviceAPI.CUDA, hl.DeviceAPI.Metal, hl.DeviceAPI.OpenCL)]
[hl.target_feature_for_device_api(d).name for d in (hl.DeviceAPI.CUDA, hl.DeviceAPI.Metal, hl.DeviceAPI.OpenCL)]
[hl.Target("x86-64-linux-cuda").supports_device_api(d) for d in (hl.DeviceAPI.CUDA, hl.DeviceAPI.Metal)]
hl.host_supports_target_device(hl.Target("host"))
hl.get_target_from_environment() == hl.Target("host")
hl.get_jit_target_from_environment().has_feature(hl.TargetFeature.JIT)
[p.name for p in (hl.Partition.Auto, hl.Partition.Never)], [o.name for o in (hl.OutputFileType.stmt_html,)]
[hl.OutputFileType.python_extension.name, hl.StmtOutputFormat.HTML.name]
[hl.Var.implicit(3).name(), hl.Var("_3").is_implicit(), hl.Var("_3").implicit_index(), hl.Var("x").implicit_index()]
[hl.Var("_").is_placeholder(), hl.Var("x").same_as(hl.Var("x")), hl.Var.outermost().name()]
hl.evaluate_may_gpu(hl.i32(6) * 7)
"""


@pytest.mark.parametrize("question", QUESTIONS.strip().splitlines())
def test_the_answer_is_the_wheels(question: str) -> None:
    ours, theirs = (repr(eval(question, {"hl": module})) for module in (pipec, halide))
    assert ours == theirs.replace("halide.halide_.", "halide.")


def pixels(hl):
    x, y = hl.vars("x y")
    f = hl.Func("f")
    f[x, y] = hl.u8(x + y)
    f.partition(x, hl.Partition.Never)
    first = f.realize([3, 2])
    first.copy_to_host()
    pipeline = hl.Pipeline(f)
    pipeline.realize([2, 2])
    pipeline.invalidate_cache()
    element = hl.Func("pair")
    element[x] = (x, hl.f32(x) * 2)
    part = element[x][1]
    return [first[2, 1], pipeline.realize([2, 2])[1, 1], type(part).__name__, str(hl.Expr(part).type())]


def test_small_things_that_programs_do() -> None:
    assert pixels(pipec) == pixels(halide)


def test_a_loop_of_one_iteration_need_not_be_partitioned() -> None:
    def row(hl):
        x, y, f = hl.Var("x"), hl.Var("y"), hl.Func("f")
        f[x, y] = hl.u8(x + y)
        f.bound(y, 0, 1).partition(y, hl.Partition.Always)
        return [f.realize([3, 1])[i, 0] for i in range(3)]

    assert row(pipec) == row(halide)


def test_parameters_are_read_from_serialized_pipelines() -> None:
    def names(hl):
        image, f, x = hl.ImageParam(hl.UInt(8), 1, "image"), hl.Func("f"), hl.Var("x")
        gain = hl.Param(hl.UInt(8), "gain")
        f[x] = image[x] * gain
        data = hl.serialize_pipeline(hl.Pipeline(f))
        return sorted((name, str(p.type())) for name, p in hl.deserialize_parameters(data).items())

    assert names(pipec) == names(halide) == [("gain", "uint8"), ("image", "uint8")]


def test_bitcode_is_written(tmp_path) -> None:
    for hl in (pipec, halide):
        f, x = hl.Func("f"), hl.Var("x")
        f[x] = x
        path = tmp_path / f"{hl.__name__}.bc"
        f.compile_to_bitcode(str(path), [], "f")
        assert path.read_bytes()[:2] == b"BC"
