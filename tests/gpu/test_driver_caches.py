"""What OpenCL keeps on disk: pyopencl unpickles nothing, and PoCL loads kernels of this user only."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipec.jit.opencl import driver
from pipec.jit.opencl.driver import pocl_folder, secure_pocl_cache

PROGRAM = """
import sys
import numpy as np, pipec as hl
from tests.gpu.pocl import name_processors
name_processors()
x, xo, xi = hl.vars("x xo xi")
f = hl.Func("f")
f[x] = x * 5
f.gpu_tile(x, xo, xi, 4)
assert np.asarray(f.realize([8], target=hl.Target("host-opencl"))).tolist() == [5 * i for i in range(8)]
print([name for name in ("pyopencl.invoker", "pyopencl.cache") if name in sys.modules])
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in ("POCL_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    secure_pocl_cache.cache_clear()
    yield tmp_path
    secure_pocl_cache.cache_clear()


def test_caches_of_pyopencl_are_not_read(home):
    environment = os.environ | {"PIPEC_CACHE_DIR": str(home / "cache"), "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "[]\n"
    assert not list(home.rglob("*pyopencl*"))


def test_pocl_looks_where_its_documentation_says(home, monkeypatch):
    assert pocl_folder() == home / ".cache" / "pocl" / "kcache"
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert pocl_folder() == Path("/x/pocl/kcache")
    monkeypatch.setenv("POCL_CACHE_DIR", "/y")
    assert pocl_folder() == Path("/y")


@pytest.mark.parametrize(("mode", "safe"), [(0o755, True), (0o700, True), (0o777, False), (0o775, False)])
def test_pocl_is_sent_elsewhere_when_others_may_write_to_its_cache(home, monkeypatch, capsys, mode, safe):
    removals = []
    monkeypatch.setattr("atexit.register", removals.append)
    pocl_folder().mkdir(parents=True)
    pocl_folder().chmod(mode)
    before = pocl_folder()
    secure_pocl_cache()
    said = capsys.readouterr().out
    if safe:
        assert pocl_folder() == before and not said
        return
    assert pocl_folder() != before and pocl_folder().stat().st_mode & 0o777 == 0o700
    assert f"PoCL's cache {before} is not used" in said and f"run: chmod go-w {before}" in said
    driver.secure_pocl_cache()
    assert not capsys.readouterr().out
    (remove,) = removals
    remove()
    assert not pocl_folder().exists()
