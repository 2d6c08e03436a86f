"""The kernels of the applications as text: `python -m tests.gpu.golden` writes tests/gpu/golden anew."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from unittest.mock import patch

import pipec as hl
from apps.registry import APPS
from pipec.func.functions.names import local_names
from tests.gpu.gpu import kernel_text

FOLDER = Path(__file__).parent / "golden"
# Without features: the text does not depend on the machine.
TARGET = hl.Target("x86-64-linux-opencl")
# Fewer stages of the same kinds, so that they are lowered quickly.
SMALLER = {
    "fft": {"SIZE": 16, "RADIX": 4},
    "interpolate": {"LEVELS": 5},
    "local_laplacian": {"SCALES": 5, "BANDS": 3, "ITSELF": 3},
    "pyramid_blend": {"LEVELS": 3},
    "stencil_chain": {"STAGES": 4},
}


def kernels(name: str) -> str:
    """The device code of an application."""
    app, constants = APPS[name], SMALLER.get(name, {})
    with local_names(), patch.dict(vars(import_module(f"apps.{name}")), constants):
        algorithm = app.build(hl, constants["SIZE"]) if "SIZE" in constants else app.build(hl)
        app.gpu_schedule(hl, algorithm)
        return kernel_text(algorithm.output, TARGET)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in APPS:
        (FOLDER / f"{name}.cl").write_text(kernels(name))


if __name__ == "__main__":
    main()
