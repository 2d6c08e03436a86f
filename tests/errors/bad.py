"""Programs that must fail, kept in one list: each with the class of its error and words of its text."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import pipec
from pipec.errors import InternalError, PipecError

Program = Callable[[Any], Any]


@dataclass(frozen=True)
class Bad:
    """`run(hl)` raises `error`, and its text has `words`; `line`: it also names the user's file."""

    run: Program
    error: type[Exception] | tuple[type[Exception], ...]
    words: tuple[str, ...]
    line: bool

    def check(self) -> None:
        with pytest.raises(self.error) as caught:
            self.run(pipec)
        assert not isinstance(caught.value, InternalError)
        text = plain(str(caught.value))
        for words in self.words:
            assert words in text, f"{words!r} is not in:\n{text}"
        if self.line:
            file = self.run.__code__.co_filename.rsplit("/", 1)[-1]
            assert f"{file}:" in text, f"the user's line is not named in:\n{text}"
        if isinstance(self.error, type) and issubclass(self.error, PipecError) and self.error is not PipecError:
            assert type(caught.value) is self.error


def plain(text: str) -> str:
    """Without the numbers that tell apart Funcs and Params of one name."""
    return re.sub(r"\$\d+", "", text)


def bad(
    programs: dict[str, Bad], error: type[Exception] | tuple[type[Exception], ...], *words: str, line: bool = False
) -> Callable[[Program], Program]:
    """Enters the decorated program into `programs` under its name."""

    def enter(program: Program) -> Program:
        programs[program.__name__] = Bad(program, error, words, line)
        return program

    return enter
