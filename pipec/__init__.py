"""pipec: image pipelines as pure functions of pixel coordinates. `import pipec as hl` and use Halide's names.

The names are declared in `__init__.pyi`. A module is imported when one of its names is first used, so that a program
loads only what it needs.
"""

from importlib import import_module as _import_module

_NAMES = {
    "pipec.autodiff.check": "GradientCheck check_gradient",
    "pipec.autodiff.derivative": "Derivative grad propagate_adjoints",
    "pipec.autoschedule": "autoschedule_strategies load_schedule",
    "pipec.autoschedule.strategies.sketches": "add_sketch_rule",
    "pipec.autoschedule.measure.pool": "MeasurerPool",
    "pipec.autoschedule.task_scheduler": "autoschedule_all",
    "pipec.autoschedule.params": "AutoschedulerParams AutoSchedulerResults load_plugin",
    "pipec.errors": (
        "ArgumentError BoundsError DefinitionError ExternError HalideError NotSupportedError OutOfMemoryError"
        " PipecError RequirementError ScheduleError"
    ),
    "pipec.filters.function": "filter",
    "pipec.func.math.boundary": "BoundaryConditions",
    "pipec.func.buffers.buffer": "Buffer",
    "pipec.func.buffers.shape": "BufferDimension",
    "pipec.func.math.casts": (
        "cast concat_bits extract_bits f16 f32 f64 i8 i8_sat i16 i16_sat i32 i32_sat i64 i64_sat reinterpret"
        " saturating_cast u8 u8_sat u16 u16_sat u32 u32_sat u64 u64_sat"
    ),
    "pipec.func.functions.parameter": "ArgumentEstimates",
    "pipec.func.math.expr": "Expr",
    "pipec.func.functions.extern": "ExternFuncArgument",
    "pipec.func.math.fast_math": "erf fast_cos fast_exp fast_inverse fast_inverse_sqrt fast_log fast_pow fast_sin",
    "pipec.func.math.fixed_point": (
        "halving_add halving_sub mul_shift_right rounding_halving_add rounding_mul_shift_right"
        " rounding_shift_left rounding_shift_right widen_right_add widen_right_mul widen_right_sub"
        " widening_add widening_mul widening_shift_left widening_shift_right widening_sub"
    ),
    "pipec.func.functions.func": "Func funcs lambda_func",
    "pipec.func.math.lerp": "lerp",
    "pipec.func.directives.loop_level": "LoopLevel VarOrRVar",
    "pipec.func.math.functions": (
        "abs absd acos acosh asin asinh atan atan2 atanh ceil cos cosh count_leading_zeros"
        " count_trailing_zeros div_round_to_zero exp floor fract hypot is_finite is_inf is_nan log logical_not"
        " mod_round_to_zero popcount pow round saturating_add saturating_sub sin sinh sqrt strict_float tan"
        " tanh trunc"
    ),
    "pipec.func.math.selection": (
        "clamp likely likely_if_innermost max memoize_tag min mux select undef unsafe_promise_clamped"
    ),
    "pipec.func.directives.execution": "EvictionKey",
    "pipec.func.math.messages": "print print_when require",
    "pipec.func.directives.options": (
        "LinkageType LoopAlignStrategy NameMangling OutputFileType Partition PrefetchBoundStrategy StmtOutputFormat"
    ),
    "pipec.func.functions.param": "Dimension ImageParam OutputImageParam Param Parameter",
    "pipec.func.math.random": "random_float random_int random_uint",
    "pipec.func.functions.rdom": "Range RDom RVar",
    "pipec.func.math.reductions": "argmax argmin maximum minimum product sum",
    "pipec.func.functions.ref": "FuncRef FuncTupleElementRef",
    "pipec.func.math.scatter": "gather scatter",
    "pipec.func.directives.stage": "Stage",
    "pipec.func.math.target_query": (
        "target_arch_is target_bits target_has_feature target_natural_vector_size target_os_is user_context_value"
    ),
    "pipec.func.functions.tuple": "Tuple",
    "pipec.func.functions.var": "Var _ _0 _1 _2 _3 _4 _5 _6 _7 _8 _9 vars",
    "pipec.generators.command": "alias create_callable_from_generator generator main",
    "pipec.generators.declarations": (
        "ArgInfo ArgInfoDirection ArgInfoKind InputBuffer InputScalar OutputBuffer OutputScalar"
    ),
    "pipec.generators.context": "GeneratorContext active_generator_context",
    "pipec.generators.generator": "Generator",
    "pipec.generators.param": "GeneratorParam",
    "pipec.ir.stmt": "MemoryType",
    "pipec.ir.types": "BFloat Bool Float Handle Int Type TypeCode UInt",
    "pipec.pipeline.calls.arguments": "Argument ArgumentKind",
    "pipec.pipeline.calls.callable": "Callable",
    "pipec.pipeline.emission.compile_to": "compile_standalone_runtime",
    "pipec.pipeline.calls.device_buffer": "host_supports_target_device",
    "pipec.pipeline.observation.profile": (
        "CopyProfile DeviceProfile FuncProfile HeapStatistics JitStatistics KernelProfile Profile"
    ),
    "pipec.pipeline.calls.memo_cache": "memoization_cache_clear memoization_cache_evict memoization_cache_set_size",
    "pipec.pipeline.emission.module": "Module link_modules",
    "pipec.pipeline.pipeline": "Pipeline evaluate evaluate_may_gpu",
    "pipec.pipeline.tensor.declare": "tensor_intrinsic tensor_intrinsics",
    "pipec.pipeline.observation.trace_event": "TraceEvent TraceEventKind",
    "pipec.schedule.schedule": "Schedule",
    "pipec.schedule.split": "TailStrategy",
    "pipec.scale.video": "read_video write_video",
    "pipec.serialization": "deserialize_parameters deserialize_pipeline serialize_pipeline",
    "pipec.target.names": "DeviceAPI TargetArch TargetFeature TargetOS TargetProcessorTune",
    "pipec.target.target": (
        "Target get_host_target get_jit_target_from_environment get_target_from_environment"
        " target_feature_for_device_api"
    ),
    "pipec.version": "install_dir",
}
_PACKAGES = frozenset(
    "autodiff autoschedule bounds dask errors filters func generators imageio inspect ir jit lower pipeline"
    " programs scale schedule serialization target tuner version".split()
)
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = sorted([*_MODULE_OF, "dask", "imageio"])


def __getattr__(name: str) -> object:
    if name in _MODULE_OF:
        value: object = getattr(_import_module(_MODULE_OF[name]), "print_" if name == "print" else name)
    elif name in _PACKAGES:
        value = _import_module(f"pipec.{name}")
    else:
        raise AttributeError(f"module 'pipec' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
