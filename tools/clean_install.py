"""Installs the wheel of out/dist in a new environment of every Python that is named, and tries it there.

    python -m tools.clean_install python3.11 python3.12

Without names: each `python3.N` from 3.11 that the PATH has. The exit status is 1 if any of them failed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
OLDEST, NEWEST = 11, 20  # minor versions to look for


def main(interpreters: list[str]) -> int:
    """Tries the interpreters one by one; returns the exit status."""
    wheels = sorted((ROOT / "out" / "dist").glob("pipec-*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        print("out/dist has no wheel: run `make dist` first.", file=sys.stderr)
        return 1
    failed = [name for name in interpreters or pythons() if not works(name, wheels[-1])]
    return int(bool(failed))


def pythons() -> list[str]:
    """Returns the interpreters on the PATH that start; a launcher without its Python does not."""
    names = [f"python3.{minor}" for minor in range(OLDEST, NEWEST)]
    return [n for n in names if shutil.which(n) and not subprocess.run([n, "-c", ""], capture_output=True).returncode]


def works(interpreter: str, wheel: Path) -> bool:
    """Whether the wheel installs with its required packages only, and runs: the doctor, an application, a lesson."""
    example = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.S)[0]
    with tempfile.TemporaryDirectory() as folder:
        python, pipec = (str(Path(folder, "env", "bin", name)) for name in ("python", "pipec"))
        steps = (
            ("environment", [interpreter, "-m", "venv", f"{folder}/env"]),
            ("install", [python, "-m", "pip", "install", "--quiet", str(wheel)]),
            ("requirements", [python, "-m", "pip", "check"]),
            ("doctor", [pipec, "doctor"]),
            ("application", [pipec, "run", "blur", "--size", "640x480"]),
            ("examples", [pipec, "examples", f"{folder}/examples"]),
            ("lesson", [python, f"{folder}/examples/lessons/lesson_01_basics.py"]),
            ("README", [python, "-c", example]),
        )
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        environment["PIPEC_CACHE_DIR"] = f"{folder}/cache"
        for step, command in steps:
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
            if done.returncode:
                print(f"{interpreter}: {step} failed:\n{done.stdout}{done.stderr}")
                return False
        print(f"{interpreter}: works")
        return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
