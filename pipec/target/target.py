"""Target: the machine, operating system and options that code is generated for."""

from __future__ import annotations

import os as system
from collections.abc import Iterable
from typing import Any

from pipec.errors import ArgumentError, require_instance
from pipec.target.host import host_parts
from pipec.target.names import (
    DEFAULT_DEVICES,
    DEVICES_OF_32_BITS,
    FEATURE_OF_DEVICE,
    FEATURES_OF_ARCH,
    FEATURES_OF_TYPES,
    GPU_FEATURES,
    IMPLIED_FEATURES,
    TRACE_FEATURES,
    DeviceAPI,
    TargetArch,
    TargetFeature,
    TargetOS,
    TargetProcessorTune,
)

_UNKNOWN_ARCHS = frozenset({TargetArch.ArchUnknown, TargetArch.Hexagon, TargetArch.POWERPC, TargetArch.RISCV})


class Target:
    """The machine, operating system and options that code is generated for.

    `Target("x86-64-linux-avx2")`, `Target("host-no_asserts")` or `Target(os, arch, bits[, tune][, features])`. Equal
    when all parts are. Use `str(target)` as a key, not the object: set_feature changes a Target in place.

    `device` says which of several devices runs kernels, by its number or a part of its name:
    `Target("host-opencl-device_1")`. Empty: the one that PIPEC_DEVICE names, else the first GPU.

    `vector_bits_N` says how wide the scalable vectors of Arm SVE2 and RISC-V are, as in
    `Target("arm-64-linux-sve2-vector_bits_256")`.

    >>> target = hl.Target("x86-64-linux-avx2-sse41")
    >>> target.bits, target.has_feature(hl.TargetFeature.AVX2), target.natural_vector_size(hl.Float(32))
    (64, True, 8)
    """

    __slots__ = ("os", "arch", "bits", "processor_tune", "device", "_features", "_vector_bits")
    os: TargetOS
    arch: TargetArch
    bits: int
    processor_tune: TargetProcessorTune
    device: str
    _features: frozenset[TargetFeature]
    _vector_bits: int

    def __init__(self, *parts: Any) -> None:
        self.os, self.arch, self.bits = TargetOS.OSUnknown, TargetArch.ArchUnknown, 0
        self.processor_tune, self._features = TargetProcessorTune.TuneGeneric, frozenset()
        self.device, self._vector_bits = "", 0
        if len(parts) == 1 and isinstance(parts[0], str):
            self._parse(parts[0])
        elif len(parts) == 1 and isinstance(parts[0], Target):
            self._copy(parts[0])
        elif parts:
            self._assemble(parts)
        self._check_features()

    def _copy(self, other: Target) -> None:
        self.os, self.arch, self.bits = other.os, other.arch, other.bits
        self.processor_tune, self._features = other.processor_tune, other._features
        self.device, self._vector_bits = other.device, other._vector_bits

    def _assemble(self, parts: tuple[Any, ...]) -> None:
        rest = list(parts[3:])
        tune = rest.pop(0) if rest and isinstance(rest[0], TargetProcessorTune) else self.processor_tune
        features = rest.pop(0) if rest else ()
        fits = (
            not rest
            and len(parts) >= 3
            and isinstance(parts[0], TargetOS)
            and isinstance(parts[1], TargetArch)
            and isinstance(parts[2], int)
            and isinstance(features, list | tuple | set | frozenset)
            and all(isinstance(f, TargetFeature) for f in features)
        )
        if not fits:
            raise TypeError(
                "__init__(): incompatible constructor arguments. Target takes nothing, a string, or "
                f"(TargetOS, TargetArch, bits[, TargetProcessorTune][, [TargetFeature, ...]]), not {parts!r}"
            )
        self.os, self.arch, self.bits = parts[:3]
        self.processor_tune, self._features = tune, frozenset(features)

    def _parse(self, text: str) -> None:
        parts: set[str] = set()
        words = text.split("-") if text else ["host"]
        for word in words:
            part, value = _WORDS.get(word, ("", None))
            if word.startswith(_DEVICE) and len(word) > len(_DEVICE):
                part, value = "device", word[len(_DEVICE) :]
            if part == "host" and word is words[0]:
                self._copy(get_host_target())
                parts |= {"os", "arch", "bits"}
                continue
            if part == "features":
                self._features |= value
                continue
            if word.startswith(_VECTOR_BITS) and word[len(_VECTOR_BITS) :].isdecimal():
                self._vector_bits = int(word[len(_VECTOR_BITS) :])
                continue
            if part in ("", "host") or part in parts:
                raise _not_understood(text, word)
            parts.add(part)
            setattr(self, part, value)
        if not {"os", "arch", "bits"} <= parts:
            raise _not_understood(text, None)

    def _check_features(self) -> None:
        if self.arch in _UNKNOWN_ARCHS:
            return
        for arch, features in FEATURES_OF_ARCH.items():
            wrong = features & self._features
            if arch is not self.arch and wrong:
                name = min(f.text for f in wrong)
                raise ArgumentError(
                    f"Error: Target feature {name} is incompatible with the Target's architecture."
                    f" (target({self.to_string()}))"
                )

    def has_feature(self, feature: TargetFeature) -> bool:
        """Whether the feature is named in this target (FeatureEnd: always)."""
        require_instance("has_feature", TargetFeature, feature)
        return feature is TargetFeature.FeatureEnd or feature in self._features

    def features_any_of(self, features: Iterable[TargetFeature]) -> bool:
        """Returns whether at least one of the features is set."""
        return any(self.has_feature(f) for f in features)

    def features_all_of(self, features: Iterable[TargetFeature]) -> bool:
        """Returns whether all of the features are set."""
        return all(self.has_feature(f) for f in features)

    def features(self) -> frozenset[TargetFeature]:
        """The features named, with all that they imply: AVX2 brings AVX and SSE41."""
        return self._features.union(*[IMPLIED_FEATURES.get(feature, ()) for feature in self._features])

    def set_feature(self, f: TargetFeature, value: bool = True) -> None:
        """Sets or clears the feature in this object."""
        require_instance("set_feature", TargetFeature, f)
        if f is not TargetFeature.FeatureEnd:
            self._features = self._features | {f} if value else self._features - {f}

    def set_features(self, features: Iterable[TargetFeature], value: bool = True) -> None:
        """Sets or clears several features."""
        for feature in features:
            self.set_feature(feature, value)

    def with_feature(self, feature: TargetFeature) -> Target:
        """A copy with the feature."""
        copy = Target(self)
        copy.set_feature(feature)
        return copy

    def without_feature(self, feature: TargetFeature) -> Target:
        """A copy without the feature."""
        copy = Target(self)
        copy.set_feature(feature, False)
        return copy

    def has_gpu_feature(self) -> bool:
        """Returns whether a device API is among the features."""
        return bool(self._features & GPU_FEATURES)

    def has_large_buffers(self) -> bool:
        """Returns whether buffers may have more than 2^31 - 1 bytes."""
        return self.bits == 64 and TargetFeature.LargeBuffers in self._features

    def maximum_buffer_size(self) -> int:
        """The maximum size of a buffer in bytes."""
        return (1 << 63) - 1 if self.has_large_buffers() else (1 << 31) - 1

    def supported(self) -> bool:
        """Whether pipec generates code for this target."""
        return self.arch in (TargetArch.X86, TargetArch.ARM) and self.bits == 64

    def supports_type(self, type: Any, device: Any = None) -> bool:
        """Whether code can compute with values of this type on `device`; None: on all devices that the target names."""
        _require_type("supports_type", type)
        if device is not None:
            require_instance("supports_type", DeviceAPI, device)
        if device is None:
            features = [feature for feature in DEFAULT_DEVICES if self.has_feature(feature)]
            wide = type.bits() == 64
            return not wide or all(self._computes(type, f) for f in features if f is not TargetFeature.HVX)
        if device is DeviceAPI.Default_GPU:
            # Code for Hexagon itself has no other device.
            own = TargetFeature.HVX if self.arch is TargetArch.Hexagon else None
            feature = next((f for f in DEFAULT_DEVICES if self.has_feature(f) and f is not own), None)
        else:
            feature = FEATURE_OF_DEVICE.get(device)
        return feature is None or type.is_handle() and feature is TargetFeature.Vulkan or self._computes(type, feature)

    def _computes(self, type: Any, feature: TargetFeature) -> bool:
        """Whether the device of this feature computes with a type."""
        if feature in DEVICES_OF_32_BITS:
            return bool(type.bits() < 64)
        if feature is TargetFeature.HVX:
            return bool(type.is_scalar()) or not (type.is_float() or type.bits() == 64)
        needed = FEATURES_OF_TYPES.get(feature, {}).get((type.is_float(), type.bits()))
        return needed is None or self.has_feature(needed)

    def supports_device_api(self, device: Any) -> bool:
        """Whether loops may be placed on that kind of device."""
        require_instance("supports_device_api", DeviceAPI, device)
        if device in (DeviceAPI["None"], DeviceAPI.Host):
            return True
        if device is DeviceAPI.Default_GPU:
            return self.has_gpu_feature()
        return self.has_feature(FEATURE_OF_DEVICE[device])

    def natural_vector_size(self, type: Any) -> int:
        """The number of values of the type in one vector register; 1 where there are no such registers."""
        _require_type("natural_vector_size", type)
        if self.is_unknown():
            raise ArgumentError("Error: natural_vector_size cannot be used on a Target with Unknown values.")
        count: int = self._vector_bytes(type) // type.bytes()
        return max(1, count)

    def is_unknown(self) -> bool:
        """Whether os, arch or bits is unknown."""
        return self.os is TargetOS.OSUnknown or self.arch is TargetArch.ArchUnknown or self.bits == 0

    def _vector_bytes(self, type: Any) -> int:
        has = self.features().__contains__
        if self.arch is TargetArch.X86:
            integer = type.is_int_or_uint()
            if has(TargetFeature.AVX512_Skylake):
                return 64
            if has(TargetFeature.AVX512) and type.is_float() and type.bits() >= 32:
                return 64
            if has(TargetFeature.AVX2) or (has(TargetFeature.AVX) and not integer):
                return 32
            return 16
        if self.arch is TargetArch.Hexagon:
            return 128 if has(TargetFeature.HVX) else 1
        if self.arch is TargetArch.WebAssembly:
            return 16 if has(TargetFeature.WasmSimd128) else 1
        scalable = {TargetArch.ARM: TargetFeature.SVE2, TargetArch.RISCV: TargetFeature.RVV}.get(self.arch)
        if self._vector_bits and scalable is not None and has(scalable):
            return self._vector_bits // 8
        return 1 if self.arch is TargetArch.RISCV else 16

    def to_string(self) -> str:
        """The form that `Target(text)` reads; features are sorted."""
        words = [self.arch.text, str(self.bits), self.os.text]
        if self.processor_tune is not TargetProcessorTune.TuneGeneric:
            words.append(self.processor_tune.text)
        features = {feature.text for feature in self._features}
        if TRACE_FEATURES <= self._features:
            features = features - {feature.text for feature in TRACE_FEATURES} | {"trace_all"}
        if self.device:
            features.add(f"{_DEVICE}{self.device}")
        widths = [f"{_VECTOR_BITS}{self._vector_bits}"] if self._vector_bits else []
        return "-".join(words + sorted(features) + widths)

    @staticmethod
    def validate_target_string(name: str) -> bool:
        """Whether `Target(name)` is understood, and not empty."""
        require_instance("validate_target_string", str, name)
        if not name:
            return False
        try:
            Target(name)
        except ArgumentError:
            return False
        return True

    def _key(self) -> tuple[Any, ...]:
        return self.os, self.arch, self.bits, self.processor_tune, self._features, self.device, self._vector_bits

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Target) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        return self.to_string()

    def __repr__(self) -> str:
        return f"<halide.Target {self.to_string()}>"


# Before the name of a device.
_DEVICE = "device_"
# Before the width of scalable vectors.
_VECTOR_BITS = "vector_bits_"
_WORDS: dict[str, tuple[str, Any]] = {
    "host": ("host", None),
    "32": ("bits", 32),
    "64": ("bits", 64),
    "trace_all": ("features", TRACE_FEATURES),
    "hvx_128": ("features", frozenset({TargetFeature.HVX})),
    **{arch.text: ("arch", arch) for arch in TargetArch},
    **{os_.text: ("os", os_) for os_ in TargetOS},
    **{tune.text: ("processor_tune", tune) for tune in TargetProcessorTune},
    **{feature.text: ("features", frozenset({feature})) for feature in TargetFeature},
}


def _not_understood(text: str, word: str | None) -> ArgumentError:
    """The error about a word, or about a part that is missing (None)."""
    reason = (
        "One of arch, bits and os is missing."
        if word is None
        else f"The word {word!r} is unknown or names a part a second time."
    )
    return ArgumentError(
        f"Error: Did not understand Halide target {text}\n{reason}\n"
        "Expected format is arch-bits-os-processor-feature1-feature2-...\n"
        f"Where arch is: {', '.join(sorted(a.text for a in TargetArch))}.\n"
        "bits is either 32 or 64.\n"
        f"os is: {', '.join(sorted(o.text for o in TargetOS))}.\n"
        f"processor is: {', '.join(sorted(t.text for t in TargetProcessorTune))}.\n"
        "If arch, bits and os are omitted, the string must start with host.\n"
        f"features are: {', '.join(sorted(f.text for f in TargetFeature))}."
    )


def get_host_target() -> Target:
    """The machine that this process runs on, with its vector features.

    >>> hl.get_host_target().bits
    64
    """
    target = Target()
    target.os, target.arch, target.bits, target.processor_tune, target._features = host_parts()
    return target


def get_target_from_environment() -> Target:
    """The target that HL_TARGET names, else the host."""
    text = system.environ.get("HL_TARGET", "")
    return Target(text) if text else get_host_target()


def get_jit_target_from_environment() -> Target:
    """The target of code run in this process: the host, or what HL_JIT_TARGET names, with the feature jit."""
    host = get_host_target()
    text = system.environ.get("HL_JIT_TARGET", "")
    target = Target(text) if text else host
    if (target.os, target.arch, target.bits) != (host.os, host.arch, host.bits):
        raise ArgumentError(
            f"Error: HL_JIT_TARGET must match the host OS, architecture, and bit width.\n"
            f"HL_JIT_TARGET was {text}. Host is {host.to_string()}."
        )
    return target.with_feature(TargetFeature.JIT)


def target_feature_for_device_api(device: Any) -> TargetFeature:
    """The feature that code for this kind of device needs."""
    return FEATURE_OF_DEVICE.get(device, TargetFeature.FeatureEnd)


def require_target(method: str, target: Any) -> None:
    """Raises TypeError where `method` was given something else than a Target."""
    require_instance(method, Target, target)


def _require_type(method: str, value: Any) -> None:
    # A Type belongs to a layer above this one.
    if not hasattr(value, "is_int_or_uint"):
        raise TypeError(f"{method}(): incompatible function arguments: a Type is needed, not {value!r}")
