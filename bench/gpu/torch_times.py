"""Applications by torch."""

from __future__ import annotations

from typing import Any

import numpy as np

from apps.app import App
from bench.gpu.clock import median


def torch_time(app: App, size: tuple[int, ...], device: str) -> dict[str, Any]:
    """Seconds of a call with all images on `device` ("cuda", or "cpu" to try the code); or an "error"."""
    try:
        import torch
    except ImportError:
        return {"error": "no torch"}
    from bench.gpu.torch_filters import FILTERS

    if app.name not in FILTERS:
        return {"error": "-"}
    if device == "cuda" and not torch.cuda.is_available():
        return {"error": "no GPU"}
    # As exact as the others.
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    function, images = FILTERS[app.name], app.example(size)
    tensors = {name: torch.from_numpy(np.ascontiguousarray(image)).to(device) for name, image in images.items()}

    def call() -> Any:
        result = function(tensors, app.settings)
        if device == "cuda":
            torch.cuda.synchronize()
        return result

    with torch.inference_mode():
        actual: dict[str, Any] = {"seconds": median(call)}
        got = call().cpu().numpy()
    if size == app.test_size:
        wrong = abs(got.astype("f8") - app.reference(images, app.settings).astype("f8")).max()
        if wrong > app.tolerance:
            actual["error"] = f"wrong by {wrong:g}"
    return actual
