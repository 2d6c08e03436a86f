"""The module of a long program in parts, which are compiled while the next ones are written.

A part holds tasks (the bodies of parallel loops and forks) that the entry starts, with the functions that they use. All
other functions are short: each part has copies of those that it uses. The entry is in the last part, or, where it is
long, in the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from pipec.jit.llvm.function import ModuleWriter

# Characters of text, of which LLVM compiles about 1,000 in a millisecond.
MIN_PART_CHARACTERS = 40_000
MIN_PART_SHARE = 0.1
"""Of all that is written: the longer a program is, the longer are its parts, of which there are few."""
_SYMBOL = re.compile(r"@[\w.]+")
_TASK = re.compile(r"@task\.\d+")

Symbols = tuple[str, ...]
"""The functions of a part that the entry refers to; none in the part with the entry."""


def write_parts(module: ModuleWriter, take: Callable[[str], None]) -> tuple[list[Symbols], str | None]:
    """Writes the tasks of a module that has its entry, and gives `take` the text of each part when it is complete.

    Returns the symbols of all parts, and the text of the last one, if there is one after those that were taken.
    """
    writer, symbols = _PartWriter(module), list[Symbols]()
    entry_first = len(writer.started) > 1 and writer.characters >= MIN_PART_CHARACTERS
    if entry_first:
        take(writer.entry_text())
        symbols.append(())
    for _ in module.write_tasks():
        writer.collect()
        if writer.characters >= max(MIN_PART_CHARACTERS, MIN_PART_SHARE * writer.all_characters):
            tasks = writer.next_tasks()
            take(writer.text(tasks))
            symbols.append(_names(tasks))
    if not entry_first:
        return [*symbols, ()], writer.entry_text()
    tasks = writer.next_tasks()
    return ([*symbols, _names(tasks)], writer.text(tasks)) if tasks else (symbols, None)


def _names(tasks: Sequence[str]) -> Symbols:
    return tuple([task.removeprefix("@") for task in tasks])


class _PartWriter:
    """The functions of a module by symbol, and what they refer to. `started`: the tasks of the entry; `characters`: of
    the functions written for the next part."""

    def __init__(self, module: ModuleWriter) -> None:
        self.module = module
        self.functions: dict[str, str] = {}
        self.references: dict[str, list[str]] = {}
        self.characters = self.all_characters = self.read = 0
        self.away: set[str] = set()  # the tasks of earlier parts
        self.collect()
        self.entry = list(self.functions)
        used = dict.fromkeys(name for root in self.entry for name in self.references[root])
        self.started = [name for name in used if _TASK.fullmatch(name)]

    def collect(self) -> None:
        """Takes note of the functions that the module has got."""
        for function in self.module.functions[self.read :]:
            symbols = _SYMBOL.findall(function)
            self.functions[symbols[0]] = function
            self.references[symbols[0]] = list(dict.fromkeys(symbols))
            self.characters += len(function)
            self.all_characters += len(function)
        self.read = len(self.module.functions)

    def next_tasks(self) -> list[str]:
        """The tasks of the entry that are written and in no part yet; they are in one now."""
        tasks = [name for name in self.started if name in self.functions and name not in self.away]
        self.away.update(tasks)
        self.characters = 0
        return tasks

    def text(self, tasks: Sequence[str]) -> str:
        """A module of some tasks, which others see, and of what they use."""
        functions = {name: self.functions[name] for name in self._reachable(tasks, set())}
        for task in tasks:
            functions[task] = functions[task].replace("define internal ", "define ", 1)
        return self._module(functions, set())

    def entry_text(self) -> str:
        """A module of the entry and of what it uses, but for tasks in other parts, written or not."""
        away = self.away | {task for task in self.started if task not in self.functions}
        return self._module({name: self.functions[name] for name in self._reachable(self.entry, away)}, away)

    def _reachable(self, roots: Iterable[str], away: set[str]) -> list[str]:
        """The functions that some of them use, with themselves, but for what is `away`, in the order of the module."""
        reached, work = set(away), list(roots)
        while work:
            name = work.pop()
            if name not in reached:
                reached.add(name)
                work += [other for other in self.references[name] if other in self.functions]
        return [name for name in self.functions if name in reached and name not in away]

    def _module(self, functions: Mapping[str, str], away: set[str]) -> str:
        used = dict.fromkeys(symbol for name in functions for symbol in self.references[name])
        outside = self.module.outside_symbols()
        lines = [outside[symbol] for symbol in used if symbol in outside]
        lines += [f"declare i32 {task}(ptr, i64)" for task in used if task in away]
        return self.module.text(list(functions.values()), lines)
