"""Targets: the machine, operating system and options that code is generated for.

In: a target string, the environment, the processor of this machine. Out: Target and its enums.
"""

from pipec.target.names import LINE_BYTES, DeviceAPI, TargetArch, TargetFeature, TargetOS, TargetProcessorTune
from pipec.target.target import (
    Target,
    get_host_target,
    get_jit_target_from_environment,
    get_target_from_environment,
    require_target,
    target_feature_for_device_api,
)

__all__ = [
    "LINE_BYTES",
    "DeviceAPI",
    "Target",
    "TargetArch",
    "TargetFeature",
    "TargetOS",
    "TargetProcessorTune",
    "get_host_target",
    "get_jit_target_from_environment",
    "get_target_from_environment",
    "require_target",
    "target_feature_for_device_api",
]
