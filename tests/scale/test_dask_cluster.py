"""pipec.dask.apply on a cluster of processes, of which one is killed."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import numpy as np
import pytest

import pipec as hl
from tests.scale.pictures import Blur

distributed = pytest.importorskip("distributed")


def slowly(block: np.ndarray) -> np.ndarray:
    time.sleep(0.03)
    return block


def compiled_pipelines() -> int:
    from pipec.scale import worker_pipelines

    return len(worker_pipelines._compiled)


@pytest.mark.slow
def test_a_killed_worker_changes_nothing(blur: Blur) -> None:
    import dask.array as da

    source = da.from_array(blur.picture, chunks=(46, 70)).map_blocks(slowly, dtype=np.uint8)
    result = hl.dask.apply(blur.output, {"image": source})
    cluster: Any = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    )
    with cluster, distributed.Client(cluster) as client:
        future = client.compute(result)
        pids = client.run(os.getpid)
        while not client.run_on_scheduler(finished_blocks):
            time.sleep(0.02)
        assert not future.done()
        os.kill(next(iter(pids.values())), signal.SIGKILL)
        np.testing.assert_array_equal(future.result(timeout=300), blur.result)
        assert max(client.run(compiled_pipelines).values()) == 1


def finished_blocks(dask_scheduler: Any) -> bool:
    """Whether the dashboard, which groups tasks by the names of Funcs, shows finished blocks."""
    prefix = dask_scheduler.task_prefixes.get("blurred")
    return prefix is not None and prefix.states["memory"] + prefix.states["released"] > 5
