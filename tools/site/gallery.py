"""The gallery: every application on a small picture, before and after, and what it is."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import cv2
import numpy as np

from apps import photos
from apps.app import App
from apps.registry import APPS
from apps.run import compile_app, front_end, run_app
from tools.site.cache import cached

HEIGHT = 256  # of the picture that is filtered


def pages() -> dict[str, str | bytes]:
    """Returns the gallery and its pictures, by their paths in docs/."""
    parts = [
        "# Gallery",
        "Every application of `apps/`, before and after, computed when this site was built."
        " `python -m apps.NAME in.png out.png` filters a picture of yours; [performance](performance.md) has times.",
    ]
    files: dict[str, str | bytes] = {}
    for name, app in APPS.items():
        files[f"images/gallery/{name}.jpg"] = cached(b"", f"{name}.jpg", lambda app=app: picture(app))
        text, _, _ = (inspect.getdoc(importlib.import_module(f"apps.{name}")) or "").partition("\n\n")
        parts += [f"## {name}", text, f"![{name}, before and after](images/gallery/{name}.jpg)"]
    return {"gallery.md": "\n\n".join(parts) + "\n", **files}


def picture(app: App) -> bytes:
    """Returns a JPEG of the application's input beside its output."""
    photo = photos.photo(app.photo)
    channels = photo.shape[2]  # six for a pair of photographs
    parts = [_resized(photo[..., k : k + 3]) for k in range(0, channels, 3)]
    small = photo if app.fixed else np.ascontiguousarray(np.dstack(parts))
    images, size = app.inputs(small), app.output_size(small)
    function, _ = compile_app(front_end(), app)
    output = run_app(function, app, images, app.empty_output(size))
    before = small if app.before is None else app.before(images)
    both = np.concatenate([_shown(before), np.full((HEIGHT, 8, 3), 255, np.uint8), _shown(app.shown(small, output))], 1)
    _, encoded = cv2.imencode(".jpg", both[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 88])
    return bytes(encoded)


def _shown(image: Any) -> Any:
    """The picture as bytes of three channels, HEIGHT pixels high."""
    image = photos.colour(photos.to_bytes(image))
    return _resized(image)


def _resized(image: Any) -> Any:
    width = round(image.shape[1] * HEIGHT / image.shape[0])
    return cv2.resize(image, (width, HEIGHT), interpolation=cv2.INTER_AREA)
