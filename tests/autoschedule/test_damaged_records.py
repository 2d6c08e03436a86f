"""What a search reads of earlier ones, damaged: trials are left out, rates are measured again, nothing is raised."""

from __future__ import annotations

import json
import math
import zlib
from pathlib import Path

import pipec as hl
from pipec.autoschedule.cost import host_machine
from pipec.autoschedule.cost.host_machine import MEASURED
from pipec.autoschedule.emit.emit import emit
from pipec.autoschedule.measure.trial import Status, Trial
from pipec.autoschedule.measure.trial_history import TrialHistory
from pipec.autoschedule.problem import Problem, problem_of
from tests import mutations


def problem() -> Problem:
    x, y = hl.vars("x y")
    f, g, total = hl.funcs("f g total")
    r = hl.RDom([(0, 64)], "r")
    f[x, y] = x * y
    total[y] = 0
    total[y] += f[r.x, y]
    g[x, y] = f[x, y] + f[x + 1, y] + total[y]
    g.set_estimates([(0, 64), (0, 64)])
    return problem_of([g.function])


def test_damaged_decisions_of_trials_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "trials.sqlite"
    own = problem()
    state = own.start()
    with TrialHistory(own, file) as history:
        history.record(state, emit(own.dag, state), Trial(Status.OK, (1.0, 2.0)))
        assert history.times() == {state: 1.0}
        connection = history.database._connection
        (whole,) = connection.execute("select decisions from trials").fetchone()
        left_out = 0
        for text in mutations.of_json(zlib.decompress(whole).decode(), 300):
            data = zlib.compress(text.encode("utf-8", "surrogatepass"))
            connection.execute("update trials set decisions = ?", (data,))
            left_out += not history.times()
        assert 100 < left_out <= 300 and not history.database.in_memory


def test_damaged_rates_are_measured_again() -> None:
    refused = 0
    for text in mutations.of_json(json.dumps(dict.fromkeys(MEASURED, 1.5)), 300):
        rates = host_machine._rates_in(text)
        refused += rates is None
        assert rates is None or all(math.isfinite(rate) for rate in rates.values())
    assert refused > 100
