"""The public names: declared for type checkers in `__init__.pyi`, imported by `__init__.py` when they are used."""

from __future__ import annotations

import ast
import importlib
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import pipec as hl

ROOT = Path(__file__).parent.parent
STUB = ast.parse((ROOT / "pipec" / "__init__.pyi").read_text())
DECLARED = {
    alias.asname or alias.name: (node.module, alias.name)
    for node in STUB.body
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
}


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_a_name_is_what_the_stub_declares(name: str) -> None:
    module, original = DECLARED[name]
    if name in ("dask", "imageio"):
        assert getattr(hl, name) is importlib.import_module(f"pipec.{name}")
    else:
        assert getattr(hl, name) is getattr(importlib.import_module(str(module)), original)


def test_all_and_dir_list_the_names_of_the_stub() -> None:
    (listed,) = [ast.literal_eval(node.value) for node in STUB.body if isinstance(node, ast.Assign)]
    assert sorted(listed) == sorted(hl.__all__) == sorted(DECLARED)
    assert set(hl.__all__) <= set(dir(hl))


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'pipec' has no attribute 'Fnuc'"):
        _ = hl.Fnuc  # type: ignore[attr-defined]


def test_importing_pipec_imports_no_other_module_of_it() -> None:
    assert run("import sys, pipec; print([m for m in sys.modules if m.startswith(('pipec.', 'numpy'))])") == "[]"


def test_a_star_import_gives_all_names() -> None:
    assert run("import pipec; from pipec import *; assert set(pipec.__all__) <= set(globals())") == ""


def test_packages_are_attributes_without_an_import_of_their_own() -> None:
    assert run("import pipec; assert pipec.errors.ScheduleError is pipec.ScheduleError") == ""


def test_public_classes_are_pickled_by_name() -> None:
    assert pickle.loads(pickle.dumps(hl.TailStrategy.RoundUp)) is hl.TailStrategy.RoundUp
    assert pickle.loads(pickle.dumps(hl.UInt(8))) == hl.UInt(8)


def test_defining_a_pipeline_imports_no_compiler() -> None:
    code = (
        "import sys, pipec as hl; x = hl.Var('x'); f = hl.Func('f'); f[x] = x; f.vectorize(x, 8);"
        " heavy = ('torch', 'llvmlite', 'pyopencl', 'imageio', 'sqlite3', 'pipec.autoschedule', 'pipec.autodiff',"
        " 'pipec.lower', 'pipec.jit', 'pipec.pipeline', 'pipec.generators', 'pipec.serialization');"
        " print([m for m in heavy if m in sys.modules])"
    )
    assert run(code) == "[]"


def test_limits_of_a_type_are_exprs_before_any_other_name_is_used() -> None:
    code = "import pipec as hl; print(hl.Float(32).min().type(), hl.evaluate(hl.UInt(8).max()))"
    assert run(code) == "float32 255"
