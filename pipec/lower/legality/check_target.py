"""Features of targets that stand for code that pipec does not make."""

from __future__ import annotations

from pipec.errors import NotSupportedError
from pipec.target import Target, TargetFeature, TargetOS

_SANITIZER = (
    "machine code is not instrumented. Target('host-checked') checks each load and store and finds reads of what was"
    " never written; C code of compile_to_c can be compiled with sanitizers"
)
_DEVICE = "kernels are made for OpenCL alone: take the feature opencl"
_REASONS = {
    **dict.fromkeys(
        (TargetFeature.ASAN, TargetFeature.MSAN, TargetFeature.TSAN, TargetFeature.SanitizerCoverage), _SANITIZER
    ),
    **dict.fromkeys(
        (TargetFeature.Metal, TargetFeature.D3D12Compute, TargetFeature.Vulkan, TargetFeature.WebGPU), _DEVICE
    ),
    TargetFeature.CPlusPlusMangling: (
        "functions have C names. C++ programs include the header, which declares them as C functions"
    ),
}


def check_target(target: Target) -> None:
    """Raises NotSupportedError for a target with a feature that no code is made for."""
    if target.has_feature(TargetFeature.Simulator) and target.os is not TargetOS.IOS:
        raise NotSupportedError(f"Error: The target feature simulator is for ios alone. (The target is {target}.)")
    for feature, reason in _REASONS.items():
        if target.has_feature(feature):
            raise NotSupportedError(
                f"Error: The target feature {feature.text} is not supported: {reason}. (The target is {target}.)"
            )
