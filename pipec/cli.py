"""The command line: `pipec info` describes the installation, `pipec cache` shows or clears compiled code.

`pipec export` packages a pipeline for servers.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from pipec.jit.objects import cache
from pipec.jit.objects.private_folder import folder_problem
from pipec.scale.export_command import add_export_arguments, run_export
from pipec.target import get_host_target
from pipec.version import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="pipec", description="A compiler for image pipelines.")
    parser.add_argument("--version", action="version", version=f"pipec {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    info = commands.add_parser("info", help="versions, target, places")
    info.add_argument("--json", action="store_true", help="print as JSON")
    caching = commands.add_parser("cache", help="the cache of compiled code")
    caching.add_argument("action", nargs="?", choices=("show", "clear"), default="show")
    exporting = commands.add_parser("export", help="a package of a pipeline for servers: library, header, wheel")
    add_export_arguments(exporting)
    options = parser.parse_args(arguments)
    if options.command == "export":
        return run_export(options)
    if options.command == "info":
        return _info(options.json)
    return _cache(options.action)


def _info(as_json: bool) -> int:
    facts = {
        "pipec": __version__,
        "place": str(Path(__file__).parent),
        "python": sys.version.split()[0],
        "target": str(get_host_target()),
        "cache": cache.folder(),
    }
    for package in ("numpy", "llvmlite", "pyopencl", "torch", "imageio"):
        try:
            facts[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            facts[package] = "not installed"
    if as_json:
        print(json.dumps(facts, indent=2))
    else:
        for name, value in facts.items():
            print(f"{name:10} {value}")
    return 0


def _cache(action: str) -> int:
    contents = cache.clear() if action == "clear" else cache.contents()
    verb = "cleared: " if action == "clear" else ""
    print(f"{contents.folder}: {verb}{contents.files} objects, {contents.bytes / 1e6:.1f} MB")
    problem = folder_problem(contents.folder)
    if problem:
        print(f"It is not used, since other users might have put machine code there: {problem}.")
    return 0
