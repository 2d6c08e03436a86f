"""oclgrind, where it is installed, finds no data race and no access out of bounds in kernels; it would."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = Path("/usr/lib/oclgrind/liboclgrind-rt-icd.so")
ROOT = Path(__file__).parent.parent.parent


def log_of(path, *arguments):
    environment = os.environ | {
        "OCLGRIND_DATA_RACES": "1",
        "OCLGRIND_LOG": str(path),
        "OCL_ICD_VENDORS": str(DRIVER),
        "PYTHONPATH": str(ROOT),
        "PIPEC_CACHE": "0",
    }
    environment.pop("PIPEC_DEVICE", None)
    command = [sys.executable, "-m", "tests.gpu.kernel_for_oclgrind", *arguments]
    run = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return path.read_text() if path.exists() else "", run.stdout


@pytest.mark.opencl
@pytest.mark.skipif(not DRIVER.exists(), reason="oclgrind is not installed")
def test_threads_that_share_memory_do_not_race(tmp_path):
    clean, output = log_of(tmp_path / "clean")
    assert output == "same\n" and not clean.strip()
    faulty, _ = log_of(tmp_path / "faulty", "fault")
    assert "data race" in faulty
