"""`make bench-scale`: gigapixels from and to zarr, dask beside direct calls and OpenCV, frames, more cores."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from bench.scale import blocks, forecasts, tiles, video

APPS = ("blur", "camera_pipe", "local_laplacian")
MEMORY = 10**9


def main() -> None:
    """Prints a line for each figure and writes all to out/bench-scale.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megapixels", type=float, default=1074, help="of each output; 1074 is 32768 x 32768")
    parser.add_argument("--apps", nargs="*", default=APPS)
    parser.add_argument("--only", choices=("tiles", "dask", "workers", "video", "cores"), action="append")
    options = parser.parse_args()
    Path("out").mkdir(exist_ok=True)
    results: dict[str, Any] = {}
    parts = options.only or ("video", "cores", "dask", "workers", "tiles")
    if "video" in parts:
        results["video"] = video.report()
    if "cores" in parts:
        results["cores"] = forecasts.report()
    if "dask" in parts:
        results["dask"] = blocks.report_threads()
    if "workers" in parts:
        results["workers"] = blocks.report_workers()
    if "tiles" in parts:
        results["tiles"] = {name: tiles.report(name, options.megapixels, MEMORY) for name in options.apps}
    Path("out/bench-scale.json").write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
