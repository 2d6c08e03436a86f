"""Profile reports and their formats."""

import json

import pytest

import pipec as hl
from pipec.errors import ArgumentError
from pipec.inspect.report import report_of
from pipec.inspect.subject import subject_of
from pipec.inspect.timeline import slices, stacks
from pipec.pipeline.observation.sampling import ThreadSample
from pipec.records import replace

x, y = hl.vars("x y")


@pytest.fixture(scope="module")
def report():
    """Of a Func inside the rows of another one, with samples that are the same in every run."""
    inner, outer = hl.Func("inner"), hl.Func("outer")
    inner[x, y] = hl.sqrt(hl.f32(x * y))
    outer[x, y] = inner[x, y] + inner[x, y + 1]
    inner.compute_at(outer, y)
    outer.parallel(y)
    result = report_of(subject_of([outer.function], sizes=[640, 480]), 0.01)
    times = [("outer", "inner"), ("inner", "inner"), ("inner", ""), ("", "outer")]
    samples = tuple([ThreadSample(1e-3 * k, 1e-3, funcs) for k, funcs in enumerate(times)])
    return replace(result, profile=result.profile.sampled(samples))


def test_a_report_has_counts_of_each_func(report):
    inner, outer = report.by_name["inner"], report.by_name["outer"]
    assert inner.recomputation == pytest.approx(2 * 480 / 481) and outer.recomputation == 1
    assert outer.written == outer.memory_bytes == 4 * 640 * 480 and outer.read == 2 * outer.written
    assert inner.memory_bytes == 0 and report.memory_bytes == outer.memory_bytes
    assert 0 <= report.idle <= 1 and report.seconds > 0 and report.mean_seconds > 0


def test_runs_that_stop_at_the_border_of_an_input_are_sampled_too():
    image = hl.ImageParam(hl.Float(32), 2, "image")
    inner, outer = hl.Func("inner"), hl.Func("outer")
    inner[x, y] = hl.sqrt(image[x, y])
    outer[x, y] = inner[x, y] + inner[x + 1, y]
    # The last vector would read beyond the image: another version of the code runs.
    inner.compute_at(outer, y).vectorize(x, 16, hl.TailStrategy.RoundUp)
    report = report_of(subject_of([outer.function], like={"image": [801, 900]}, sizes=[800, 900]), 0.3)
    assert sum([func.seconds for func in report.funcs if func.name != "overhead"]) > report.seconds / 2 > 0
    assert report.seconds <= report.mean_seconds


def test_the_text_is_nested_as_the_loops_are(report):
    lines = [line for line in str(report).splitlines() if line.strip()]
    names = [(len(line) - len(line.lstrip()), line.split()[0]) for line in lines[3:]]
    assert names[:3] == [(0, "outer"), (2, "parallel"), (4, "inner")]


def test_slices_join_samples_of_a_thread_with_the_same_func(report):
    assert stacks(report.loops) == {"outer": ("outer",), "inner": ("outer", "inner")}
    caller, worker = slices(report.profile, report.loops)
    assert [part.stack for part in caller] == [("outer",), ("outer", "inner"), ()]
    assert [round(1e3 * part.seconds) for part in worker] == [2, 1, 1]


def test_chrome_traces_nest_the_func_in_its_consumer(report):
    events = [event for event in json.loads(report.to_chrome_trace())["traceEvents"] if event["ph"] == "X"]
    caller = [(event["name"], event["ts"], event["dur"]) for event in events if event["tid"] == 0]
    assert caller == [("outer", 0, 3000), ("inner", 1000, 2000)]


def test_speedscope_profiles_have_a_weight_for_each_stack(report):
    data = json.loads(report.to_speedscope())
    frames = [frame["name"] for frame in data["shared"]["frames"]]
    assert data["$schema"] == "https://www.speedscope.app/file-format-schema.json" and len(data["profiles"]) == 2
    for profile in data["profiles"]:
        assert len(profile["samples"]) == len(profile["weights"]) and profile["unit"] == "seconds"
        assert profile["endValue"] == pytest.approx(sum(profile["weights"])) == pytest.approx(4e-3)
    assert [[frames[k] for k in stack] for stack in data["profiles"][0]["samples"]] == [
        ["outer"],
        ["outer", "inner"],
        [],
    ]


def test_files_have_the_format_of_their_ending(report, tmp_path):
    for ending, start in ((".txt", "outer of 640"), (".json", "{"), (".trace.json", "{"), (".html", "<!DOCTYPE html>")):
        assert report.save(tmp_path / f"report{ending}").read_text().startswith(start)
    assert json.loads((tmp_path / "report.json").read_text())["funcs"][0]["name"]
    with pytest.raises(ArgumentError, match=r"\.speedscope\.json"):
        report.save(tmp_path / "report.pdf")
