"""Code for several processors in one library; the runtime apart."""

import subprocess

import pytest
from c_programs import blur, build, expected, run

import pipec as hl

TARGETS = [
    hl.Target("x86-64-linux-avx512-avx512_skylake-avx512_cannonlake-avx512_zen4-avx2-fma-f16c-avx-sse41"),
    hl.Target("x86-64-linux-avx2-fma-f16c-avx-sse41"),
    hl.Target("x86-64-linux"),
]
x86 = pytest.mark.skipif(hl.get_host_target().arch is not hl.TargetArch.X86, reason="runs code for x86")


@pytest.mark.slow
@x86
def test_a_library_for_several_processors(tmp_path):
    func, image, gain = blur()
    func.compile_to_multitarget_static_library(tmp_path / "pipeline", [image, gain], TARGETS)
    build(tmp_path, "pipeline.a")
    printed, result = run(tmp_path, 60, 40)
    assert printed == "0" and (result == expected(60, 40)).all()


@x86
def test_objects_for_several_processors(tmp_path):
    func, image, gain = blur()
    func.compile_to_multitarget_object_files(tmp_path / "pipeline", [image, gain], TARGETS[1:], ["avx2", "any"])
    build(tmp_path, "pipeline-avx2.o", "pipeline-any.o", "pipeline_wrapper.o", "pipeline_runtime.o")
    printed, result = run(tmp_path, 60, 40)
    assert printed == "0" and (result == expected(60, 40)).all()


@x86
@pytest.mark.parametrize("kind", ["object", "static_library"])
@pytest.mark.part(2)
def test_one_target_needs_no_choice(tmp_path, kind):
    func, image, gain = blur()
    if kind == "object":
        func.compile_to_multitarget_object_files(tmp_path / "pipeline", [image, gain], TARGETS[-1:], ["any"])
    else:
        func.compile_to_multitarget_static_library(tmp_path / "pipeline", [image, gain], TARGETS[-1:])
    name = {"object": "pipeline.o", "static_library": "pipeline.a"}[kind]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "pipeline.h"])
    build(tmp_path, name)
    printed, result = run(tmp_path, 60, 40)
    assert printed == "0" and (result == expected(60, 40)).all()


@pytest.mark.part(2)
@pytest.mark.parametrize("count", [1, 2])
def test_files_for_windows_have_its_endings(tmp_path, count):
    func, image, gain = blur()
    targets = [hl.Target("x86-64-windows-no_runtime-sse41"), hl.Target("x86-64-windows-no_runtime")][:count]
    func.compile_to_multitarget_object_files(tmp_path / "f", [image, gain], targets, ["a", "b"][:count])
    func.compile_to_multitarget_static_library(tmp_path / "g", [image, gain], targets)
    objects = ["f.obj"] if count == 1 else ["f-a.obj", "f-b.obj", "f_wrapper.obj"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [*sorted([*objects, "f.h"]), "g.h", "g.lib"]


@x86
def test_the_runtime_may_be_apart(tmp_path):
    func, image, gain = blur()
    target = hl.Target("x86-64-linux-no_runtime")
    func.compile_to_static_library(tmp_path / "pipeline", [image, gain], target=target)
    hl.compile_standalone_runtime(tmp_path / "runtime.o", hl.Target("x86-64-linux"))
    build(tmp_path, "pipeline.a", "runtime.o")
    printed, result = run(tmp_path, 60, 40)
    assert printed == "0" and (result == expected(60, 40)).all()


def test_targets_must_go_together(tmp_path):
    func, image, gain = blur()
    for targets, words in (
        ([], "at least one target"),
        ([hl.Target("arm-64-linux"), TARGETS[-1]], "matching arch-bits-os"),
        ([TARGETS[-1], TARGETS[-1]], "all different"),
    ):
        with pytest.raises(hl.HalideError, match=words):
            func.compile_to_multitarget_static_library(tmp_path / "f", [image, gain], targets)


@pytest.mark.slow
def test_ar_lists_the_members(tmp_path):
    func, image, gain = blur()
    targets = [hl.Target("x86-64-osx-sse41"), hl.Target("x86-64-osx")]
    func.compile_to_multitarget_static_library(tmp_path / "f", [image, gain], targets)
    listed = subprocess.run(["ar", "t", "f.a"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert listed.stdout.split() == [
        "f-x86-64-osx-sse41.o", "f-x86-64-osx.o", "f_wrapper.o", "f_runtime.o"
    ]  # fmt: skip
