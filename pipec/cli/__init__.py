"""The command line `pipec`.

In: arguments of the shell. Out: text, or JSON with `--json`, and an exit status: 0, 1 for an error of the program or
of a check, 2 for wrong arguments, 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from pipec.autoschedule.progress import seconds_of
from pipec.cli import emission, installation, running, scheduling
from pipec.cli.completion import SHELLS, completion
from pipec.errors import PipecError
from pipec.version import __version__

INTERRUPTED = 130
_MENDS = dict.fromkeys(("cv2", "scipy", "skimage"), "applications use it: pip install 'pipec[apps]'")
# As of a program that SIGPIPE ends.
BROKEN_PIPE = 141
Options = argparse.Namespace
Handler = Callable[[Options], int]
PROGRAM = "FILE.py[:NAME], MODULE[:NAME], an application (`blur`), or a file that serialize_pipeline wrote"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit status."""
    options = parser().parse_args(arguments)
    try:
        handler: Handler = options.handler
        status = handler(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader, such as `head`, has gone; Python flushes stdout once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except ModuleNotFoundError as error:
        print(
            f"pipec {options.command}: Error: {error}; {_MENDS.get(error.name or '', 'install it')}.", file=sys.stderr
        )
        return 1
    except (PipecError, OSError) as error:
        print(f"pipec {options.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED


def parser() -> argparse.ArgumentParser:
    """Returns the parser of all commands."""
    whole = argparse.ArgumentParser(prog="pipec", description="A compiler for image pipelines.")
    whole.add_argument("--version", action="version", version=f"pipec {__version__}")
    commands = whole.add_subparsers(dest="command", required=True)

    def command(name: str, handler: Handler, help: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help, description=help)
        sub.add_argument("--json", action="store_true", help="print JSON")
        sub.set_defaults(handler=handler)
        return sub

    for name, handler, help in (
        ("run", running.run, "run a pipeline on images, or on random inputs"),
        ("bench", running.bench, "time a pipeline: the median and the spread of its runs"),
        ("trace", running.trace, "run a pipeline and print each event of its Funcs"),
        ("schedule", scheduling.schedule, "find a schedule within 20 s and print it"),
        ("tune", scheduling.tune, "find a schedule by measuring candidates for as long as told"),
        ("profile", scheduling.profile, "run a pipeline and show where its time goes"),
        ("diagnose", scheduling.diagnose, "say why a pipeline is slow, and what mends it"),
        ("explore", scheduling.explore, "write a page about a pipeline and its schedule"),
        ("export", emission.export_package, "write a package for servers: library, C header, wheel"),
        ("compile", emission.compile_files, "compile a pipeline to a file: object, archive, C, assembly, LLVM, data"),
    ):
        _program_options(command(name, handler, help), name)
    caching = command("cache", installation.cache_command, "show or clear the cache of compiled code")
    caching.add_argument("action", nargs="?", choices=("show", "clear"), default="show")
    command("info", installation.info, "versions, target, places")
    command("doctor", installation.doctor, "check compiler, caches, devices and threads, and say what to do")
    examples = command("examples", installation.examples, "copy the lessons and applications to a folder")
    examples.add_argument("folder")
    shells = command("completion", lambda options: _complete(whole, options), "print a completion script for a shell")
    shells.add_argument("shell", choices=SHELLS)
    return whole


OUTPUTS = {
    "run": "where to write the first output: an image, or .npy",
    "schedule": "where to write the schedule, for --schedule",
    "tune": "where to write the schedule, for --schedule",
    "profile": "a file in the format of its ending: .html, .json, .txt, .trace.json, .speedscope.json",
    "explore": "the page; by default NAME.html",
    "compile": "a file in the format of its ending: .o, .a, .c, .s, .ll, .bc, .json",
}


def _program_options(sub: argparse.ArgumentParser, name: str) -> None:
    sub.add_argument("program", help=PROGRAM)
    if name == "export":
        sub.add_argument("directory", help="where the package is written")
        sub.add_argument("--name", default="", help="of the function and the wheel; by default that of the output")
        sub.add_argument(
            "--target", action="append", help="may be repeated; by default x86-64 with AVX2, and 64-bit ARM"
        )
        sub.add_argument("--version", default="0.1.0", help="of the wheel")
    if name not in ("export", "compile"):
        sub.add_argument("--size", metavar="WxH[xC]", type=_size, help="extents of the output, dimension 0 first")
        sub.add_argument(
            "--input", metavar="[NAME=]FILE", action="append", default=[], help="an image or a .npy file; repeatable"
        )
        sub.add_argument("--set", metavar="NAME=VALUE", action="append", default=[], help="the value of a Param")
    sub.add_argument("--schedule", metavar="FILE", help="a schedule that `schedule -o` or Result.save wrote")
    if name in OUTPUTS:
        sub.add_argument("-o", "--output", metavar="FILE", required=name == "compile", help=OUTPUTS[name])
    if name in ("bench", "profile"):
        sub.add_argument("--seconds", type=_seconds, default=1.0, help="how long to run")
    if name == "tune":
        sub.add_argument(
            "--budget", type=_seconds, default=60.0, help="seconds, or a text such as '5 min'; default: 60"
        )
    if name == "trace":
        sub.add_argument("--events", choices=("stores", "loads", "realizations"), default="stores")
        sub.add_argument("--limit", type=int, default=100, help="events after which the run ends, 0 for all")


def _seconds(text: str) -> float:
    try:
        return seconds_of(text)
    except PipecError as error:
        raise argparse.ArgumentTypeError(str(error).removeprefix("Error: ")) from None


def _size(text: str) -> list[int]:
    try:
        sizes = [int(part) for part in text.lower().split("x")]
    except ValueError:
        sizes = []
    if not sizes or min(sizes) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no size: write 1920x1080 or 1920x1080x3")
    return sizes


def _complete(whole: argparse.ArgumentParser, options: Any) -> int:
    print(completion(whole, options.shell))
    return 0
