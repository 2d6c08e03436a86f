"""The kernels of some applications as text: `python -m tests.gpu.golden` writes tests/gpu/golden anew."""

from __future__ import annotations

from pathlib import Path

import pipec as hl
from apps.registry import APPS
from pipec.func.freeze import freeze, schedule_of
from pipec.func.names import names_of_their_own
from pipec.jit.kernels import split
from pipec.lower.lower import lower

FOLDER = Path(__file__).parent / "golden"
NAMES = ("blur", "unsharp", "hist", "iir_blur", "mat_mul")
# Without features: the text does not depend on the machine.
TARGET = hl.Target("x86-64-linux-opencl")


def kernels(name: str) -> str:
    """The device code of an application."""
    app = APPS[name]
    with names_of_their_own():
        algorithm = app.build(hl)
        app.gpu_schedule(hl, algorithm)
        output = algorithm.output.function
        definition, _ = freeze([output])
        device = split(lower(definition, schedule_of([output]), TARGET)).device
    assert device is not None
    return device.text


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in NAMES:
        (FOLDER / f"{name}.cl").write_text(kernels(name))


if __name__ == "__main__":
    main()
