"""`python -m bench.gpu [APP ...]`: times of the applications on the OpenCL device, beside the halide wheel and torch.

Inputs and outputs stay on the device; a time is the median of single calls, each until the device has finished.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from typing import Any

from apps.registry import APPS
from bench.gpu.own import Times, bandwidth, times
from bench.gpu.torch_times import torch_time
from bench.gpu.wheel import SEARCHER, time_of
from pipec.jit.opencl.device import OpenCLDevice, open_device

NAME, COLUMN = 16, 18


def rivals(
    name: str, size: tuple[int, ...], chosen: OpenCLDevice, options: argparse.Namespace
) -> dict[str, dict[str, Any]]:
    """What others take: "seconds", or an "error", by the titles of their columns."""
    result = {}
    if options.wheel:
        result["wheel"] = time_of(name, size, None)
        result[SEARCHER] = time_of(name, size, chosen.handle.max_compute_units)
    if options.torch:
        result[f"torch {options.torch}"] = torch_time(APPS[name], size, options.torch)
    return result


def line(name: str, own: Times, copy: float, others: Mapping[str, dict[str, Any]]) -> str:
    """Milliseconds of a call and of its kernels; the part of the device's bandwidth that these use; the others."""
    share = 100 * own.bytes / own.kernels / copy if own.kernels else math.nan
    text = f"{name:<{NAME}}{1e3 * own.call:>9.3f}{1e3 * own.kernels:>11.3f}{share:>11.1f}"
    for other in others.values():
        text += f"{_cell(own, other):>{COLUMN}}"
    return text


def _cell(own: Times, other: dict[str, Any]) -> str:
    if "error" in other:
        return f"  {other['error'][: COLUMN - 2]}"
    return f"{1e3 * other['seconds']:.3f} ({own.call / other['seconds']:.2f}x)"


def means(rows: list[tuple[Times, dict[str, dict[str, Any]]]]) -> list[str]:
    """The geometric mean of our times in those of each other one."""
    result = []
    for title in rows[0][1] if rows else ():
        logs = [math.log(own.call / o[title]["seconds"]) for own, o in rows if "error" not in o[title]]
        if logs:
            result.append(f"pipec / {title}: {math.exp(sum(logs) / len(logs)):.2f} in {len(logs)} applications")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.gpu", description=__doc__)
    parser.add_argument("apps", nargs="*", metavar="APP", help=f"of {', '.join(APPS)}")
    parser.add_argument("--small", action="store_true", help="at the sizes of the tests, and compared with references")
    parser.add_argument("--wheel", action="store_true", help=f"also by the wheel, with our schedules and {SEARCHER}'s")
    parser.add_argument("--torch", metavar="DEVICE", help="also by torch on this device of its: cuda")
    options = parser.parse_args()
    unknown = set(options.apps) - set(APPS)
    if unknown:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    chosen = open_device()
    print(f"Device: {chosen.name}, driver {chosen.handle.driver_version}")
    if not chosen.is_gpu:
        print("This device is not a GPU: what follows are NOT figures of a GPU.")
    copy = bandwidth(chosen)
    print(f"Copies {copy / 1e9:.1f} GB/s, read and written\n")
    rows: list[tuple[Times, dict[str, dict[str, Any]]]] = []
    for name in options.apps or APPS:
        size = APPS[name].test_size if options.small else APPS[name].bench_size
        own, others = times(APPS[name], size), rivals(name, size, chosen, options)
        if not rows:
            titles = "".join([f"{f'{title} ms':>{COLUMN}}" for title in others])
            print(f"{'application':<{NAME}}{'pipec ms':>9}{'kernels ms':>11}{'% of copy':>11}{titles}")
        rows.append((own, others))
        print(line(name, own, copy, others), flush=True)
    print("\n".join(["", *means(rows)]))


if __name__ == "__main__":
    main()
