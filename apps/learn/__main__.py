"""All that learn, one after another: figures, and in out/ a picture of before and after with the curve of the loss."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

from apps import photos  # noqa: E402
from apps.learn import camera, deconvolution, demosaic, slicing  # noqa: E402
from apps.learn.training import Outcome  # noqa: E402

LEARNERS: dict[str, Callable[[], Outcome]] = {
    "demosaic": demosaic.run,
    "slicing": slicing.run,
    "deconvolution": deconvolution.run,
    "camera": camera.run,
}
INCH = 2.6


def draw(outcome: Outcome, path: Path) -> None:
    """The pictures beside each other, and the loss of every step with its running mean."""
    count = len(outcome.pictures)
    height, width = next(iter(outcome.pictures.values())).shape[:2]
    rows = INCH * height / width
    figure, axes = pyplot.subplots(1, count + 1, figsize=(INCH * (count + 1.2), rows + 0.5), layout="constrained")
    for axis, (title, picture) in zip(axes[:-1], outcome.pictures.items(), strict=True):
        axis.imshow(photos.to_bytes(picture), interpolation="nearest")
        axis.set_title(title, fontsize=9)
        axis.set_axis_off()
    span = max(1, len(outcome.losses) // 20)
    mean = np.convolve(outcome.losses, np.full(span, 1 / span), "valid")
    axes[-1].semilogy(outcome.losses, color="0.8", linewidth=0.7)
    axes[-1].semilogy(np.arange(len(mean)) + span / 2, mean, color="tab:blue")
    axes[-1].set_title("loss of each step", fontsize=9)
    axes[-1].tick_params(labelsize=7, which="both")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, pil_kwargs={"quality": 88})
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m apps.learn", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="app", help=f"which (default: all of {', '.join(LEARNERS)})")
    parser.add_argument("--folder", type=Path, default=Path("out"), help="where the pictures go")
    options = parser.parse_args()
    unknown = set(options.names) - set(LEARNERS)
    if unknown:
        parser.error(f"no app named {', '.join(sorted(unknown))}; there are {', '.join(LEARNERS)}")
    for name in options.names or LEARNERS:
        start, busy = time.perf_counter(), time.process_time()
        outcome = LEARNERS[name]()
        elapsed, busy = time.perf_counter() - start, time.process_time() - busy
        path = options.folder / f"learn_{name}.jpg"
        draw(outcome, path)
        print(f"{name}: {len(outcome.losses)} steps in {elapsed:.0f} s ({busy:.0f} s of processors), {path}")
        for figure, value in outcome.figures.items():
            print(f"    {figure:36} {value:8.3f}", flush=True)


if __name__ == "__main__":
    main()
