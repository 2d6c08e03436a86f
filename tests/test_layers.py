"""The layers of the package: a module imports from its own layer and from those to the left, local imports included."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parent.parent
LAYERS = (
    "version errors diagnostics endings deep_stack records region_picture user_folders target | ir | bounds schedule |"
    " func | autodiff lower | jit | pipeline imageio | autoschedule generators serialization tuner programs | inspect"
    " scale | cli dask filters __init__ __main__ | apps bench tests tools"
)
RANK = {name: rank for rank, names in enumerate(LAYERS.split("|")) for name in names.split()}
# What the order alone would allow: code generation sees lowered programs only, lowering sees frozen definitions only.
NARROWER = {
    "jit": set(
        "jit bounds ir target errors diagnostics endings deep_stack records region_picture user_folders version".split()
    )
}
LOWER_SEES_OF_FUNC = {"pipec.func.functions.definition"}
# Methods that hand the work to a later layer, and the types that they mention: (module, imported module).
EXCEPTIONS = {
    ("pipec.ir.types", "pipec.func.math.expr"),
    ("pipec.func.buffers.device_memory", "pipec.pipeline.calls.device_buffer"),
    ("pipec.func.functions.func", "pipec.pipeline.pipeline"),
    ("pipec.func.functions.handlers", "pipec.pipeline.observation.trace_event"),
    *[
        ("pipec.func.functions.compilable", f"pipec.pipeline.{module}")
        for module in ("calls.arguments", "calls.callable", "emission.module", "observation.profile", "pipeline")
    ],
    *[
        ("pipec.func.functions.realizable", f"pipec.{module}")
        for module in (
            "autodiff.torch_layer",
            "autoschedule.api",
            "autoschedule.emit.replacement",
            "autoschedule.result",
            "autoschedule.strategies.search_state",
            "inspect.diagnose",
            "inspect.explorer",
            "inspect.finding",
            "inspect.report",
            "inspect.visualiser",
            "pipeline.differentiating",
            "pipeline.observation.notebook",
            "scale.stream",
            "scale.tiled",
        )
    ],
    ("pipec.pipeline.differentiating", "pipec.autoschedule.li2018.schedule"),
    ("pipec.pipeline.differentiating", "pipec.serialization.reader"),
    ("pipec.pipeline.differentiating", "pipec.serialization.writer"),
    ("pipec.pipeline.pipeline", "pipec.autoschedule.halide"),
    ("pipec.pipeline.pickling", "pipec.serialization"),
    ("pipec.pipeline.pipeline", "pipec.autoschedule.params"),
}
# Imports inside functions that close a cycle, and why they stay.
CYCLES = {
    ("pipec.autoschedule.result", "pipec.autoschedule.emit.schedule_file"): "a Result writes itself to a file",
    ("pipec.func.buffers.device_memory", "pipec.pipeline.calls.device_buffer"): "a Buffer allocates device memory",
    ("pipec.func.functions.func", "pipec.pipeline.pipeline"): "a Func is the pipeline of which it is the only output",
    ("pipec.func.functions.realizable", "pipec.autoschedule.api"): "Func.autoschedule",
    ("pipec.func.functions.realizable", "pipec.autoschedule.emit.replacement"): "Func.apply_schedule",
    ("pipec.func.functions.realizable", "pipec.inspect.diagnose"): "Func.diagnose",
    ("pipec.func.functions.realizable", "pipec.inspect.explorer"): "Func.explore",
    ("pipec.func.functions.realizable", "pipec.inspect.report"): "Func.profile",
    ("pipec.func.functions.realizable", "pipec.inspect.visualiser"): "Func.visualize",
    ("pipec.func.functions.realizable", "pipec.pipeline.differentiating"): "Func.as_torch",
    ("pipec.func.functions.realizable", "pipec.scale.stream"): "Func.map",
    ("pipec.func.functions.realizable", "pipec.scale.tiled"): "Func.realize_tiled",
    ("pipec.func.functions.wrappers", "pipec.func.functions.func"): "in_, a method of Func, returns a Func",
    ("pipec.ir.types", "pipec.func.math.expr"): "Type.min() and Type.max() are Exprs",
    ("pipec.ir.types", "pipec.ir.expr"): "Type.min() and Type.max() are constants",
    ("pipec.pipeline.calls.callable", "pipec.pipeline.pickling"): "a Callable is pickled as its Pipeline",
    ("pipec.pipeline.pipeline", "pipec.autoschedule.halide"): "Pipeline.apply_autoscheduler",
    ("pipec.pipeline.pipeline", "pipec.pipeline.pickling"): "a Pipeline is pickled as serialization writes it",
    ("pipec.schedule.schedule", "pipec.schedule.python_text"): "Schedule.to_python",
}
THIRD_PARTY = {
    "llvmlite": ("pipec.jit.llvm.",),
    "pyopencl": ("pipec.jit.opencl.", "bench.gpu.launches"),
    "torch": ("pipec.autoschedule.", "pipec.autodiff.torch", "pipec.filters.tensors", "apps.", "bench."),
    "halide": ("tests.", "bench", "apps.", "tools."),
}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def imports(path: Path, for_types: bool = True) -> Iterator[str]:
    """Every module named by an import anywhere in the file; `from a import b` names a.b when that is a module.

    `for_types`: those that only a type checker sees as well.
    """
    pending: list[ast.AST] = [ast.parse(path.read_text())]
    while pending:
        node = pending.pop()
        if for_types or not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            pending += ast.iter_child_nodes(node)
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


def test_imports_point_to_the_left() -> None:
    edges = [(module_name(path), name) for path in FILES for name in imports(path)]
    offences = [f"{importer} imports {name}: {why}" for importer, name in edges if (why := offence(importer, name))]
    assert edges and not offences, "\n".join(offences)


def test_all_import_cycles_are_listed_with_a_reason() -> None:
    modules = {module_name(path).removesuffix(".__init__"): path for path in FILES if "pipec" in path.parts}
    graph = {name: {module for module in imports(path, False) if module in modules} for name, path in modules.items()}
    unused = [edge for edge in CYCLES if edge[1] not in graph[edge[0]]]
    assert not unused, f"{unused} are listed in CYCLES, but there is no such import"
    for importer, imported in CYCLES:
        graph[importer].remove(imported)
    # Raises CycleError, which names the modules, for a cycle that is not listed.
    list(TopologicalSorter(graph).static_order())


def test_the_rule_can_fail() -> None:
    assert offence("pipec.ir.expr", "pipec.func.functions.func")
    assert offence("pipec.jit.engine", "pipec.func.functions.func")
    assert offence("pipec.lower.pipeline", "llvmlite.binding") and offence("pipec.func.math.expr", "pipec")
    assert not offence("pipec.lower.pipeline", "pipec.ir.expr")


def test_import_pipec_is_light() -> None:
    code = "import sys, pipec; print([m for m in ('torch', 'llvmlite', 'pyopencl') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
