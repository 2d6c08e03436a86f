"""`autoschedule` as users call it: the result, applying, what stays, what is refused."""

from __future__ import annotations

import io
import math
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule import api
from pipec.autoschedule.cost.cpu import memory_of
from pipec.autoschedule.progress import ProgressLine, seconds_of
from pipec.autoschedule.strategies.search_state import Options
from pipec.errors import ArgumentError, ScheduleError

QUICK = Options(beam=2, rounds=1, refined=1, states=60, samples=3)


def _blur(divisor: int = 3, names: str = "blur_x blur_y", variables: str = "x y") -> tuple[hl.Func, hl.ImageParam]:
    x, y = hl.vars(variables)
    image = hl.ImageParam(hl.UInt(16), 2, "image")
    blur_x, blur_y = hl.funcs(names)
    blur_x[x, y] = (image[x, y] + image[x + 1, y] + image[x + 2, y]) / divisor
    blur_y[x, y] = (blur_x[x, y] + blur_x[x, y + 1] + blur_x[x, y + 2]) / divisor
    return blur_y, image


def _pixels(output: hl.Func, image: hl.ImageParam, width: int = 37, height: int = 21) -> np.ndarray:
    image.set(np.arange((width + 2) * (height + 2), dtype=np.uint16).reshape(height + 2, width + 2))
    return output.realize([width, height]).numpy()


def test_a_schedule_is_returned_applied_and_right() -> None:
    output, image = _blur()
    expected = _pixels(*_blur(names="a b"))
    result = hl.Pipeline(output).autoschedule(sizes=[640, 480], options=QUICK, verify=False)
    assert result.predicted_ms > 0 and result.measured_ms is None and result.states > 10
    assert 0 < result.search_seconds < 30 and result.trials == 0
    assert output.function.schedule.directives and "blur_y" in result.schedule.to_python()
    assert (_pixels(output, image) == expected).all()
    assert hl.Func.autoschedule.__doc__


def test_looking_leaves_the_funcs_alone_and_apply_gives_them_the_schedule() -> None:
    output, _ = _blur()
    result = output.autoschedule(sizes=[640, 480], options=QUICK, verify=False, apply=False)
    assert not output.function.schedule.directives
    result.apply()
    assert output.function.schedule.directives
    second = result.top(2)[1]
    second.apply()
    with_second = output.function.schedule
    result.apply()
    assert output.function.schedule != with_second or second.schedule == result.schedule


def test_a_second_search_starts_anew() -> None:
    output, _ = _blur()
    first = output.autoschedule(sizes=[640, 480], options=QUICK, verify=False)
    second = output.autoschedule(sizes=[640, 480], options=QUICK, verify=False)
    assert second.schedule == first.schedule and second.states == first.states
    assert not any(func.fixed for func in second.problem.dag.funcs.values())


def test_what_users_scheduled_stays() -> None:
    output, image = _blur()
    blur_x = hl.Pipeline(output).get_func(0)
    blur_x.compute_root().vectorize(blur_x.args()[0], 16)
    by_hand = blur_x.function.schedule
    result = output.autoschedule(sizes=[640, 480], options=QUICK, verify=False)
    assert blur_x.function.schedule == by_hand and "blur_x" not in result.schedule.funcs()
    assert result.problem.dag.funcs["blur_x"].fixed
    assert (_pixels(output, image) == _pixels(*_blur(names="a b"))).all()


def test_directives_added_to_a_returned_schedule_are_the_users() -> None:
    output, _ = _blur()
    output.autoschedule(sizes=[640, 480], options=QUICK, verify=False)
    output.store_in(hl.MemoryType.Heap)
    assert (
        output.autoschedule(sizes=[640, 480], options=QUICK, verify=False, apply=False)
        .problem.dag.funcs["blur_y"]
        .fixed
    )


def test_the_same_seed_finds_the_same_schedule() -> None:
    output, _ = _blur()
    few = Options(seed=7, states=60)
    result = [output.autoschedule(sizes=[640, 480], strategy="random", options=few, verify=False) for _ in range(2)]
    assert result[0].schedule == result[1].schedule


@pytest.mark.parametrize("strategy", ["beam", "grouping", "random", "fallback"])
def test_every_strategy_finds_a_schedule(strategy: str) -> None:
    output, image = _blur()
    output.autoschedule(sizes=[200, 100], strategy=strategy, options=QUICK, verify=False)
    assert (_pixels(output, image) == _pixels(*_blur(names="a b"))).all()


def test_a_result_tells_about_itself(tmp_path: Path) -> None:
    output, _ = _blur()
    result = output.autoschedule(sizes=[640, 480], options=QUICK, verify=False)
    lines = result.explain().splitlines()
    assert lines[0].endswith("ms in all") and any("blur_y" in line and "mostly" in line for line in lines)
    assert "blur_y" in result.loop_nest()
    assert repr(result).startswith("<Result of blur_y: ") and "states evaluated" in repr(result)
    costs = [candidate.predicted_ms for candidate in result.top(5)]
    assert len(costs) == 5 and costs == sorted(costs) and costs[0] == result.predicted_ms
    assert "<pre>" in result._repr_html_()
    times = [when for when, _ in result.history]
    assert times == sorted(times) and result.history[-1][1] == pytest.approx(result.predicted_ms)
    figure = result.plot(tmp_path / "search.png")
    assert (tmp_path / "search.png").stat().st_size > 1000 and len(figure.axes[0].lines) == 1


def test_several_outputs_are_scheduled_together() -> None:
    x, y = hl.vars("x y")
    f, g, h = hl.funcs("f g h")
    f[x, y] = hl.sqrt(hl.f32(x * y))
    g[x, y] = f[x, y] + f[x + 1, y]
    h[x, y] = f[x, y] * 2.0
    pipeline = hl.Pipeline([g, h])
    result = pipeline.autoschedule(sizes={"g": [64, 48], "h": [65, 48]}, options=QUICK, verify=False)
    assert result.problem.sizes.outputs["h"] == ((0, 65), (0, 48))
    first, second = pipeline.realize([8, 5])
    assert first[3, 2] == pytest.approx(math.sqrt(6) + math.sqrt(8)) and second[3, 2] == pytest.approx(2 * math.sqrt(6))


def test_one_pixel_and_no_dimensions() -> None:
    x = hl.Var("x")
    values, total, row = hl.funcs("values total row")
    values[x] = hl.f32(x)
    r = hl.RDom([(0, 100)])
    total[()] = 0.0
    total[()] += values[r]
    row[x] = total[()] + values[x]
    hl.Pipeline(total).autoschedule(verify=False)
    assert total.realize([])[()] == 4950
    row.autoschedule(sizes=[1], options=QUICK, verify=False)
    assert row.realize([1]).numpy().tolist() == [4950]


def test_memory_limits_hold_or_are_refused() -> None:
    x, y = hl.vars("x y")
    a, b = hl.funcs("a b")
    image = hl.ImageParam(hl.Float(32), 2, "image")
    a[x, y] = hl.exp(hl.sin(image[x, y]) * hl.cos(image[x, y]))
    b[x, y] = a[y, x] + a[y + 300, x] + a[y + 500, x]
    free = b.autoschedule(sizes=[512, 512], strategy="fallback", apply=False)
    assert memory_of(free.problem.dag, free.state) > 100_000
    tight = b.autoschedule(sizes=[512, 512], memory_limit=100_000, options=QUICK, verify=False, apply=False)
    assert memory_of(tight.problem.dag, tight.state) <= 100_000
    total = hl.Func("total")
    r = hl.RDom([(0, 512)])
    total[x, y] = 0.0
    total[x, y] += a[r, y]
    out = hl.Func("out")
    out[x, y] = total[y, x]
    with pytest.raises(ScheduleError, match="within memory_limit=0 bytes was found; the least needs"):
        out.autoschedule(sizes=[512, 512], memory_limit=0, strategy="fallback")


def test_wrong_arguments_are_refused() -> None:
    output, _ = _blur()
    wrong = {
        "strategy": ("nonsense", "no strategy 'nonsense'; there are mixed, beam"),
        "model": ("nonsense", "no cost model 'nonsense'; there are blend, network, roofline"),
        "threads": (0, "at least one thread"),
        "trials": (0, "0 trials"),
        "budget": ("soon", "'soon' is no time"),
        "sizes": ([1, 2, 3], "blur_y has 2 dimensions, but the sizes"),
        "like": ({"photo": [1, 2]}, "like= names 'photo', which the pipeline does not have. It has: blur_y, image"),
    }
    for name, (value, text) in wrong.items():
        with pytest.raises(ArgumentError, match=text):
            output.autoschedule(**{name: value})


def test_budgets_are_times() -> None:
    assert seconds_of("5 min") == 300 and seconds_of("1 h 30 min") == 5400 and seconds_of(1.5) == 1.5
    assert seconds_of("90s") == 90 and seconds_of("2 minutes") == 120 and seconds_of(timedelta(minutes=1)) == 60
    for wrong in ("5 parsecs", "min", 0, -1):
        with pytest.raises(ArgumentError):
            seconds_of(wrong)


def test_progress_is_a_line_on_terminals_only() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal, file = Terminal(), io.StringIO()
    for stream in (terminal, file):
        progress = ProgressLine("blur", stream=stream)
        progress.show("best 3 ms")
        progress.show("too soon to be shown")
        progress.end()
    assert terminal.getvalue() == "\rblur: best 3 ms\r" + " " * 15 + "\r" and file.getvalue() == ""


def test_measured_tuning_measures_and_remembers(tmp_path: Path) -> None:
    output, image = _blur()
    database = tmp_path / "trials.sqlite"
    result = output.autoschedule(sizes=[64, 48], trials=2, strategy="grouping", database=database)
    assert result.measured_ms is not None and result.trials == 2 and result.measured_history
    assert (_pixels(output, image) == _pixels(*_blur(names="a b"))).all()
    other, _ = _blur(names="p q")
    second = other.autoschedule(sizes=[64, 48], trials=1, strategy="grouping", database=database)
    assert len(second.top(100)) >= 3, "the states of the first tuning, and one more"


class TestSaved:
    def _saved(self, path: Path) -> hl.Func:
        output, _ = _blur()
        output.autoschedule(sizes=[640, 480], options=QUICK, verify=False).save(path)
        return output

    def test_a_saved_schedule_is_applied_to_the_same_algorithm_by_other_names(self, tmp_path: Path) -> None:
        first = self._saved(tmp_path / "blur.json")
        second, image = _blur(names="p q", variables="u v")
        saved = hl.load_schedule(tmp_path / "blur.json")
        saved.apply(second)
        assert len(second.function.schedule.directives) == len(first.function.schedule.directives)
        assert (_pixels(second, image) == _pixels(*_blur(names="a b"))).all()
        saved.apply(hl.Pipeline(second))
        assert not second.autoschedule(sizes=[64, 48], verify=False, apply=False).problem.dag.funcs["q"].fixed

    def test_a_changed_algorithm_is_refused_by_what_changed(self, tmp_path: Path) -> None:
        self._saved(tmp_path / "blur.json")
        changed, _ = _blur(divisor=5)
        with pytest.raises(ScheduleError, match=r"another version of blur_y: .*definition of Func blur_"):
            hl.load_schedule(tmp_path / "blur.json").apply(changed)
        assert not changed.function.schedule.directives

    def test_funcs_scheduled_by_hand_are_refused(self, tmp_path: Path) -> None:
        self._saved(tmp_path / "blur.json")
        by_hand, _ = _blur()
        by_hand.parallel(by_hand.args()[1])
        with pytest.raises(ScheduleError, match="also scheduled by hand: blur_y"):
            hl.load_schedule(tmp_path / "blur.json").apply(by_hand)

    @pytest.mark.parametrize("text", ["", "{}", "[1, 2]", '{"format": "pipec saved schedule", "version": 9}'])
    def test_files_that_are_no_schedules_are_refused(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "other.json").write_text(text)
        with pytest.raises(ArgumentError, match="other.json"):
            hl.load_schedule(tmp_path / "other.json")

    def test_damaged_files_are_refused(self, tmp_path: Path) -> None:
        self._saved(tmp_path / "blur.json")
        text = (tmp_path / "blur.json").read_text()
        (tmp_path / "blur.json").write_text(text.replace('"names"', '"manes"'))
        with pytest.raises(ArgumentError, match="damaged"):
            hl.load_schedule(tmp_path / "blur.json")


def test_a_search_without_time_takes_the_first_states():
    x, y = hl.vars("x y")
    f, g = hl.funcs("f g")
    f[x, y] = hl.f32(x + y)
    g[x, y] = f[x, y] + f[x, y + 1]
    hasty, usual = (
        hl.Pipeline(g).autoschedule(sizes=[64, 64], search_seconds=s, verify=False, apply=False) for s in (0, None)
    )
    assert hasty.states < usual.states


def test_too_little_memory_for_a_search_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(api, "NEEDED_BYTES", 1 << 60)
    f, x = hl.Func("f"), hl.Var("x")
    f[x] = x
    with pytest.raises(hl.OutOfMemoryError, match="ulimit -v"):
        hl.Pipeline(f).autoschedule(sizes=[64])
