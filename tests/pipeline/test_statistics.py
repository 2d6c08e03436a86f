"""Statistics of compiled pipelines, and profiles of their runs."""

import os

import numpy as np
import pytest

import pipec as hl
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.pipeline.calls.compiled import CompiledPipeline
from pipec.pipeline.observation.group_clock import GroupClock

x, y = hl.vars("x y")


def chain(name):
    """Two stages in threads, the first 400 kB large."""
    g, f = hl.Func(f"{name}_g"), hl.Func(name)
    g[x, y] = hl.sqrt(hl.f32(x * y))
    f[x, y] = g[x, y] + g[x, y + 1]
    g.compute_root().parallel(y).vectorize(x, 8)
    f.parallel(y)
    return f


def test_statistics_count_calls_code_and_memory():
    f = chain("counted")
    before = f.jit_statistics()
    assert before.calls == 0 and before.variants == 1 and before.code_bytes > 1000 and before.threads >= 1
    assert before.code_seconds > 0 and before.profile is None
    for _ in range(3):
        f.realize([1000, 100])
    after = f.jit_statistics()
    assert after.calls == 3 and after.heap.allocations - before.heap.allocations == 3
    assert after.heap.total - before.heap.total >= 3 * 4 * 1000 * 101
    assert after.heap.live == before.heap.live and after.heap.peak >= 4 * 1000 * 101
    run = f.compile_to_callable([])
    run(np.zeros((100, 1000), np.float32))
    assert run.statistics().calls == 4


def test_what_comes_from_disk_is_not_lowered(tmp_path, monkeypatch):
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path))
    first = chain("kept").jit_statistics()
    second_func = chain("kept")
    second = second_func.jit_statistics()
    assert (first.cached, second.cached) in ((0, 0), (0, 1)) and first.lowering_seconds > 0
    second_func.function.compiled.clear()
    third = second_func.jit_statistics()
    assert third.cached == 1 and third.lowering_seconds == 0 and third.code_bytes == second.code_bytes


def test_a_profile_tells_time_threads_and_memory_of_each_func(capsys):
    f, reports = chain("profiled"), []
    target = hl.get_host_target().with_feature(hl.TargetFeature.Profile)
    expected = np.asarray(f.realize([1000, 100]))
    f.set_custom_print(reports.append)
    for _ in range(2):
        assert (np.asarray(f.realize([1000, 100], target)) == expected).all()
    (first, second), printed = reports, capsys.readouterr().out
    assert printed == "" and first.startswith("profiled\n total time: ") and "runs: 1" in second
    assert "profiled_g:" in first and f"peak: {4 * 1000 * 101}" in first and "threads: " in first
    result = f.jit_statistics(target).profile
    assert result.runs == 2 and result.allocations == 2 and result.heap_peak == 4 * 1000 * 101
    by_name = {func.name: func for func in result.funcs}
    assert by_name["profiled_g"].heap_total == 2 * 4 * 1000 * 101 and by_name["profiled_g"].entered == 2
    assert sum(func.seconds for func in result.funcs) == pytest.approx(result.seconds, rel=0.01)
    assert all(func.thread_seconds >= 0 for func in result.funcs)


def test_funcs_inside_loops_are_entered_each_time_and_have_their_memory_once():
    f, reports = hl.Func("outer"), []
    g = hl.Func("inner")
    g[x, y] = x + y
    f[x, y] = g[x, y] * 2
    g.compute_at(f, y).store_in(hl.MemoryType.Heap)
    f.set_custom_print(reports.append)
    target = hl.get_host_target().with_feature(hl.TargetFeature.Profile)
    f.realize([100, 30], target)
    inner = next(func for func in f.jit_statistics(target).profile.funcs if func.name.startswith("inner"))
    assert inner.entered == 30 and inner.allocations == 1 and inner.heap_peak == inner.heap_total == 400


def test_what_runs_beside_its_consumer_is_profiled():
    f, g, reports = hl.Func("beside"), hl.Func("ahead"), []
    g[x, y] = hl.sqrt(hl.f32(x + y))
    f[x, y] = g[x, y] + g[x, y + 1]
    g.compute_root().async_()
    f.set_custom_print(reports.append)
    target = hl.get_host_target().with_feature(hl.TargetFeature.Profile)
    f.realize([400, 300], target)
    result = f.jit_statistics(target).profile
    assert len(reports) == 1 and {func.name for func in result.funcs if func.entered} >= {f.name(), g.name()}
    assert sum(func.seconds for func in result.funcs) == pytest.approx(result.seconds, rel=0.01)


def test_samples_tell_what_each_thread_computed():
    f, reports = chain("sampled"), []
    target = hl.get_host_target().with_feature(hl.TargetFeature.ProfileByTimer)
    expected = np.asarray(f.realize([4000, 300]))
    f.set_custom_print(reports.append)
    for _ in range(1000):
        assert (np.asarray(f.realize([4000, 300], target)) == expected).all()
        result = f.jit_statistics(target).profile
        names = {name for sample in result.samples for name in sample.funcs}
        if len(result.samples) >= 20 and "sampled_g" in names:
            break
    assert names <= {"", "overhead", f.name(), "sampled_g"} and "sampled_g" in names
    assert all(sample.duration > 0 for sample in result.samples) and "samples: " in reports[0]
    assert sum(func.seconds for func in result.funcs) == pytest.approx(result.seconds)
    assert result.heap_peak == 4 * 4000 * 301 and 0 <= result.waiting <= result.seconds


def test_samples_go_on_in_the_child_of_a_fork():
    f = chain("forked")
    target = hl.get_host_target().with_feature(hl.TargetFeature.ProfileByTimer)
    f.set_custom_print(lambda text: None)
    f.realize([400, 30], target)
    child = os.fork()
    if child == 0:
        for _ in range(2000):
            f.realize([4000, 30], target)
            if f.jit_statistics(target).profile.runs > 1 and f.jit_statistics(target).profile.samples[-1:]:
                os._exit(0)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0


def clocked(f, runs=1):
    """The seconds of each Func at root, of so many runs."""
    definition, _ = freeze([f.function])
    clock = GroupClock(definition.funcs)
    compiled = CompiledPipeline(definition, schedule_of([f.function]), hl.get_host_target(), clock=clock)
    output = np.zeros((100, 1000), np.float32)
    call = compiled.fast_call(1, [0])
    for number in range(runs):
        if number % 2:
            assert call(output)
        else:
            compiled([output])
    return clock.taken(), clock.taken()


def test_a_clock_of_groups_times_funcs_at_root_with_what_they_contain(capsys):
    f = chain("clocked")
    inner = hl.Func("clocked_inner")
    outer = hl.Func("clocked_outer")
    inner[x, y] = f[x, y] * 2
    outer[x, y] = inner[x, y] + inner[x + 1, y]
    f.compute_root()
    inner.compute_at(outer, y)
    outer.parallel(y)
    first, second = clocked(outer, runs=4)
    assert {name.partition("$")[0] for name in first} == {"clocked_g", "clocked", "clocked_outer"}
    assert all(1e-7 < seconds < 10 for seconds in first.values())
    assert second == {} and capsys.readouterr().out == "", "each time counts once, and nothing is printed"
