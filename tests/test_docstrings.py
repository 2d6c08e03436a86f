"""Every public name has a docstring with an example, and all examples hold."""

from __future__ import annotations

import ast
import doctest
import enum
import importlib
import inspect
import pkgutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from examples import interpreted

import pipec as hl
from pipec.func.functions.names import local_names

# Examples would say no more than the text: constants, errors, what only other calls make, and commands.
WITHOUT_EXAMPLE = set(
    """
    _ _0 _1 _2 _3 _4 _5 _6 _7 _8 _9 imageio main install_dir Argument ArgInfo BufferDimension
    Dimension ExternFuncArgument FuncTupleElementRef GeneratorContext GeneratorParam InputBuffer
    InputScalar Module OutputBuffer OutputImageParam OutputScalar Parameter Partition TraceEvent EvictionKey
    CopyProfile DeviceProfile KernelProfile FuncProfile HeapStatistics JitStatistics Profile active_generator_context
    alias compile_standalone_runtime
    create_callable_from_generator deserialize_parameters deserialize_pipeline serialize_pipeline
    evaluate_may_gpu host_supports_target_device link_modules target_feature_for_device_api
    get_jit_target_from_environment get_target_from_environment memoization_cache_clear memoization_cache_evict
    memoization_cache_set_size memoize_tag print print_when target_arch_is target_bits target_has_feature
    target_natural_vector_size target_os_is user_context_value
""".split()
)
MODULES = [name for _, name, _ in pkgutil.walk_packages(hl.__path__, "pipec.") if not name.endswith("__main__")]


def needs_example(name: str) -> bool:
    value = getattr(hl, name)
    plain = isinstance(value, type) and issubclass(value, enum.Enum | Exception)
    return name not in WITHOUT_EXAMPLE and not plain


@pytest.mark.parametrize("name", hl.__all__)
def test_public_names_are_explained(name: str) -> None:
    value: Any = getattr(hl, name)
    text = inspect.getdoc(value if callable(value) or inspect.ismodule(value) else type(value)) or ""
    assert text.strip(), f"{name} has no docstring"
    if needs_example(name):
        assert ">>>" in text, f"{name} has no example in its docstring:\n{text}"


def test_public_methods_are_explained() -> None:
    """All methods of the main classes but those whose name says all: queries without arguments."""
    missing = []
    for cls in (hl.Buffer, hl.Func, hl.Pipeline, hl.Stage, hl.ImageParam, hl.Param, hl.RDom, hl.Callable, hl.LoopLevel):
        for name, member in inspect.getmembers(cls):
            if name.startswith("_") or not callable(member) or inspect.getdoc(member):
                continue
            if len(inspect.signature(member).parameters) > 1:
                missing.append(f"{cls.__name__}.{name}")
    assert not missing, missing


def with_examples() -> list[tuple[str, doctest.DocTest]]:
    result = {}
    finder, globs = doctest.DocTestFinder(exclude_empty=True), {"hl": hl, "np": np}
    for name in MODULES:
        module = importlib.import_module(name)
        for test in finder.find(module, globs=dict(globs)):
            result[test.name] = test
    for name in hl.__all__:  # functions that were made have no source of their own, so no finder sees them
        text = getattr(hl, name).__doc__ or ""
        value = getattr(hl, name)
        if ">>>" in text and inspect.isfunction(value) and f"{value.__module__}.{name}" not in result:
            result[name] = doctest.DocTestParser().get_doctest(text, dict(globs), name, None, None)
    return [(name, test) for name, test in result.items() if test.examples]


@pytest.mark.part(2)
@pytest.mark.parametrize("name, test", with_examples())
def test_examples_hold(name: str, test: doctest.DocTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hl, "evaluate", interpreted)
    test.globs.update({"hl": hl, "np": np})
    reports: list[str] = []
    with local_names():
        failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=reports.append).failed
    assert not failed, "".join(reports)


@pytest.mark.parametrize("name", ["arrays", "autoscheduling"])
def test_the_examples_of_the_page_hold(name: str) -> None:
    page = Path(__file__).parent.parent / "docs" / f"{name}.md"
    with local_names():
        result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 10 and not result.failed


def test_examples_are_not_about_the_interpreter_alone() -> None:
    value = hl.lerp(hl.u8(0), hl.u8(100), hl.u8(128))
    assert hl.evaluate(value) == interpreted(value)


def test_each_folder_says_what_comes_in_and_what_goes_out() -> None:
    folders = [path for path in Path(hl.__file__).parent.rglob("__init__.py") if path.parent.name != "pipec"]
    texts = {str(path.parent): ast.get_docstring(ast.parse(path.read_text())) or "" for path in folders}
    assert not [folder for folder, text in texts.items() if "In: " not in text or "Out: " not in text]
