"""All applications on photographs: times beside a library's, and pictures before and after in out/."""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

import numpy as np

from apps import photos
from apps.app import App, Array
from apps.registry import APPS
from apps.run import compile_app, front_end, measure, run_app

COLUMNS = "{:16} {:>15} {:>11} {:>9} {:>10} {:>11} {:>8}  {}"


def pair(left: Array, right: Array) -> Array:
    """Two pictures side by side, cut to the height of the smaller."""
    left, right = (np.repeat(image[..., None], 3, axis=2) if image.ndim == 2 else image for image in (left, right))
    height = min(left.shape[0], right.shape[0])
    return np.concatenate([left[:height], np.full((height, 8, 3), 255, np.uint8), right[:height]], axis=1)


def show(app: App, module: str, folder: Path) -> None:
    """Filter the app's photograph for the picture, and the same enlarged to the benchmark's size for the times."""
    hl = front_end(module)
    function, compile_seconds = compile_app(hl, app)
    picture = photos.photo(app.photo)
    images = app.inputs(picture)
    small = run_app(function, app, images, app.empty_output(app.output_size(picture)))
    before = picture if app.before is None else app.before(images)
    photos.write(folder / f"{app.name}.png", pair(before, app.shown(picture, small)))

    images, output = app.example(app.bench_size), app.empty_output(app.bench_size)
    seconds = statistics.median(measure(lambda: run_app(function, app, images, output)))
    rival_seconds = statistics.median(measure(lambda: app.rival(images, app.settings), least=3))
    width, height = app.extent(app.bench_size)
    print(
        COLUMNS.format(
            app.name,
            f"{width} x {height}",
            f"{compile_seconds:.2f} s",
            f"{seconds * 1e3:.2f} ms",
            f"{width * height / seconds / 1e6:.0f}",
            f"{rival_seconds * 1e3:.2f} ms",
            f"{rival_seconds / seconds:.1f}x",
            app.rival_name,
        ),
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m apps.demo", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="app", help=f"which (default: all of {', '.join(APPS)})")
    parser.add_argument("--with", dest="module", default="pipec", choices=["pipec", "halide"], help="the compiler")
    parser.add_argument("--folder", type=Path, default=Path("out"), help="where the pictures go")
    options = parser.parse_args()
    unknown = set(options.names) - set(APPS)
    if unknown:
        parser.error(f"no app named {', '.join(sorted(unknown))}; there are {', '.join(APPS)}")
    print(COLUMNS.format("app", "size", "compile", "run", "Mpixel/s", "library", "faster", "the library"))
    for name in options.names or APPS:
        show(APPS[name], options.module, options.folder)
    print(f"pictures: {options.folder}/<app>.png, before and after")


if __name__ == "__main__":
    main()
