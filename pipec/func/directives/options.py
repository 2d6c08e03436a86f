"""Halide's enumerations of options: programs name them; directives and outputs that need them may still be missing."""

from __future__ import annotations

import enum

from pipec.ir.stmt import Partition
from pipec.schedule.execution import PrefetchBoundStrategy


class LoopAlignStrategy(enum.Enum):
    """The alignment of the loops of two stages that are computed together."""

    AlignStart = 0
    AlignEnd = 1
    NoAlign = 2
    Auto = 3


class NameMangling(enum.Enum):
    """The spelling of the names of external functions."""

    Default = 0
    C = 1
    CPlusPlus = 2


class LinkageType(enum.Enum):
    """Who can see a compiled function."""

    External = 0
    ExternalPlusMetadata = 1
    ExternalPlusArgv = 2
    Internal = 3


class StmtOutputFormat(enum.Enum):
    """The output formats of a lowered program."""

    Text = 0
    HTML = 1


class OutputFileType(enum.Enum):
    """The kinds of files that compile_to writes."""

    assembly = 0
    bitcode = 1
    c_header = 2
    c_source = 3
    compiler_log = 4
    cpp_stub = 5
    featurization = 6
    function_info_header = 7
    hlpipe = 8
    llvm_assembly = 9
    object = 10
    python_extension = 11
    pytorch_wrapper = 12
    registration = 13
    schedule = 14
    static_library = 15
    stmt = 16
    conceptual_stmt = 17
    stmt_html = 18
    conceptual_stmt_html = 19
    device_code = 20


__all__ = [
    "LinkageType",
    "LoopAlignStrategy",
    "NameMangling",
    "OutputFileType",
    "Partition",
    "PrefetchBoundStrategy",
    "StmtOutputFormat",
]
