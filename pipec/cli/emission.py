"""Commands that write a pipeline as machine code or data: compile, export."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pipec as hl
from pipec.cli.console import report
from pipec.cli.program import CommandProgram
from pipec.errors import ArgumentError
from pipec.scale.export import DEFAULT_TARGETS, export


def compile_files(options: Any) -> int:
    """Writes the file that the ending of --output names, with a header where it is linked."""
    program = CommandProgram(options, bind=False)
    path = Path(options.output)
    arguments = [*program.images.values(), *program.params.values()]
    pipeline, written = program.pipeline, [str(path)]
    name = path.stem.replace("-", "_")
    if path.suffix in (".o", ".s", ".ll", ".bc"):
        kind = {".o": "object", ".s": "assembly", ".ll": "llvm_assembly", ".bc": "bitcode"}[path.suffix]
        getattr(pipeline, f"compile_to_{kind}")(str(path), arguments, name)
    elif path.suffix == ".c":
        pipeline.compile_to_c(str(path), arguments, name)
    elif path.suffix == ".a":
        pipeline.compile_to_static_library(str(path.with_suffix("")), arguments, name)
    elif path.suffix == ".json":
        hl.serialize_pipeline(pipeline, path)
    else:
        raise ArgumentError(f"Error: --output {path} must end in .o, .a, .c, .s, .ll, .bc, or .json (as data).")
    if path.suffix in (".o", ".c"):
        header = str(path.with_suffix(".h"))
        pipeline.compile_to_header(header, arguments, name)
        written.append(header)
    report({"function": name, "written": written}, options.json)
    return 0


def export_package(options: Any) -> int:
    """Writes a package for servers: for each target a library and a wheel, and one header."""
    program = CommandProgram(options, bind=False)
    targets = options.target or DEFAULT_TARGETS
    packages = export(program.pipeline, options.directory, name=options.name, targets=targets, version=options.version)
    if options.json:
        facts = [{"target": p.target, "library": str(p.library), "wheel": str(p.wheel)} for p in packages]
        report({"packages": facts}, True)
        return 0
    for package in packages:
        print(f"{package.library}\n{package.wheel}")
    return 0
