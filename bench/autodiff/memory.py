"""`python -m bench.autodiff.memory FILTER WAY`: bytes that a training step needs at its peak, as JSON.

They are counted from what the process holds when everything that is only kept for the next step has been given back:
the inputs, the program, machine code. In a process of its own, so that nobody finds memory that another one has left.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import os
from pathlib import Path

import torch

from bench.autodiff import filters
from bench.autodiff.measure import step
from bench.autodiff.ways import WAYS, Task
from bench.process import resident_bytes
from pipec.jit.runtime.library import runtime

RESET = Path("/proc/self/clear_refs")
# Steps before the one that counts: what is made once has been made then.
BEFORE = 3


def peak_bytes(filter_name: str, name: str) -> int | None:
    """None where the system does not tell."""
    torch.set_num_threads(int(os.environ["PIPEC_NUM_THREADS"]))
    way = WAYS[name](Task(filter_name))
    for _ in range(BEFORE):
        step(way)
    gc.collect()
    runtime().trim()
    try:
        ctypes.CDLL(None).malloc_trim(0)
        RESET.write_text("5")
    except (OSError, AttributeError):
        return None
    before = resident_bytes(of_now=True)
    step(way)
    return resident_bytes() - before


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.autodiff.memory", description=__doc__)
    parser.add_argument("filter", choices=filters.FILTERS)
    parser.add_argument("way", choices=WAYS)
    options = parser.parse_args()
    print(json.dumps(peak_bytes(options.filter, options.way)))


if __name__ == "__main__":
    main()
