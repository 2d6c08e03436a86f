"""Commands about the installation: info, doctor, cache, examples."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipec.cli.console import coloured, report
from pipec.errors import ArgumentError
from pipec.jit.objects import cache
from pipec.jit.objects.private_folder import folder_problem
from pipec.target import TargetArch, TargetFeature, get_host_target
from pipec.version import __version__

PACKAGES = ("numpy", "llvmlite", "pyopencl", "torch", "imageio")
# What the doctor finds: a word, a description, what to do.
Finding = tuple[str, str, str]


def info(options: Any) -> int:
    """Prints versions, the target and places."""
    facts = {
        "pipec": __version__,
        "place": str(Path(__file__).parent.parent),
        "python": sys.version.split()[0],
        "target": str(get_host_target()),
        "cache": cache.folder(),
    }
    report(facts | {package: _version(package) for package in PACKAGES}, options.json)
    return 0


def cache_command(options: Any) -> int:
    """Shows or clears the cache of compiled code."""
    cleared = options.action == "clear"
    contents = cache.clear() if cleared else cache.contents()
    problem = folder_problem(contents.folder)
    if options.json:
        facts = {"folder": str(contents.folder), "objects": contents.files, "bytes": contents.bytes}
        report(facts | {"cleared": cleared, "problem": problem or None}, True)
        return 0
    verb = "cleared: " if cleared else ""
    print(f"{contents.folder}: {verb}{contents.files} objects, {contents.bytes / 1e6:.1f} MB")
    if problem:
        print(f"It is not used, since other users might have put machine code there: {problem}.")
    return 0


def doctor(options: Any) -> int:
    """Checks what pipelines need; the status is 1 if a check failed. What is optional only warns."""
    checks: dict[str, Callable[[], Finding]] = {
        "python": lambda: ("ok", sys.version.split()[0], ""),
        "compiler": _compiles,
        "cache": _cache,
        "threads": _threads,
        "C compiler": _c_compiler,
        "OpenCL": _opencl,
        "torch": lambda: _optional("torch", "gradients in PyTorch"),
    }
    findings = {name: check() for name, check in checks.items()}
    if options.json:
        report({name: dict(zip(("state", "found", "advice"), f, strict=True)) for name, f in findings.items()}, True)
    else:
        colours = {"ok": "green", "warning": "yellow", "failed": "red"}
        for name, (state, description, advice) in findings.items():
            print(
                f"{coloured(f'{state:8}', colours[state])}{name:11} {description}" + (f". {advice}" if advice else "")
            )
    return int(any(state == "failed" for state, _, _ in findings.values()))


def examples(options: Any) -> int:
    """Copies lessons and applications."""
    source, target = examples_folder(), Path(options.folder)
    if target.exists() and any(target.iterdir()):
        raise ArgumentError(f"Error: {target} is not empty: name a new folder.")
    ignored = shutil.ignore_patterns("__pycache__")
    lessons = source / "lessons" if (source / "lessons").exists() else source / "docs" / "tutorials"
    shutil.copytree(lessons, target / "lessons", ignore=ignored)
    shutil.copytree(source / "apps", target / "apps", ignore=ignored)
    report({"lessons": str(target / "lessons"), "applications": str(target / "apps")}, options.json)
    return 0


def examples_folder() -> Path:
    """The folder with `apps`: in the installed package, or the checkout that holds the package."""
    package = Path(__file__).parent.parent
    return package / "examples" if (package / "examples").exists() else package.parent


def applications() -> list[str]:
    """The names of the applications."""
    files = sorted((examples_folder() / "apps").glob("*.py"))
    return [file.stem for file in files if "\nAPP = " in file.read_text(encoding="utf-8")]


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _compiles() -> Finding:
    import pipec as hl

    x = hl.Var("x")
    func = hl.Func("doctor")
    func[x] = x * x
    func.vectorize(x, 8)
    try:
        works = func.realize([16])[5] == 25
    except Exception as error:  # whatever is wrong with LLVM here is what the doctor is asked
        return (
            "failed",
            f"{type(error).__name__}: {error}",
            "Reinstall llvmlite: pip install --force-reinstall llvmlite",
        )
    target = get_host_target()
    description = f"llvmlite {_version('llvmlite')}, {target}"
    if not works:
        return "failed", f"{description}: wrong pixels", "Report this as a bug"
    if target.arch is TargetArch.X86 and not target.has_feature(TargetFeature.SSE41):
        return "warning", f"{description}: no vector features", "Vectors are short: /proc/cpuinfo must be readable"
    return "ok", description, ""


def _cache() -> Finding:
    folder = cache.folder()
    if not cache.enabled():
        return "warning", "off, since PIPEC_CACHE=0", "Every process compiles anew"
    if Path(folder).exists() and (problem := folder_problem(Path(folder))):
        return "warning", f"{folder} is not used: {problem}", "chmod 700 it, or name another by PIPEC_CACHE_DIR"
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        return "warning", f"{folder}: {error.strerror}", "Name a folder that can be written by PIPEC_CACHE_DIR"
    return "ok", str(folder), ""


def _threads() -> Finding:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    asked = os.environ.get("HL_NUM_THREADS")
    if asked and asked.isdigit() and int(asked) > usable:
        return (
            "warning",
            f"HL_NUM_THREADS={asked} on {usable} processors",
            "Unset it: more threads than processors wait",
        )
    return "ok", f"{asked or usable} of {os.cpu_count()} processors", ""


def _c_compiler() -> Finding:
    for name in ("cc", "gcc", "clang"):
        if path := shutil.which(name):
            return "ok", path, ""
    return "warning", "none", "Only exported objects and libraries need one: install gcc or clang"


def _opencl() -> Finding:
    finding = _optional("pyopencl", "GPU schedules", "opencl")
    if finding[0] != "ok":
        return finding
    import pipec as hl

    if not hl.host_supports_target_device(hl.Target("host-opencl")):
        return "warning", "no device", "Install the OpenCL driver of your GPU, or pocl-binary-distribution"
    return "ok", finding[1], ""


def _optional(package: str, purpose: str, extra: str = "") -> Finding:
    version = _version(package)
    if version == "not installed":
        return "warning", version, f"For {purpose}: pip install 'pipec[{extra or package}]'"
    return "ok", version, ""
