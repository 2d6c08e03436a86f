"""`python -m bench.limits`: what the machine can do at most, as JSON: bytes copied and operations done in a second."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

COPY_BYTES = 1 << 28
MATRIX = 2048
REPEATS = 9


def copy_bandwidth(threads: int, size: int = COPY_BYTES) -> float:
    """Bytes read and written in a second by memcpy of an array of `size` bytes, in equal parts.

    By default it is far larger than the caches.
    """
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    parts = list(zip(np.array_split(source, threads), np.array_split(target, threads), strict=True))

    def copy(part: tuple[np.ndarray, np.ndarray]) -> None:
        np.copyto(part[1], part[0])

    best = float("inf")
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(REPEATS):
            start = time.perf_counter()
            list(pool.map(copy, parts))
            best = min(best, time.perf_counter() - start)
    return 2 * size / best


def multiply_add_rate() -> float:
    """float32 operations in a second of numpy's matrix product, the nearest thing to the arithmetic peak."""
    a = np.ones((MATRIX, MATRIX), np.float32)
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        a @ a
        best = min(best, time.perf_counter() - start)
    return 2 * MATRIX**3 / best


if __name__ == "__main__":
    print(
        json.dumps(
            {
                "copy_bytes_per_second": copy_bandwidth(int(os.environ.get("PIPEC_NUM_THREADS", "1"))),
                "float32_operations_per_second": multiply_add_rate(),
            }
        )
    )
