"""The C functions of extern stages, compiled and loaded so that every front end of this process finds them."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "differential" / "extern_functions.c"


@cache
def load_extern_functions() -> ctypes.CDLL:
    """The library of extern_functions.c; its symbols are global."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "functions.so"
        subprocess.run(["cc", "-std=c99", "-O1", "-shared", "-fPIC", str(SOURCE), "-o", str(path)], check=True)
        return ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL)
