"""One pipeline for several processors of a kind, of which the best is chosen when it is called; the runtime alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from pipec.errors import ArgumentError, NotSupportedError
from pipec.func.directives.options import OutputFileType
from pipec.jit.c.header import header_text
from pipec.jit.objects.ahead_of_time import (
    RUNTIME_NAMES,
    compiled_dispatch,
    compiled_runtime,
    linker_names,
    names_of,
)
from pipec.jit.objects.archive import ObjectFile, archive
from pipec.jit.objects.output_file import write_file
from pipec.pipeline.emission.emission import Emission
from pipec.records import replace
from pipec.target import Target, TargetFeature, TargetOS

# What file names end with, elsewhere and on Windows.
ENDINGS = {OutputFileType.object: (".o", ".obj"), OutputFileType.static_library: (".a", ".lib")}
# Gives the pipeline as a C function of this name for a target.
Emit = Callable[[str, Target], Emission]


def multitarget(emit: Emit, name: str, targets: Sequence[Target], suffixes: Sequence[str]) -> list[ObjectFile]:
    """The objects: one for each target, the function that chooses among them, the runtime."""
    ending = ENDINGS[OutputFileType.object][targets[-1].os is TargetOS.Windows]
    emissions = [
        emit(f"{name}_{suffix.replace('-', '_').lstrip('_')}", target.with_feature(TargetFeature.NoRuntime))
        for target, suffix in zip(targets, suffixes, strict=True)
    ]
    files = [f"{name}-{suffix}{ending}" for suffix in suffixes]
    members = [emission.object_file(file) for emission, file in zip(emissions, files, strict=True)]
    function = replace(emissions[-1].function, name=name)
    last = targets[-1]
    chooser = compiled_dispatch(function, [(e.name, e.target) for e in emissions])
    members.append(ObjectFile(f"{name}_wrapper{ending}", chooser.object(), linker_names(names_of(function), last)))
    if not last.has_feature(TargetFeature.NoRuntime):
        runtime = compiled_runtime(last).object()
        members.append(ObjectFile(f"{name}_runtime{ending}", runtime, linker_names(RUNTIME_NAMES, last)))
    return members


def write_objects(
    emit: Emit, prefix: str, targets: Sequence[Target], suffixes: Sequence[str], name: str = ""
) -> list[Path]:
    """prefix-SUFFIX.o for each target, prefix_wrapper.o, prefix_runtime.o and the header; for one target prefix.o.

    The function has the last part of the prefix as its name, or `name`. Returns the files.
    """
    _check(targets, suffixes)
    name, folder = name or Path(prefix).name, Path(prefix).parent
    if len(targets) == 1:
        return write_pair(emit(name, targets[0]), OutputFileType.object, prefix)
    files = []
    for member in multitarget(emit, name, targets, suffixes):
        files.append(folder / f"{Path(prefix).name}{member.name.removeprefix(name)}")
        write_file(files[-1], member.data)
    return [*files, _write_header(emit, prefix, name, targets[-1])]


def write_library(emit: Emit, prefix: str, targets: Sequence[Target], name: str = "") -> list[Path]:
    """prefix.a with all of them, and the header; for one target as compile_to_static_library. Returns the files."""
    suffixes = [target.to_string() for target in targets]
    _check(targets, suffixes)
    name = name or Path(prefix).name
    if len(targets) == 1:
        return write_pair(emit(name, targets[0]), OutputFileType.static_library, prefix)
    ending = ENDINGS[OutputFileType.static_library][targets[-1].os is TargetOS.Windows]
    file = Path(f"{prefix}{ending}")
    write_file(file, archive(multitarget(emit, name, targets, suffixes)))
    return [file, _write_header(emit, prefix, name, targets[-1])]


def write_pair(emission: Emission, kind: OutputFileType, prefix: str) -> list[Path]:
    """The object or static library, with the ending that the target's system has for it, and the header."""
    files = [Path(prefix + ENDINGS[kind][emission.target.os is TargetOS.Windows]), Path(f"{prefix}.h")]
    emission.write(kind, files[0])
    emission.write(OutputFileType.c_header, files[1])
    return files


def _write_header(emit: Emit, prefix: str, name: str, target: Target) -> Path:
    file = Path(f"{prefix}.h")
    write_file(file, header_text(emit(name, target).function))
    return file


def _check(targets: Sequence[Target], suffixes: Sequence[str]) -> None:
    if not targets:
        raise ArgumentError("Error: Must specify at least one target.")
    if len(suffixes) != len(targets) or len(set(suffixes)) != len(suffixes):
        raise ArgumentError(
            f"Error: There must be one suffix for each target, all different: {len(targets)} targets, {suffixes}."
        )
    last = targets[-1]
    for target in targets:
        if (target.arch, target.bits, target.os) != (last.arch, last.bits, last.os):
            raise ArgumentError(
                f"Error: All Targets must have matching arch-bits-os for compile_to_multitarget: {target}, {last}."
            )


def write_runtime(kind: OutputFileType, filename: Any, target: Target) -> None:
    """The runtime alone, as an object or a static library."""
    data = compiled_runtime(target).object()
    if kind is OutputFileType.static_library:
        data = archive([ObjectFile(f"{Path(filename).stem}.o", data, linker_names(RUNTIME_NAMES, target))])
    elif kind is not OutputFileType.object:
        raise NotSupportedError(f"Error: The runtime is written as object or static_library, not as {kind.name}.")
    write_file(filename, data)
