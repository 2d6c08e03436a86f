"""The folder from which PoCL, the OpenCL driver for CPUs, loads machine code that it compiled before."""

from __future__ import annotations

import os
from functools import cache as once
from pathlib import Path

from pipec.diagnostics import warn_once
from pipec.jit.objects.private_folder import UNWRITABLE, folder_problem

_VARIABLE = "POCL_CACHE_DIR"


def pocl_folder() -> Path:
    """Where PoCL looks, as its documentation has it."""
    asked, cache, home = [os.environ.get(name) for name in (_VARIABLE, "XDG_CACHE_HOME", "HOME")]
    return Path(asked) if asked else Path(cache or (f"{home}/.cache" if home else "/tmp")) / "pocl" / "kcache"


@once
def secure_pocl_cache() -> None:
    """Sends PoCL to a folder of this process alone where other users could have written to its own.

    Call it before drivers are loaded; it warns once of what is wrong.
    """
    folder = pocl_folder()
    problem = folder_problem(folder, UNWRITABLE)
    if not problem:
        return
    import atexit
    import shutil
    import tempfile

    own, process = tempfile.mkdtemp(prefix="pipec-pocl-"), os.getpid()

    def remove() -> None:
        if os.getpid() == process:  # not in the child of a fork
            shutil.rmtree(own, ignore_errors=True)

    atexit.register(remove)
    os.environ[_VARIABLE] = own
    warn_once(
        f"PoCL's cache {folder} is not used, since other users might have put machine code there: {problem}. Until"
        f" then PoCL compiles kernels again in each process. {_VARIABLE} names another folder."
    )
