"""The machine's rates: measured on request only, kept, and never in the way."""

from __future__ import annotations

import json

import pytest

from pipec.autoschedule.cost import probe


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path))
    return tmp_path


def test_before_it_is_asked_to_measure_the_shipped_rates_hold(cache):
    assert probe.here() == probe.shipped()
    assert not list(cache.iterdir())


def test_what_was_measured_is_used_from_then_on(monkeypatch):
    monkeypatch.setattr(probe, "SECONDS", 0.002)
    machine = probe.measure()
    assert probe.here() == machine != probe.shipped()
    assert all(getattr(machine, name) >= 0 for name in probe.MEASURED)
    assert machine.l2_bandwidth > 1e9 and machine.clock > 1e8


@pytest.mark.parametrize("text", ["", "{}", "[1]", json.dumps(dict.fromkeys(probe.MEASURED, "fast"))])
def test_a_damaged_file_is_as_good_as_none(cache, text):
    (cache / "machine.json").write_text(text)
    assert probe.here() == probe.shipped()
