"""pipec without PyTorch and pyopencl: as_torch(), training and GPU loops fail with errors that name the extras."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "pyopencl"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
import numpy as np
import pipec as hl
x, y, xo, xi = hl.vars("x y xo xi")
image = hl.Buffer(np.arange(64 * 48, dtype=np.float32).reshape(48, 64))
f, g = hl.funcs("f g")
f[x, y] = image[x, y] * 2
g[x, y] = f[x, y] + f[x + 1, y]
"""


def output_of(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", BLOCK + code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pipelines_and_searches_run() -> None:
    code = """
result = hl.Pipeline(g).autoschedule(sizes=[62, 48], verify=False)
assert result.states > 1
g.realize([62, 48])
hl.propagate_adjoints(g, hl.Buffer(np.ones((48, 62), np.float32)))
gpu = hl.Func("gpu")
gpu[x, y] = image[x, y] + 1
hl.Pipeline(gpu).autoschedule(sizes=[64, 48], target=hl.Target("host-opencl"), verify=False)
assert not hl.host_supports_target_device(hl.Target("host-opencl"))
print(sorted({name.partition(".")[0] for name in sys.modules} & {"torch", "pyopencl"}))
"""
    assert output_of(code) == "[]\n"


def test_errors_name_the_extra() -> None:
    code = """
from pipec.autoschedule.cost.fit import fit
from pipec.errors import HalideError
kernel = hl.Func("kernel")
kernel[x, y] = x + y
kernel.gpu_tile(x, xo, xi, 8)
source = hl.ImageParam(hl.Float(32), 1, "source")
layer = hl.Func("layer")
layer[x] = source[x] * 2
target = hl.Target("host-opencl")
for action in (lambda: kernel.realize([16, 16], target=target), lambda: layer.as_torch([source]), lambda: fit([])):
    try:
        action()
    except HalideError as error:
        print(error)
"""
    lines = output_of(code).splitlines()
    assert len(lines) == 3 and all(line.startswith("Error: ") for line in lines)
    for line, extra, package in zip(
        lines, ("opencl", "torch", "torch"), ("pyopencl", "PyTorch", "PyTorch"), strict=True
    ):
        assert f"needs {package}" in line and f"pip install 'pipec[{extra}]'" in line
