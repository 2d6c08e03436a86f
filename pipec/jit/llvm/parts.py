"""The module of a long program in parts, which are compiled at the same time.

A part holds tasks (the bodies of parallel loops and forks) that the entry starts, with the functions that they use. All
other functions are short: each part has copies of those that it uses. The last part holds the entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

# Characters of text, of which LLVM compiles about 1,000 in a millisecond.
MIN_PART_CHARACTERS = 25_000
MAX_PARTS = 8
_SYMBOL = re.compile(r"@[\w.]+")
_TASK = re.compile(r"@task\.\d+")
_END = "\n}\n"


class ModulePart(NamedTuple):
    """The text of a module of its own, and the symbols in it that the last part refers to."""

    text: str
    symbols: tuple[str, ...]


def parts_of(text: str, entry: str) -> list[ModulePart]:
    """The parts of a module's text, the one with the function `entry` last; one part where it is short."""
    count = min(MAX_PARTS, len(text) // MIN_PART_CHARACTERS)
    if count < 2:
        return [ModulePart(text, ())]
    module = _Module(text)
    last = [symbol for symbol in (f"@{entry}", f"@{entry}.body") if symbol in module.functions]
    # The last part, which holds the entry, is the first of these.
    parts: list[list[str]] = [[] for _ in range(count)]
    sizes = [module.size(last), *[0] * (count - 1)]
    for tasks in sorted(module.groups(last), key=module.size, reverse=True):
        shortest = sizes.index(min(sizes))
        parts[shortest] += tasks
        sizes[shortest] += module.size(tasks)
    others = [tuple(tasks) for tasks in parts[1:] if tasks]
    away = [task for tasks in others for task in tasks]
    return [
        *[ModulePart(module.text(tasks), tuple([task[1:] for task in tasks])) for tasks in others],
        ModulePart(module.text(last, away), ()),
    ]


class _Module:
    """The functions of a module by symbol, and what they refer to."""

    def __init__(self, text: str) -> None:
        head, *functions = text.split("\ndefine ")
        functions[-1], _, self.tail = functions[-1].rpartition(_END)
        self.functions: dict[str, str] = {}
        self.references: dict[str, list[str]] = {}
        for function in functions:
            symbols = _SYMBOL.findall(function)
            self.functions[symbols[0]] = "define " + function.removesuffix(_END) + _END
            self.references[symbols[0]] = list(dict.fromkeys(symbols))
        self.declarations = {_SYMBOL.findall(line)[0]: line for line in head.splitlines() if line}

    def groups(self, roots: Sequence[str]) -> list[list[str]]:
        """The tasks that `roots` refer to; those that use a common task are in one group."""
        groups: list[tuple[list[str], set[str]]] = []
        for task in dict.fromkeys(name for root in roots for name in self.references[root] if _TASK.fullmatch(name)):
            used = {name for name in self.reachable([task]) if _TASK.fullmatch(name)}
            common = [group for group in groups if group[1] & used]
            groups = [group for group in groups if group not in common]
            groups.append(
                ([*[name for group in common for name in group[0]], task], used.union(*[g[1] for g in common]))
            )
        return [tasks for tasks, _ in groups]

    def size(self, roots: Sequence[str]) -> int:
        """The characters of functions, with those that they use apart from tasks of the entry's."""
        own = roots if _TASK.fullmatch(roots[0]) is None else self.reachable(roots)
        return sum([len(self.functions[name]) for name in own])

    def reachable(self, roots: Iterable[str], away: Sequence[str] = ()) -> list[str]:
        """The functions that some of them use, with themselves, but for what is `away`, in the order of the module."""
        reached, work = set(away), list(roots)
        while work:
            name = work.pop()
            if name not in reached:
                reached.add(name)
                work += [other for other in self.references[name] if other in self.functions]
        return [name for name in self.functions if name in reached and name not in away]

    def text(self, roots: Sequence[str], away: Sequence[str] = ()) -> str:
        """A module of what `roots` use, but for the tasks `away` in other parts, where `roots` are visible."""
        names = self.reachable(roots, away)
        used = dict.fromkeys(symbol for name in names for symbol in self.references[name])
        lines = [self.declarations[symbol] for symbol in used if symbol in self.declarations]
        lines += [f"declare i32 {task}(ptr, i64)" for task in used if task in away]
        functions = [self.functions[name] for name in names]
        for task in roots:
            at = names.index(task)
            functions[at] = functions[at].replace("define internal ", "define ", 1)
        return "\n".join([*lines, "", *functions, self.tail, ""])
