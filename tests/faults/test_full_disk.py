"""A full disk or a folder that cannot be written to costs the cache and the database, not the result."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

import pipec as hl

ROOT = Path(__file__).parent.parent.parent
FULL_DISK = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))

import numpy as np
import pipec as hl
from pipec.autoschedule.measure.database import Database

x, y = hl.vars("x y")
f, g = hl.funcs("f g")
f[x, y] = x + y
g[x, y] = f[x, y] + f[x + 1, y]
pipeline = hl.Pipeline(g)
result = pipeline.autoschedule(sizes=[32, 16], strategy="grouping", search_seconds=1)
print("in memory", Database().in_memory)
image = np.asarray(pipeline.realize([32, 16]))
print(image.sum(), (image == np.add.outer(np.arange(16), np.arange(32)) * 2 + 1).all())
"""


@pytest.mark.skipif(os.name != "posix", reason="needs RLIMIT_FSIZE")
def test_results_are_right_and_no_parts_of_files_are_left(tmp_path: Path) -> None:
    paths = {"PIPEC_CACHE_DIR": tmp_path / "cache", "PIPEC_AUTOSCHEDULE_DB": tmp_path / "trials.sqlite"}
    environment = {**os.environ, **{name: str(path) for name, path in paths.items()}, "PYTHONPATH": str(ROOT)}
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run([sys.executable, "-c", FULL_DISK], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("cannot be cached") == 1 and "File too large" in done.stdout
    assert "in memory True" in done.stdout and done.stdout.endswith(" True\n"), done.stdout
    assert not list((tmp_path / "cache").glob("new-*"))


def test_a_read_only_cache_is_warned_of_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error of a file system that is mounted read-only: permissions would not stop the administrator."""

    def refuse(*arguments: object, **options: object) -> NoReturn:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path))
    tmp_path.chmod(0o700)
    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    x = hl.Var("x")
    for step in (1, 2):
        f = hl.Func("f")
        f[x] = x * 12345 + step
        assert list(np.asarray(f.realize([2]))) == [step, 12345 + step]
    assert capsys.readouterr().out.count("Read-only file system") == 1
