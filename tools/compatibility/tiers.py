"""The names of Halide's Python API that its own programs use, by tier; all other names are tier 3.

Tier 1: tutorials 1-14, applications, generators. Tier 2: correctness tests, tutorials 15-24. The first word of a line
is a class, the others its members; `names` are those of the module. Counted on the sources of Halide 21.
"""

from __future__ import annotations

TIER_1 = """
names Bool BoundaryConditions Buffer Expr Float Func FuncTupleElementRef Generator GeneratorParam Handle ImageParam
    InputBuffer InputScalar Int OutputBuffer OutputFileType OutputScalar Param RDom StmtOutputFormat TailStrategy
    Target TargetArch TargetFeature TargetOS UInt Var _ alias argmin cast clamp cos exp f32 f64 funcs generator
    get_host_target host_supports_target_device i32 lambda_func lerp main max min mux pow select sin sqrt sum u16 u8
    vars
BoundaryConditions repeat_edge
Buffer __getitem__ __init__ __setitem__ channels copy_to_host height set_min type width
Callable __call__
Dimension dim set_bounds set_estimate
Expr __add__ __floordiv__ __init__ __lt__ __mul__ __neg__ __or__ __radd__ __rmul__ __rsub__ __rtruediv__ __sub__
    __truediv__ type
Func __getitem__ __init__ __setitem__ bound clone_in compile_jit compile_to compile_to_file compile_to_lowered_stmt
    compute_at compute_root fold_storage fuse output_buffer parallel print_loop_nest realize reorder reorder_storage
    set_estimate set_estimates specialize split store_at store_root tile trace_loads trace_stores type types unroll
    update vectorize
FuncRef __add__ __getitem__ __mul__ __rmul__ __rsub__ __sub__ __truediv__
FuncTupleElementRef __add__ __gt__ __mul__
Generator add_output add_requirement natural_vector_size target using_autoscheduler
GeneratorParam __init__
ImageParam __getitem__ __init__
InputBuffer __init__
InputScalar __init__
OutputBuffer __init__
OutputFileType object python_extension
OutputImageParam dim height set_estimates type width
OutputScalar __init__
Param __add__ __gt__ __init__ __mul__ __ne__ __sub__ set_estimate
RDom __add__ __init__ __sub__ x y
Stage parallel reorder split unroll vectorize
StmtOutputFormat HTML
TailStrategy RoundUp
Target __init__ arch bits has_feature has_gpu_feature os set_features with_feature
TargetArch ARM X86
TargetFeature ARMv7s AVX D3D12Compute HVX Metal OpenCL SSE41
TargetOS Android IOS OSX Windows
Type __eq__ bits is_float is_handle is_int with_bits
Var __add__ __eq__ __init__ __lt__ __mod__ __mul__ __rmul__ __sub__ __truediv__
imageio imread imwrite
"""

TIER_2 = """
names DeviceAPI GeneratorContext HalideError OutputImageParam Partition Pipeline RVar Type TypeCode _0 _1
    create_callable_from_generator deserialize_parameters deserialize_pipeline evaluate evaluate_may_gpu
    get_jit_target_from_environment get_target_from_environment i16 logical_not print print_when propagate_adjoints
    random_int serialize_pipeline target_feature_for_device_api
BoundaryConditions constant_exterior mirror_image mirror_interior repeat_image
Buffer __repr__ all_equal copy crop cropped defined dim dimensions fill for_each_element make_bounds_query
    make_interleaved make_scalar name reverse_axes set_name translated transpose
BufferDimension extent max min stride
Derivative __getitem__
DeviceAPI CUDA Metal OpenCL
Dimension extent min set_stride stride
Expr __and__ __bool__ __eq__ __gt__ __le__ __mod__ __pow__ __rpow__
Func async_ compile_to_assembly compile_to_bitcode compile_to_c compile_to_callable compile_to_header
    compile_to_object defined dimensions gpu_threads gpu_tile hoist_storage in_ infer_input_bounds memoize outputs
    partition ring_buffer
FuncRef __ge__ __le__ __lt__ __radd__ logical_not
Generator __init__ add_input call compile_to_callable
GeneratorContext __enter__ __exit__ __init__
ImageParam __repr__ get in_ set
OutputFileType stmt_html
OutputImageParam __init__ __repr__ parameter
Param __floordiv__ __radd__ __truediv__ parameter set
Parameter name type
Partition Auto Never
Pipeline __init__ __repr__ add_requirement compile_jit compile_to_callable compile_to_module infer_arguments
    invalidate_cache realize
RDom __getitem__ __repr__ __rsub__ where
RVar __add__ __init__ __le__ __rmul__ __sub__ name
Stage atomic rfactor tile unscheduled
TailStrategy Auto GuardWithIf
Target __eq__ __repr__ __str__ has_large_buffers maximum_buffer_size natural_vector_size set_feature supported
    supports_device_api supports_type to_string validate_target_string without_feature
TargetArch ArchUnknown
TargetFeature AVX2 CUDA Debug JIT LargeBuffers NoAsserts NoBoundsQuery Vulkan
TargetOS Linux OSUnknown
Type __init__ __ne__ __repr__ __str__ bytes can_represent code element_of is_bool is_max is_min is_scalar is_uint
    is_vector lanes same_handle_type with_code with_lanes
TypeCode Handle Int UInt
Var __floordiv__ __gt__ __pow__ __radd__ __repr__ __str__ implicit implicit_index is_implicit is_placeholder name
    outermost same_as
"""
