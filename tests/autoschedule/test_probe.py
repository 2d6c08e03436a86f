"""The machine's rates: measured once, kept, and never in the way."""

from __future__ import annotations

import json
import math
from itertools import count

import numpy as np
import pytest

from pipec.autoschedule.cost import host_machine as here_module
from pipec.autoschedule.cost import probe
from pipec.autoschedule.cost.host_machine import MEASURED, cached_machine, host_machine, measure, shipped, with_caches
from pipec.autoschedule.features.traffic import Cache
from pipec.jit.objects.cache import load, store
from pipec.records import replace


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("PIPEC_MACHINE")
    here_module._measured_once.cache_clear()
    yield tmp_path
    here_module._measured_once.cache_clear()


def probed(monkeypatch, **rates):
    numbers = {name: getattr(shipped(), name) for name in MEASURED} | rates
    calls = []
    monkeypatch.setattr(here_module, "_probed", lambda: calls.append(1) or json.dumps(numbers))
    return calls


def test_this_machine_is_measured_once(monkeypatch):
    calls = probed(monkeypatch, clock=1e9)
    assert host_machine().clock == host_machine().clock == 1e9
    here_module._measured_once.cache_clear()
    assert host_machine().clock == 1e9 and len(calls) == 1


def test_shipped_rates_may_be_asked_for(monkeypatch, cache):
    calls = probed(monkeypatch)
    monkeypatch.setenv("PIPEC_MACHINE", "shipped")
    assert host_machine() == shipped() and not calls and not list(cache.iterdir())


def test_without_a_cache_nothing_is_measured(monkeypatch):
    calls = probed(monkeypatch)
    monkeypatch.setenv("PIPEC_CACHE", "0")
    assert host_machine() == shipped() and not calls


def test_where_measuring_fails_the_shipped_rates_hold(monkeypatch, capfd):
    monkeypatch.setattr(here_module.sys, "executable", "/no/such/python")
    assert measure() == shipped()
    assert "could not be measured" in capfd.readouterr().out


def test_a_folder_that_cannot_be_written_is_no_obstacle(monkeypatch, tmp_path):
    probed(monkeypatch, clock=1e9)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path / "file"))
    assert host_machine().clock == 1e9


def test_every_rate_is_measured(monkeypatch):
    monkeypatch.setattr(probe, "SECONDS", 0.002)
    monkeypatch.setattr(probe, "MAX_MEMORY", 16e6)
    machine = probe.measured(with_caches(shipped()))
    assert all(getattr(machine, name) > 0 for name in MEASURED if name != "task")
    assert 1e8 < machine.clock < 1e11 and machine.l2_bandwidth > 1e9 and machine.l3 >= machine.l2


@pytest.mark.parametrize("megabytes", [6, 11, 20, 32])
def test_the_size_of_the_last_cache_follows_from_bandwidths_by_the_rule_of_costs(monkeypatch, megabytes):
    l3, usable, near, far = megabytes * 1e6, probe.USABLE_CACHE_FRACTION * megabytes * 1e6, 2e11, 5e10

    def bandwidth(footprint, parallel):
        lost = Cache(l3, usable, 0).lost(footprint)
        return min(near, far / lost) if lost else near

    monkeypatch.setattr(probe, "_memory_bandwidth", bandwidth)
    machine = replace(shipped(), l2=1e6, l3=64e6)
    assert probe._last_cache(machine, far) == pytest.approx(l3, rel=0.15)


def test_calls_that_take_long_to_begin_are_not_taken_for_the_end_of_the_last_cache(monkeypatch):
    monkeypatch.setattr(probe, "_memory_bandwidth", lambda size, parallel: 1.3e11 * size / (size + 6e6))
    machine = replace(shipped(), l2=1e6, l3=32e6)
    assert probe._last_cache(machine, 6e10) == machine.l3


def test_a_last_cache_that_is_no_faster_than_memory_counts_little(monkeypatch):
    monkeypatch.setattr(probe, "_memory_bandwidth", lambda footprint, parallel: 5e10)
    machine = replace(shipped(), l2=1e6, l3=64e6)
    assert machine.l2 <= probe._last_cache(machine, 6e10) <= 4 * machine.l2


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[1]", "[" * 9999]
    + [json.dumps(dict.fromkeys(MEASURED, rate)) for rate in ("fast", 0, -1, math.nan, math.inf, 10**400)],
)
def test_a_damaged_entry_is_as_good_as_none(text):
    store(here_module._entry("some"), text.encode(), here_module.RATES)
    assert load(here_module._entry("some"), here_module.RATES) == text.encode() and cached_machine("some") is None


def test_of_several_clocks_the_slowest_counts(monkeypatch):
    # All processor time shared by two threads, and that of the one which did everything.
    monkeypatch.setattr(probe, "SECONDS", 0.0)
    readings = (np.array([0.5 * step, 1.0 * step]) for step in count())
    assert probe._seconds(lambda: None, lambda: next(readings)) == 1.0
