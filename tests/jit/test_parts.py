"""Long programs are compiled in parts, on several threads, and compute the same."""

import contextlib
import gc
import re
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

import pipec as hl
from pipec.errors import InternalError
from pipec.func.functions.freeze import freeze, schedule_of
from pipec.jit.llvm import emit, parts, unlocked
from pipec.jit.llvm.compilation import Compilation
from pipec.jit.llvm.engine import engine
from pipec.jit.llvm.function import ModuleWriter
from pipec.jit.llvm.machine import host
from pipec.jit.objects import elf
from pipec.jit.objects.packing import packed, unpacked
from pipec.lower.lower import lower

x, y, z = hl.vars("x y z")


def chain(stages: int) -> hl.Func:
    """Parallel loops, one after the other."""
    f = hl.Func("first")
    f[x, y] = x * 3 + y
    for number in range(stages):
        g = hl.Func(f"stage{number}")
        g[x, y] = hl.i32(hl.f32(f[x - 1, y] + f[x, y + 1]) * 0.5) + number
        f.compute_root().parallel(y).vectorize(x, 8)
        f = g
    return f.parallel(y).vectorize(x, 8)


@pytest.fixture
def short_parts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Short programs have parts, too; the numbers of them."""
    monkeypatch.setattr(parts, "MIN_PART_CHARACTERS", 1_000)
    monkeypatch.setattr(parts, "MIN_PART_SHARE", 0.0)
    counts: list[int] = []
    write = parts.write_parts

    def counted(module: ModuleWriter, take: Callable[[str], None]) -> tuple[list[parts.Symbols], str | None]:
        symbols, last = write(module, take)
        counts.append(len(symbols))
        return symbols, last

    monkeypatch.setattr(emit, "write_parts", counted)
    monkeypatch.setenv("PIPEC_CACHE", "0")
    return counts


def compiled(text: str) -> bytes:
    return engine().compile([text], host())


def parts_of(f: hl.Func) -> tuple[list[str], list[parts.Symbols]]:
    """The texts of a Func's parts, and what the entry sees of each."""
    definition, _ = freeze([f.function], "parted")
    program = lower(definition, schedule_of([f.function]), hl.get_host_target())
    texts: list[str] = []
    symbols, last = emit.emit_parts(program, "", engine().abilities(host()), None, texts.append)
    return texts if last is None else [*texts, last], symbols


def expected(stages: int) -> np.ndarray:
    size = 20 + stages
    row, column = np.mgrid[:size, -stages:size]
    values = (column * 3 + row).astype(np.int64)
    for number in range(stages):
        values = np.trunc((values[:-1, :-1] + values[1:, 1:]) * 0.5).astype(np.int64) + number
    return values[:20, :20]


@pytest.mark.parametrize("loader", ["own", "LLVM's"])
def test_parts_compute_what_the_whole_does(
    short_parts: list[int], monkeypatch: pytest.MonkeyPatch, loader: str
) -> None:
    if loader == "LLVM's":
        monkeypatch.setattr(elf, "load", lambda *arguments: None)
    np.testing.assert_array_equal(chain(6).realize([20, 20]), expected(6))
    assert max(short_parts) > 3


def test_parts_are_compiled_where_no_thread_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", fail)
    with Compilation(str.encode, 2) as compilation:
        compilation.add("first")
        compilation.add("second")
        # In the main thread, finish() would run on another one.
        assert Compilation.finish.__wrapped__(compilation, "last") == [b"first", b"second", b"last"]


def test_objects_are_in_the_order_of_their_modules() -> None:
    def slow_first(text: str) -> bytes:
        if text == "0":
            time.sleep(0.02)
        return text.encode()

    with Compilation(slow_first, 3) as compilation:
        for number in range(9):
            compilation.add(str(number))
        assert compilation.finish("9") == [b"%d" % number for number in range(10)]


def test_an_error_in_a_part_is_raised() -> None:
    with Compilation(compiled, 2) as compilation:
        compilation.add("define i32 @g() {\n  ret i3\n}\n")
        with pytest.raises(InternalError, match="LLVM refuses the code"):
            compilation.finish("define i32 @f() {\n  ret i32 7\n}\n")


def test_helpers_compile_no_more_after_an_error_of_the_writer() -> None:
    done: list[str] = []
    release = threading.Event()

    def waiting(text: str) -> bytes:
        release.wait(10)
        done.append(text)
        return b""

    with pytest.raises(KeyboardInterrupt), Compilation(waiting, 2) as compilation:
        for number in range(5):
            compilation.add(str(number))
        raise KeyboardInterrupt
    release.set()
    for helper in compilation._helpers:
        helper.join(10)
        assert not helper.is_alive()
    assert len(done) <= 1


def test_tasks_inside_of_tasks_stay_with_them(short_parts: list[int]) -> None:
    f, g = hl.Func("f"), hl.Func("g")
    f[x, y, z] = hl.sqrt(hl.f32(x * y + z))
    g[x, y, z] = hl.sin(f[x, y, z] + f[x + 1, y, z])
    f.compute_root().parallel(z).parallel(y)
    g.parallel(z).parallel(y)
    texts, symbols = parts_of(g)
    defined = [re.findall(r"^define (internal )?i32 @(task\.\d+)\(", text, re.MULTILINE) for text in texts]
    for own, visible in zip(defined, symbols, strict=True):
        assert tuple(name for internal, name in own if not internal) == visible
    # The outer and the inner loop of each Func; the entry is long enough to be the first part.
    assert [len(own) for own in defined] == [0, 2, 2]
    for text in texts:
        engine().module([text])


def test_short_programs_are_one_part() -> None:
    assert len(parts_of(chain(2))[0]) == 1


@pytest.mark.parametrize("objects", [[(b"\x7fELF", ())], [(b"one", ("task.1", "task.2")), (b"", ()), (b"three", ())]])
def test_packed_parts_are_those_that_were_packed(objects: list[tuple[bytes, tuple[str, ...]]]) -> None:
    assert unpacked(packed(objects)) == objects


def test_modules_of_failed_compilations_end_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(machine: object, module: object) -> bytes:
        error = InternalError("no object")
        # The error keeps the frames with the module.
        error.args = (error,)
        raise error

    monkeypatch.setattr(unlocked, "emit_object", fail)
    for _ in range(20):
        with contextlib.suppress(InternalError):
            engine().compile(["define i32 @f() {\n  ret i32 7\n}\n", "define i32 @g() {\n  ret i32 8\n}\n"], host())
        gc.collect()
