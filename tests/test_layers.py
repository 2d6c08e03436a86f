"""The layers of the package: a module imports from its own layer and from those to the left, local imports included."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = (
    "version errors diagnostics deep_stack records user_folders target |"
    " ir | bounds schedule | func | autodiff lower | jit |"
    " pipeline imageio | autoschedule inspect generators serialization | cli __init__ __main__ | apps bench tests tools"
)
RANK = {name: rank for rank, names in enumerate(LAYERS.split("|")) for name in names.split()}
# What the order alone would allow: code generation sees lowered programs only, lowering sees frozen definitions only.
NARROWER = {"jit": {"jit", "ir", "target", "errors", "diagnostics", "deep_stack", "records", "user_folders", "version"}}
LOWER_SEES_OF_FUNC = {"pipec.func.functions.definition"}
# Methods that hand the work to a later layer: (module, imported module).
EXCEPTIONS = {
    ("pipec.func.buffers.device_memory", "pipec.pipeline.calls.device_buffer"),
    ("pipec.func.functions.realizable", "pipec.autodiff.torch_layer"),
    ("pipec.func.functions.realizable", "pipec.autoschedule.result"),
    ("pipec.func.functions.realizable", "pipec.autoschedule.strategies.search_state"),
    ("pipec.func.functions.realizable", "pipec.pipeline.calls.arguments"),
    ("pipec.func.functions.realizable", "pipec.pipeline.calls.callable"),
    ("pipec.func.functions.realizable", "pipec.pipeline.emission.module"),
    ("pipec.func.functions.realizable", "pipec.pipeline.observation.notebook"),
    ("pipec.func.functions.realizable", "pipec.pipeline.observation.statistics"),
    ("pipec.func.functions.realizable", "pipec.pipeline.observation.trace_event"),
    ("pipec.func.functions.realizable", "pipec.pipeline.pipeline"),
    ("pipec.ir.node", "pipec.ir.printer"),
    ("pipec.pipeline.scheduling", "pipec.autoschedule.api"),
    ("pipec.pipeline.scheduling", "pipec.autoschedule.halide"),
    ("pipec.pipeline.scheduling", "pipec.autoschedule.params"),
    ("pipec.pipeline.scheduling", "pipec.autoschedule.result"),
    ("pipec.pipeline.scheduling", "pipec.autoschedule.strategies.search_state"),
}
THIRD_PARTY = {
    "llvmlite": ("pipec.jit.llvm.",),
    "pyopencl": ("pipec.jit.opencl.", "bench.gpu.launches"),
    "torch": ("pipec.autoschedule.", "pipec.autodiff.torch", "apps.", "bench."),
    "halide": ("tests.", "bench", "apps.", "tools."),
}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def imports(path: Path) -> Iterator[str]:
    """Every module named by an import anywhere in the file; `from a import b` names a.b when that is a module."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            for name in (f"{node.module}.{alias.name}" for alias in node.names):
                file = ROOT.joinpath(*name.split("."))
                yield name if file.is_dir() or file.with_suffix(".py").exists() else str(node.module)


def layer(module: str) -> str:
    parts = module.split(".")
    return parts[0] if parts[0] != "pipec" else parts[1] if len(parts) > 1 else "__init__"


def offence(importer: str, imported: str) -> str | None:
    package = imported.split(".")[0]
    if package in THIRD_PARTY and not importer.startswith(THIRD_PARTY[package]):
        return f"{package} belongs to {', '.join(THIRD_PARTY[package])}"
    if package not in ("pipec", "apps", "bench", "tests", "tools") or (importer, imported) in EXCEPTIONS:
        return None
    source, target = layer(importer), layer(imported)
    if RANK[target] > RANK[source]:
        return f"{target} lies to the right of {source}"
    if target not in NARROWER.get(source, RANK):
        return f"{source} sees only {', '.join(sorted(NARROWER[source]))}"
    if source == "lower" and target == "func" and imported not in LOWER_SEES_OF_FUNC:
        return "lower sees frozen definitions only"
    return None


FILES = [p for part in ("pipec", "apps", "bench", "tools") for p in sorted((ROOT / part).rglob("*.py"))]


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_imports_point_to_the_left(path: Path) -> None:
    importer = module_name(path)
    offences = [f"{importer} imports {name}: {why}" for name in imports(path) if (why := offence(importer, name))]
    assert not offences, "\n".join(offences)


def test_the_rule_can_fail() -> None:
    assert offence("pipec.ir.expr", "pipec.func.functions.func")
    assert offence("pipec.jit.engine", "pipec.func.functions.func")
    assert offence("pipec.lower.pipeline", "llvmlite.binding") and offence("pipec.func.math.expr", "pipec")
    assert not offence("pipec.lower.pipeline", "pipec.ir.expr")


def test_import_pipec_is_light() -> None:
    code = "import sys, pipec; print([m for m in ('torch', 'llvmlite', 'pyopencl') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
