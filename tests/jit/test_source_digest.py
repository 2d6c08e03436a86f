"""Digests of the sources: they follow the contents of the files that make code, and nothing else."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipec.jit.objects import source_digest as module
from pipec.jit.objects.source_digest import CODE_GENERATOR, COMPILER

ROOT = Path(__file__).parents[2]
Digest = Callable[[], str]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path / "cache"))
    package = tmp_path / "pipec"
    (package / "jit" / "llvm").mkdir(parents=True)
    (package / "jit" / "a.py").write_text("a = 1")
    (package / "jit" / "llvm" / "b.ll").write_text("b")
    monkeypatch.setattr(module, "install_dir", lambda: str(package))
    return package


@pytest.fixture
def digest() -> Iterator[Digest]:
    def digest() -> str:
        module.source_digest.cache_clear()
        return module.source_digest(CODE_GENERATOR)

    yield digest
    module.source_digest.cache_clear()


def test_it_is_that_of_the_contents_whenever_they_were_installed(package: Path, digest: Digest) -> None:
    first = digest()
    os.utime(package / "jit" / "a.py", (1, 1))
    assert digest() == first == digest()
    moved = package.rename(package.with_name("elsewhere"))
    (moved.parent / "pipec").symlink_to(moved)
    assert digest() == first


@pytest.mark.parametrize("name", ["jit/a.py", "jit/llvm/b.ll"])
def test_a_change_that_leaves_size_and_time_is_seen(package: Path, digest: Digest, name: str) -> None:
    first, file = digest(), package / name
    times = file.stat()
    file.write_text("c" * times.st_size)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert digest() != first


def test_a_new_name_and_a_new_file_are_seen(package: Path, digest: Digest) -> None:
    first = digest()
    (package / "jit" / "a.py").rename(package / "jit" / "c.py")
    second = digest()
    (package / "jit" / "a.py").write_text("")
    assert len({first, second, digest()}) == 3


def test_other_files_do_not_matter(package: Path, digest: Digest) -> None:
    first = digest()
    (package / "cli.py").write_text("")
    (package / "jit" / "__pycache__").mkdir()
    (package / "jit" / "__pycache__" / "a.py").write_text("")
    (package / "jit" / "notes.txt").write_text("")
    assert digest() == first


def test_it_needs_no_cache(package: Path, digest: Digest, monkeypatch: pytest.MonkeyPatch) -> None:
    first = digest()
    monkeypatch.setenv("PIPEC_CACHE", "0")
    assert digest() == first


def test_the_compiler_is_all_that_lowering_and_the_back_ends_import() -> None:
    # These have a say in errors and texts only; definitions are part of every key.
    others = {"errors", "diagnostics", "endings", "deep_stack", "func", "records", "user_folders", "version"}
    folders = {source for source in COMPILER if "." not in source}
    for folder in folders:
        for path in (ROOT / "pipec" / folder).rglob("*.py"):
            modules = [n.module or "" for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.ImportFrom)]
            used = {name.split(".")[1] for name in modules if name.startswith("pipec.")}
            assert used <= folders | others, f"{path} imports {used - folders - others}"
