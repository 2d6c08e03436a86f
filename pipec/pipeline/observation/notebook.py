"""Funcs and Pipelines in notebooks: their definitions as formulas, their loops."""

from __future__ import annotations

import html
from collections.abc import Sequence

from pipec.bounds.simplify import simplify
from pipec.errors import PipecError
from pipec.func.functions.freeze import freeze, reachable, schedule_of
from pipec.func.functions.function import Function
from pipec.ir.build import add, sub
from pipec.ir.expr import TRUE, Expr
from pipec.ir.latex import name_to_latex, to_latex
from pipec.pipeline.observation.dag_picture import dag_picture
from pipec.schedule.python_text import to_python

# Longer texts hide what they should show.
MAX_FUNCS = 40
MAX_CHARACTERS = 600
MAX_LATEX = 4000


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
    head = f"<b>{html.escape(title)}</b>"
    if len(used) > MAX_FUNCS:
        return f"<div>{head}<pre>{html.escape(chr(10).join(formulas))}</pre>{folds}</div>"
    picture = dag_picture(functions)
    return f"<div>{head}<br/>{picture}<pre>{html.escape(chr(10).join(formulas))}</pre>{folds}</div>"


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


def formula_of(functions: Sequence[Function]) -> str | None:
    """The definitions of these outputs as LaTeX; None where there is none, or where it would be too long to read."""
    if not functions or not all(function.defined for function in functions):
        return None
    text = r" \\ ".join([line for function in functions for line in _latex_lines(function)])
    return rf"$\begin{{aligned}}{text}\end{{aligned}}$" if len(text) <= MAX_LATEX else None


def _latex_lines(function: Function) -> list[str]:
    lines = []
    for stage in function.stages:
        place = ", ".join([to_latex(arg) for arg in stage.args])
        values = [to_latex(value) for value in stage.values]
        value = values[0] if len(values) == 1 else rf"\left({', '.join(values)}\right)"
        loops = [
            rf"{name_to_latex(loop.name)} = {to_latex(loop.minimum)} \ldots"
            f" {to_latex(simplify(sub(add(loop.minimum, loop.extent), 1)))}"
            for loop in stage.rvars
        ]
        where = [] if stage.predicate is TRUE else [to_latex(stage.predicate)]
        domain = rf" \quad \text{{for }} {', '.join([*loops, *where])}" if loops else ""
        lines.append(rf"{name_to_latex(function.name)}\left({place}\right) &= {value}{domain}")
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
