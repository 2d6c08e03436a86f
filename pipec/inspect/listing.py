"""Lowered code and assembly, line by line with the Func that each line computes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipec.deep_stack import with_deep_stack
from pipec.inspect.subject import Subject
from pipec.ir.printer import statement_lines
from pipec.ir.stmt import ProducerConsumer, Stmt
from pipec.jit.llvm.emit import emit_module
from pipec.jit.llvm.engine import engine
from pipec.jit.llvm.machine import float_flags, host, machine_of
from pipec.jit.llvm.output import Output
from pipec.jit.llvm.profile import MARK
from pipec.jit.runtime.call_table import ENTRY, FIRST_FUNC, Profiled, ProfileMode
from pipec.lower.passes.partition_loops import original_name

MAX_LINE = 400
Lines = list[tuple[str, str]]
_MARK = re.compile(re.escape(MARK) + r"(\d+)")


def lowered_lines(subject: Subject) -> Lines:
    """The program of loops after all passes, with the Func in whose production each line is."""
    lines: Lines = []
    inside: list[tuple[int, str]] = []
    printed: list[tuple[int, str, Stmt | None]] = with_deep_stack(list, statement_lines(subject.program.body))
    for depth, text, stmt in printed:
        while inside and depth <= inside[-1][0]:
            inside.pop()
        if isinstance(stmt, ProducerConsumer) and stmt.is_producer:
            inside.append((depth, _func(subject, stmt.name)))
        own = inside[-1][1] if inside else ""
        short = text if len(text) <= MAX_LINE else f"{text[:MAX_LINE]} ..."
        lines.append(("  " * depth + short, own))
    return lines


def _func(subject: Subject, name: str) -> str:
    """The user's name of a Func, of which a pass may have made copies."""
    name = original_name(name)
    return name if name in subject.definition.funcs else name.partition("$")[0]


def assembly_lines(subject: Subject) -> Lines | None:
    """The assembly of the program with the Func that each instruction computes; None for targets with kernels.

    Comments in the code mark where the Func changes; LLVM may move single instructions across them.
    """
    if subject.target.has_gpu_feature():
        return None
    names = tuple(subject.definition.funcs)
    machine = machine_of(subject.target, host())
    abilities = engine().abilities(machine)
    marked = Profiled(names, ProfileMode.MARKED)
    text = with_deep_stack(emit_module, subject.program, float_flags(subject.target), abilities, marked, False)
    return _instructions(Output([text], machine, (ENTRY,)).assembly(), names)


def _instructions(assembly: str, names: Sequence[str]) -> Lines:
    """The labels and instructions of assembly, without directives."""
    lines: Lines = []
    func = ""
    for line in assembly.splitlines():
        mark = _MARK.search(line)
        if mark is not None:
            number = int(mark[1]) - FIRST_FUNC
            func = names[number] if 0 <= number < len(names) else ""
            continue
        plain = line.split("\t#", 1)[0].rstrip().expandtabs(4)
        if not plain or plain.lstrip().startswith((".cfi", ".p2align", "#", ".type", ".size", ".section", ".globl")):
            continue
        lines.append((plain, func))
    return lines
