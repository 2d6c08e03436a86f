"""Funcs and Pipelines in notebooks: their definitions as formulas, their loops."""

from __future__ import annotations

import html
from collections.abc import Sequence

from pipec.errors import PipecError
from pipec.func.functions.freeze import freeze, reachable, schedule_of
from pipec.func.functions.function import Function
from pipec.ir.expr import TRUE, Expr
from pipec.schedule.python_text import to_python

# Longer texts hide what they should show.
MAX_FUNCS = 40
MAX_CHARACTERS = 600


def page_of(functions: Sequence[Function], title: str) -> str:
    """The definitions that these outputs are made of, consumers last, then the schedule and the loops that it gives."""
    if not functions or not all(function.defined for function in functions):
        return f"<div><b>{html.escape(title)}</b> (undefined)</div>"
    used = reachable(functions)
    formulas = [line for function in used[-MAX_FUNCS:] for line in formulas_of(function)]
    if len(used) > MAX_FUNCS:
        formulas.insert(0, f"... {len(used) - MAX_FUNCS} Funcs more")
    sections = _sections(functions)
    folds = "".join(
        [f"<details><summary>{name}</summary><pre>{html.escape(text)}</pre></details>" for name, text in sections]
    )
    return f"<div><b>{html.escape(title)}</b><pre>{html.escape(chr(10).join(formulas))}</pre>{folds}</div>"


def formulas_of(function: Function) -> list[str]:
    """The definitions of a Func, a line each: `f(x, y) = x + y`, updates with the domain that they run over."""
    lines = []
    for stage in function.stages:
        place = f"{function.name}({', '.join([str(arg) for arg in stage.args])})"
        values = [_shortened(value) for value in stage.values]
        text = f"{place} = {values[0] if len(values) == 1 else '(' + ', '.join(values) + ')'}"
        if stage.rvars:
            ranges = [f"{loop.name} in [{loop.minimum}, {loop.minimum} + {loop.extent})" for loop in stage.rvars]
            text += f"   for {', '.join(ranges)}"
        if stage.predicate is not TRUE:
            text += f"   where {_shortened(stage.predicate)}"
        lines.append(text)
    return lines


def _shortened(value: Expr) -> str:
    text = str(value)
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]} ..."


def _sections(functions: Sequence[Function]) -> list[tuple[str, str]]:
    """The schedule as Python and the loop nest as print_loop_nest has it, or why the schedule gives none."""
    from pipec.lower.loop_nest_text import loop_nest_text

    # To look at Funcs must not end their definition.
    unfrozen = [function for function in reachable(functions) if not function.frozen]
    try:
        schedule = schedule_of(functions)
        sections = [("Schedule", to_python(schedule).rstrip())] if schedule.directives else []
        return [*sections, ("Loops", loop_nest_text(freeze(functions)[0], schedule))]
    except PipecError as error:
        return [("Error", str(error))]
    finally:
        for function in unfrozen:
            function.frozen = False
