"""Mutations of legal programs: each ends well, or with an error that pipec raises on purpose.

An exception that comes out of pipec's code without a `raise` statement there, an InternalError, a crash and a program
that does not end are failures. What Python itself says of the program's own lines is no business of pipec.
"""

from __future__ import annotations

import ast
import copy
import linecache
import random
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType

import pipec
from pipec.errors import InternalError
from tests.fuzz.case import make_case
from tests.fuzz.extern_library import load_extern_functions
from tests.fuzz.shrink import program_text

PROGRAM = "<program>"
FOLDER = str(Path(pipec.__file__).parent)
# What takes the place of a value: of other types, out of range, undefined. No sizes that only take long.
STRANGE = (
    *("None", "True", "-1", "0", "255", "256", "-129", "2.5", "-0.0", "1 << 31", "-(1 << 31)", "1 << 40", "1 << 63"),
    *(
        "1 << 70",
        "float('nan')",
        "float('inf')",
        "1e300",
        "''",
        "'x'",
        "'f0'",
        "b'x'",
        "()",
        "[]",
        "(1,)",
        "[[1]]",
        "{}",
    ),
    *("object()", "3j", "len", "hl.Expr()", "hl.Var('q')", "hl.RVar('q')", "hl.Func('q')", "hl.Func()", "hl.Buffer()"),
    *("hl.RDom([(0, 2)])", "hl.RDom([(0, 2), (0, 2)])", "hl.Param(hl.Int(8), 'q')", "hl.Param(hl.Float(32))"),
    *(
        "hl.ImageParam(hl.UInt(8), 2)",
        "hl.Int(32)",
        "hl.UInt(8)",
        "hl.f32(2)",
        "hl.u8(3)",
        "hl.Expr('text')",
        "np.int64(3)",
    ),
    *("np.zeros(3)", "np.zeros((2, 2))", "hl.undef(hl.Int(32))", "hl.TailStrategy.Auto", "hl.Var.outermost()", "hl._"),
)


def mutated_program(seed: int) -> list[ast.stmt]:
    """A legal program with one to three changes."""
    r = random.Random(seed)
    statements = ast.parse(program_text(make_case(r.getrandbits(40)))).body
    for _ in range(r.choice([1, 1, 1, 2, 3])):
        mutate(r, statements)
    return statements


def mutate(r: random.Random, statements: list[ast.stmt]) -> None:
    """Changes one place of a program."""
    at = r.randrange(1, len(statements))
    if r.random() < 0.12:
        other = r.randrange(1, len(statements))
        r.choice([
            lambda: statements.pop(at) if len(statements) > 3 else None,
            lambda: statements.insert(at, copy.deepcopy(statements[other])),
            lambda: statements.insert(at, statements.pop(other)),
        ])()  # fmt: skip
        return
    changes = list(places(statements[at], statements))
    if changes:
        r.choice(r.choice(changes))(r)


def places(statement: ast.stmt, program: list[ast.stmt]) -> Iterator[list[Callable[[random.Random], None]]]:
    """For each node of a statement the changes that can be made there."""
    every = [node for other in program for node in ast.walk(other)]
    names = sorted({node.id for node in every if isinstance(node, ast.Name)})
    attributes = sorted({node.attr for node in every if isinstance(node, ast.Attribute)})
    for node in ast.walk(statement):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and not isinstance(node, ast.Starred | ast.Expr | ast.Attribute):
                yield [lambda r, n=node, f=field: setattr(n, f, strange(r))]
            elif isinstance(value, list) and value and all(isinstance(part, ast.expr) for part in value):
                yield [
                    lambda r, v=value: v.__setitem__(r.randrange(len(v)), strange(r)),
                    lambda r, v=value: v.pop(r.randrange(len(v))) if len(v) > 1 or r.random() < 0.5 else None,
                    lambda r, v=value: v.insert(r.randrange(len(v) + 1), copy.deepcopy(r.choice(v))),
                    lambda r, v=value: v.reverse(),
                    lambda r, v=value: v.insert(r.randrange(len(v) + 1), strange(r)),
                ]
        if isinstance(node, ast.Name):
            yield [lambda r, n=node: setattr(n, "id", r.choice(names))]
        if isinstance(node, ast.Attribute):
            yield [lambda r, n=node: setattr(n, "attr", r.choice(attributes))]


def strange(r: random.Random) -> ast.expr:
    return ast.parse(r.choice(STRANGE), mode="eval").body


def text_of(statements: list[ast.stmt]) -> str:
    return "\n".join([ast.unparse(ast.fix_missing_locations(statement)) for statement in statements])


def failure_of(text: str) -> str:
    """What is wrong with how a program ends, in one line; empty when nothing is."""
    try:
        with warnings.catch_warnings(action="ignore"):
            code = compile(text, PROGRAM, "exec")
    except (SyntaxError, ValueError):
        return ""
    return _run(code)


def _run(code: CodeType) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(code, {"__name__": PROGRAM})
    except InternalError as error:
        return f"InternalError: {error}"
    except pipec.HalideError:
        return ""
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if frame.filename.startswith(FOLDER)]
        if not ours or ours[-1] is frames[-1] and _raises(frames[-1]):
            return ""
        place = Path(ours[-1].filename).name
        return f"{type(error).__name__} in {place}, line {ours[-1].lineno}: {error}"
    return ""


def _raises(frame: traceback.FrameSummary) -> bool:
    """Whether a frame stands in a `raise` statement."""
    source = ast.parse("".join(linecache.getlines(frame.filename)))
    raises = [node for node in ast.walk(source) if isinstance(node, ast.Raise)]
    return any(node.lineno <= (frame.lineno or 0) <= (node.end_lineno or 0) for node in raises)


def check_wrong_program(seed: int) -> tuple[str, str]:
    """What is wrong with how the mutated program of a seed ends, and the program, made small."""
    load_extern_functions()
    statements = mutated_program(seed)
    failure = failure_of(text_of(statements))
    if failure:
        statements = _shrunk(statements, failure.split(":")[0])
    return (failure_of(text_of(statements)) or failure, text_of(statements)) if failure else ("", "")


def _shrunk(statements: list[ast.stmt], kind: str) -> list[ast.stmt]:
    """Fewer statements that fail alike."""
    at = len(statements) - 1
    while at >= 0:
        fewer = statements[:at] + statements[at + 1 :]
        if failure_of(text_of(fewer)).split(":")[0] == kind:
            statements = fewer
        at -= 1
    return statements
