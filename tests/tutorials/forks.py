"""A process that has imported a module and runs each program in a fork of itself, where the module is as good as new.

Importing, and what a module does at its first compilation, takes longer than most programs. For each path of a program
on its standard input it writes the exit status; what the program printed is in the files `printed` and `errors` of the
program's folder, where it runs.
"""

from __future__ import annotations

import importlib
import os
import runpy
import sys
import traceback
from pathlib import Path
from typing import Any


def run(program: Path) -> int:
    """Run a program as python does; its exit status."""
    os.chdir(program.parent)
    for stream, name in ((1, "printed"), (2, "errors")):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT, 0o600), stream)
    sys.argv, sys.stdin = [program.name], open(os.devnull)
    sys.path.insert(0, str(program.parent))
    try:
        runpy.run_path(program.name, run_name="__main__")
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def compile_once(hl: Any) -> None:
    """The wheel's first compilation takes a second more, for what all pipelines need at run time."""
    first, x = hl.Func("compiled_before_all_others"), hl.Var("x_of_the_first")
    first[x] = x
    first.realize([1])


def main() -> None:
    for module in ("numpy", "skimage.data"):
        importlib.import_module(module)
    compile_once(importlib.import_module(sys.argv[1]))
    for line in sys.stdin:
        process = os.fork()
        if process == 0:
            sys.exit(run(Path(line.rstrip("\n"))))
        _, status = os.waitpid(process, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
