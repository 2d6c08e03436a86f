"""The comparison with the wheel's searchers."""

from __future__ import annotations

import argparse
import gzip
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import pipec as hl
from apps.registry import APPS
from apps.run import front_end
from bench.autoschedule import stored_search as module
from bench.autoschedule.measure import Contest, difference
from bench.autoschedule.run import measured
from bench.autoschedule.search import estimated, search
from bench.autoschedule.stored_search import SearchState, stored_search
from bench.autoschedule.table import ratios, row_text, summary, summary_text
from bench.autoschedule.ways import WAYS

BLUR = replace(APPS["blur"], bench_size=(300, 200))


def row(failures: dict[str, str] | None = None, **run: float) -> dict[str, Any]:
    return {"run": run, "failures": failures or {}, "search": {}}


TABLE = {
    "a": row(manual=0.002, Adams2019=0.004, hand=0.001, roofline=0.008),
    "b": row({"Adams2019": "out of memory at 8 GB"}, manual=0.002, Mullapudi2016=0.001, hand=0.001, roofline=0.001),
}


def test_ratios_leave_out_who_has_no_schedule() -> None:
    assert ratios(TABLE, "roofline", "Adams2019") == {"a": 2.0}
    assert ratios(TABLE, "hand", "best of the wheel") == {"a": 0.5, "b": 1.0}


def test_the_summary_counts_failures_apart() -> None:
    result = summary(TABLE)
    assert result["no schedule"] == {"Adams2019": {"b": "out of memory at 8 GB"}}
    best = result["ratios"]["roofline / best of the wheel"]
    assert best["geometric mean"] == pytest.approx(2.0) and best["worst app"] == "a" and best["apps"] == 2
    assert "Adams2019 has no schedule for 1" in summary_text(result)


def test_a_row_says_in_a_word_why_a_time_is_missing() -> None:
    assert "memory" in row_text("b", TABLE["b"], list(WAYS)) and "4.00" in row_text("a", TABLE["a"], list(WAYS))


def test_estimates_are_the_benchmarks_sizes() -> None:
    algorithm, _ = estimated(front_end("pipec"), BLUR)
    ranges = algorithm.images["source"].parameter().get_argument_estimates().buffer_estimates
    inputs = BLUR.example(BLUR.bench_size)["source"].shape[::-1]
    assert tuple(hl.evaluate(each.extent) for each in ranges) == inputs


def test_a_returned_schedule_runs_beside_the_hand_schedules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HL_NUM_THREADS", "2")
    record = search(WAYS["Mullapudi2016"], BLUR, "", tmp_path / "pipeline")
    (tmp_path / "pipeline.gz").write_bytes(gzip.compress((tmp_path / "pipeline").read_bytes()))
    entry = {"file": str(tmp_path / "pipeline.gz"), "arguments": record["arguments"]}
    contest = Contest(BLUR, {"hand": None, "manual": None, "Mullapudi2016": entry})
    assert not contest.failures and set(contest.run(0.0)) == {"hand", "manual", "Mullapudi2016"}


def test_wrong_pixels_are_a_failure() -> None:
    pixels = BLUR.reference(BLUR.example(BLUR.bench_size), {})
    assert difference(BLUR, pixels, pixels) is None
    assert difference(BLUR, pixels, pixels + 1) == "wrong pixels: they differ by up to 1"
    assert difference(replace(BLUR, tolerance=0.5), pixels, pixels + 1) is None


def test_a_search_that_dies_is_a_reason_and_not_an_error() -> None:
    reason = module._reason
    assert "300 s" in reason(-signal.SIGXCPU, "") and "memory" in reason(-6, "what():  std::bad_alloc")
    assert reason(1, "Traceback\nhalide.halide_.HalideError: Error: no.\n") == "Error: no. (exit status 1)"


@pytest.mark.slow
def test_a_search_is_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    monkeypatch.setattr(module, "search_folder", lambda _: tmp_path)
    monkeypatch.setattr(module, "_key", lambda *_: "key")
    first = stored_search("median", WAYS["Mullapudi2016"], threads=2)
    monkeypatch.setattr(module, "_searched", lambda *_: pytest.fail("it was searched again"))
    assert first.failure is None and stored_search("median", WAYS["Mullapudi2016"], threads=2) == first


@pytest.mark.slow
def test_an_app_without_a_schedule_is_not_run() -> None:
    failed = SearchState("median", "Adams2019", 1.0, 1.0, 2**20, failure="out of memory at 8 GB")
    options = argparse.Namespace(threads=2, seconds=0.0, processes=1)
    outcome = measured("median", ["hand", "Adams2019"], {"Adams2019": failed}, options)
    assert set(outcome["run"]) == {"hand"} and outcome["failures"] == {"Adams2019": "out of memory at 8 GB"}
