"""Why pipec lacks some names of the wheel, and calls that show which of its methods refuse although they exist."""

from __future__ import annotations

# Pattern of names (the first that fits counts) -> why not. What pipec has by now needs no entry.
REASONS = {
    "*hexagon*": "GPU: pipec has OpenCL only",
    "Buffer.device_*": "GPU: no pointers of drivers are handed out",
    "OutputFileType.device_code": "GPU: kernels are not written to files",
    "OutputFileType.hlpipe": "output: written by serialize_pipeline and by generators, not by compile_to",
    "OutputFileType.*": "output: kinds of file that pipec does not write",
}

# Names that exist -> a call that shows whether they work; f is a Func of x, y with an update, p its Pipeline. A call
# that raises NotSupportedError means that the name is counted as missing.
PROBES = {
    "Func.atomic": "f.atomic(); f.compile_jit()",
    "Stage.atomic": "f.update().atomic(); f.compile_jit()",
    "Func.prefetch": "f.prefetch(i, x, x, 2); f.compile_jit()",
    "Stage.prefetch": "f.update().prefetch(i, x, x, 2); f.compile_jit()",
    "Func.hoist_storage": "g.compute_at(f, x).hoist_storage(f, y); f.compile_jit()",
    "Func.hoist_storage_root": "g.compute_at(f, x).hoist_storage_root(); f.compile_jit()",
    **{
        f"{owner}.{method}": f"f.{update}{method}({'' if method.endswith('all') else 'x'}); f.compile_jit()"
        for owner, update in (("Func", ""), ("Stage", "update()."))
        for method in ("never_partition", "never_partition_all", "always_partition", "always_partition_all")
    },
    "Func.partition": "f.partition(x, hl.Partition.Never); f.compile_jit()",
    "Stage.partition": "f.update().partition(x, hl.Partition.Never); f.compile_jit()",
    "*.compile_to_c": "p.compile_to_c(path, [i], 'f')",
    **{
        f"OutputFileType.{kind}": f"p.compile_to({{hl.OutputFileType.{kind}: path}}, [i], 'f')"
        for kind in (
            "assembly bitcode c_header c_source compiler_log cpp_stub featurization function_info_header hlpipe"
            " llvm_assembly object python_extension pytorch_wrapper registration schedule static_library stmt"
            " conceptual_stmt stmt_html conceptual_stmt_html device_code"
        ).split()
    },
}
