"""Long programs are compiled in parts, on several threads, and compute the same."""

import contextlib
import gc
import threading

import numpy as np
import pytest

import pipec as hl
from pipec.errors import InternalError
from pipec.jit.llvm import parts, unlocked
from pipec.jit.llvm.engine import engine
from pipec.jit.llvm.machine import host
from pipec.jit.llvm.parts import parts_of
from pipec.jit.objects import elf
from pipec.jit.objects.packing import packed, unpacked

x, y, z = hl.vars("x y z")
MACHINE_CODE = """
declare i32 @pipec_parallel_for(ptr, ptr, i64, i64) #1
@pipec_attention = external global i32

define internal i32 @pipec_entry.body(ptr %slots, i32 %outer) #3 {
start:
  %a = call i32 @pipec_parallel_for(ptr @task.1, ptr %slots, i64 0, i64 9)
  %b = call i32 @pipec_parallel_for(ptr @task.2, ptr %slots, i64 0, i64 9)
  %c = call i32 @pipec_parallel_for(ptr @task.3, ptr %slots, i64 0, i64 9)
  ret i32 0
}

define i32 @pipec_entry(ptr %slots) #0 {
start:
  %status = call i32 @pipec_entry.body(ptr %slots, i32 0)
  ret i32 %status
}

define internal i32 @task.1(ptr noalias %closure, i64 %index) #0 {
start:
  %a = call i32 @pipec_parallel_for(ptr @task.4, ptr %closure, i64 0, i64 9)
  ret i32 %a
}

define internal i32 @task.2(ptr noalias %closure, i64 %index) #0 {
start:
  %a = call i32 @helper(i32 3)
  ret i32 %a
}

define internal i32 @task.3(ptr noalias %closure, i64 %index) #0 {
start:
  %a = call i32 @pipec_parallel_for(ptr @task.4, ptr %closure, i64 0, i64 9)
  %b = call i32 @helper(i32 3)
  ret i32 %b
}

define internal i32 @task.4(ptr noalias %closure, i64 %index) #0 {
start:
  ret i32 0
}

define internal i32 @helper(i32 %a) #2 {
start:
  %b = load i32, ptr @pipec_attention
  ret i32 %b
}

attributes #0 = { nounwind }
attributes #1 = { nounwind }
attributes #2 = { nounwind }
attributes #3 = { nounwind noinline }
"""


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
    counts: list[int] = []
    split = parts.parts_of

    def counted(text: str, entry: str) -> list[parts.ModulePart]:
        counts.append(len(result := split(text, entry)))
        return result

    monkeypatch.setattr(parts, "parts_of", counted)
    monkeypatch.setenv("PIPEC_CACHE", "0")
    return counts


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


def test_parts_are_compiled_where_no_thread_can_be_started(
    short_parts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    program = chain(5)
    texts = ["define i32 @f() {\n  ret i32 7\n}\n", "define i32 @g() {\n  ret i32 8\n}\n"]
    monkeypatch.setattr(threading.Thread, "start", fail)
    assert len(engine().compile_all(texts, host(), 2)) == 2
    monkeypatch.undo()
    np.testing.assert_array_equal(program.realize([20, 20]), expected(5))


def test_an_error_in_a_part_is_raised() -> None:
    with pytest.raises(InternalError, match="LLVM refuses the code"):
        engine().compile_all(["define i32 @f() {\n  ret i32 7\n}\n", "define i32 @g() {\n  ret i3\n}\n"], host(), 2)


def test_tasks_inside_of_tasks_stay_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MIN_PART_CHARACTERS", 100)
    *others, last = parts_of(MACHINE_CODE, "pipec_entry")
    # Tasks 1 and 3 start task 4; the function that tasks 2 and 3 call is in both parts.
    assert sorted(sorted(part.symbols) for part in others) == [["task.1", "task.3"], ["task.2"]]
    assert "define i32 @pipec_entry(" in last.text and not last.symbols
    for part in others:
        assert "define internal i32 @helper" in part.text and "entry" not in part.text
        assert ("define internal i32 @task.4" in part.text) == ("task.1" in part.symbols)
    for part in [*others, last]:
        engine().module([part.text])


def test_short_programs_are_one_part() -> None:
    assert parts_of(MACHINE_CODE, "pipec_entry") == [(MACHINE_CODE, ())]


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
