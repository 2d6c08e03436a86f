"""Self-contained packages of a pipeline: a shared library, a C header, and a Python wheel that needs numpy only."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipec.errors import ArgumentError, NotSupportedError, PipecError
from pipec.func.functions.realizable import Realizable
from pipec.ir.program import ProgramArgumentKind
from pipec.jit.c.header import header_text
from pipec.jit.c.interface import CFunction
from pipec.jit.objects.output_file import write_file
from pipec.pipeline.calls.arguments import arguments_of
from pipec.pipeline.emission.emission import Emission
from pipec.records import dataclass
from pipec.target import Target, TargetArch, TargetOS, get_host_target

# Most servers of the last ten years, and all 64-bit ARM ones.
DEFAULT_TARGETS = ("x86-64-linux-avx-avx2-f16c-fma-sse41", "arm-64-linux")
# The oldest C library that the wheels need where zig links them, and the tag that promises it.
GLIBC, MANYLINUX = "2.17", "manylinux_2_17"
_MACHINES = {TargetArch.X86: "x86_64", TargetArch.ARM: "aarch64"}
_VERSION = re.compile(r"\d+(\.\d+)*")


@dataclass(frozen=True)
class ExportedPackage:
    """The files for one target."""

    target: str
    library: Path
    wheel: Path


def export(
    pipeline: Realizable,
    directory: str | os.PathLike[str],
    *,
    name: str = "",
    arguments: Sequence[Any] | None = None,
    targets: Sequence[Target | str] = DEFAULT_TARGETS,
    version: str = "0.1.0",
) -> list[ExportedPackage]:
    """Writes a directory that serves a scheduled pipeline without pipec and LLVM.

    It holds `NAME.h`, and for each target `TARGET/libNAME.so` and `TARGET/NAME-VERSION-py3-none-PLATFORM.whl`, whose
    module NAME has the function NAME. Its parameters are `arguments`, the Params and ImageParams in order (by default
    images, then numbers, each by name), then the outputs: arrays, rows first, that are written in place. Outputs that
    are left out are allocated with the shape of the first image with as many dimensions, and returned.

    Linking takes a C compiler, for another architecture than this one's a cross compiler or the package ziglang.
    Raises NotSupportedError without one, and for targets that are not 64-bit Linux.
    """
    if _VERSION.fullmatch(version) is None:
        raise ArgumentError(f"Error: version={version!r} must be numbers with points between, such as 1.2.0.")
    folder = Path(directory)
    folder.mkdir(parents=True, exist_ok=True)
    whole = pipeline._pipeline()
    listed = whole._inferred() if arguments is None else arguments_of(arguments)
    packages = []
    for target in [Target(target) if isinstance(target, str) else target for target in targets]:
        _check_target(target)
        emission = Emission(whole._checked(), tuple(whole.requirements()), listed, name, target, plain=True)
        function = emission.function
        write_file(folder / f"{function.name}.h", header_text(function))
        place = folder / f"{_architecture(target)}-linux"
        place.mkdir(exist_ok=True)
        library = place / f"lib{function.name}.so"
        portable = _link(emission.object, library, target)
        wheel = place / f"{function.name}-{version}-py3-none-{_platform(target, portable)}.whl"
        _write_wheel(function, library, wheel, version)
        packages.append(ExportedPackage(str(target), library, wheel))
    return packages


def _check_target(target: Target) -> None:
    if target.os is not TargetOS.Linux or target.arch not in _MACHINES or target.bits != 64:
        raise NotSupportedError(
            f"Error: A pipeline is exported for 64-bit Linux on x86 or ARM, not for {target}. Use"
            " compile_to_static_library and the linker of that system."
        )


def _architecture(target: Target) -> str:
    return f"{'x86' if target.arch is TargetArch.X86 else 'arm'}-64"


def _platform(target: Target, portable: bool) -> str:
    return f"{MANYLINUX if portable else 'linux'}_{_MACHINES[target.arch]}"


# Linking


def _link(code: bytes, library: Path, target: Target) -> bool:
    """Links a shared library; whether it runs with the C library of GLIBC on."""
    command, portable = _linker(target)
    with tempfile.TemporaryDirectory() as scratch:
        source, result = Path(scratch, "code.o"), Path(scratch, library.name)
        source.write_bytes(code)
        arguments = [
            *command,
            "-shared",
            "-o",
            str(result),
            str(source),
            "-lm",
            "-lpthread",
            f"-Wl,-soname,{library.name}",
        ]
        done = subprocess.run(arguments, capture_output=True, text=True)
        if done.returncode:
            raise PipecError(f"Error: Linking {library.name} failed: {' '.join(command)}:\n{done.stderr.strip()}")
        write_file(library, result.read_bytes())
    return portable


def _linker(target: Target) -> tuple[list[str], bool]:
    """The command of a compiler that links for a target, and whether it links with an old C library."""
    machine = _MACHINES[target.arch]
    if importlib.util.find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc", "-target", f"{machine}-linux-gnu.{GLIBC}"], True
    native = get_host_target().arch is target.arch
    for compiler in (f"{machine}-linux-gnu-gcc", *(["cc", "gcc", "clang"] if native else [])):
        if shutil.which(compiler):
            return [compiler], False
    raise NotSupportedError(
        f"Error: Nothing here links shared libraries for {machine}: install {machine}-linux-gnu-gcc, or"
        " pip install 'pipec[export]', which brings zig's linker for all architectures."
    )


# Wheels


def _write_wheel(function: CFunction, library: Path, wheel: Path, version: str) -> None:
    name, info = function.name, f"{function.name}-{version}.dist-info"
    files = {
        f"{name}/__init__.py": _module_text(function).encode(),
        f"{name}/{library.name}": library.read_bytes(),
        f"{info}/METADATA": (
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
            f"Summary: The image pipeline {name}\nRequires-Python: >=3.8\nRequires-Dist: numpy\n"
        ).encode(),
        f"{info}/WHEEL": (
            "Wheel-Version: 1.0\nGenerator: pipec\nRoot-Is-Purelib: false\n"
            f"Tag: {wheel.stem.removeprefix(f'{name}-{version}-')}\n"
        ).encode(),
    }
    record = "".join([f"{path},sha256={_hash(data)},{len(data)}\n" for path, data in files.items()])
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            # A fixed time: the same pipeline gives the same wheel.
            archive.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    write_file(wheel, memory.getvalue())


def _hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _module_text(function: CFunction) -> str:
    """The module of the wheel: `exported_module.txt` with the function's parameters."""
    template = Path(__file__).with_name("exported_module.txt").read_text()
    parameters = [_parameter(parameter) for parameter in function.parameters]
    listed = json.dumps(parameters, indent=4)
    text = template.replace("PARAMETERS: list = []", f"PARAMETERS: list = json.loads('''{listed}''')")
    signature = ", ".join([f"{p['name']}=None" if p["kind"] == "output" else str(p["name"]) for p in parameters])
    return text.replace("FUNCTION", function.name).replace("SIGNATURE", signature)


def _parameter(parameter: Any) -> Mapping[str, Any]:
    argument = parameter.argument
    kinds = {ProgramArgumentKind.OUTPUT: "output", ProgramArgumentKind.SCALAR: "scalar"}
    kind = argument.type
    if kind.is_handle() or kind.is_bfloat():
        raise NotSupportedError(f"Error: The parameter {parameter.name} of type {kind} has no value in Python.")
    return {
        "name": parameter.name,
        "kind": kinds.get(argument.kind, "input"),
        "dtype": str(kind.numpy()),
        "code": int(kind.code().value),
        "bits": kind.nbits,
        "dimensions": argument.dimensions,
    }
