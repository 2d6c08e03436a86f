"""Object files of x86-64 Linux loaded into this process without LLVM, whose import alone takes longer than all else.

It supports what LLVM's small position-independent code needs; for anything else `load` returns None, and LLVM's own
linker takes over.
"""

from __future__ import annotations

import ctypes
import mmap
import platform
import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pipec.jit.llvm.engine import engine
from pipec.jit.objects.packing import unpacked

# Of the ELF and x86-64 ABI documents.
_RELOCATABLE, _X86_64 = 1, 62
_PROGBITS, _SYMTAB, _RELA, _NOBITS = 1, 2, 4, 8
_WRITE, _ALLOC, _CODE = 1, 2, 4
_ABSOLUTE, _RESERVED = 0xFFF1, 0xFF00
_R_64, _R_PC32, _R_PLT32, _R_GOTPCREL, _R_PC64, _R_GOTPCRELX, _R_REX_GOTPCRELX = 1, 2, 4, 9, 24, 41, 42
_IGNORED = (".eh_frame", ".rela.eh_frame")

_HEADER = struct.Struct("<16xHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
# jmp [rip + 0], followed by the address.
_JUMP = b"\xff\x25\x00\x00\x00\x00"
_STUB_BYTES = 16


class UnsupportedObject(Exception):
    """The object has a feature that this loader does not support."""


class Section(NamedTuple):
    """A section header of an ELF file."""

    name: str
    kind: int
    flags: int
    offset: int
    size: int
    info: int
    alignment: int


class ElfSymbol(NamedTuple):
    """An entry of the symbol table: name, section index, offset in the section."""

    name: str
    section: int
    value: int


class LoadedObject:
    """Code and data of an object in memory; `image[name]` is the address of a symbol. Lives as long as it is held."""

    def __init__(self, memory: mmap.mmap, symbols: Mapping[str, int]) -> None:
        self.memory = memory
        self.symbols = symbols

    def __getitem__(self, name: str) -> int:
        return self.symbols[name]


def load(data: bytes, exports: tuple[str, ...], imports: Mapping[str, int]) -> LoadedObject | None:
    """The loaded object, or None if LLVM has to load it."""
    if platform.machine() != "x86_64" or platform.system() != "Linux":
        return None
    try:
        return _Loader(data, imports).image(exports)
    except (UnsupportedObject, struct.error, IndexError, OSError, ValueError):
        return None


class _Loader:
    def __init__(self, data: bytes, imports: Mapping[str, int]) -> None:
        self.data = data
        self.imports = imports
        self.sections = self._read_sections()
        self.symbols = self._read_symbols()
        self.places: dict[int, int] = {}  # of the sections that are loaded, in the image
        self.slots: dict[str, int] = {}  # offsets of the addresses of symbols in the image
        self.stubs: dict[str, int] = {}  # jumps to functions elsewhere, which may be too far for a call

    def _read_sections(self) -> list[Section]:
        if self.data[:6] != b"\x7fELF\x02\x01":
            raise UnsupportedObject
        kind, machine, _, _, _, start, _, _, _, _, size, count, names = _HEADER.unpack_from(self.data)
        if kind != _RELOCATABLE or machine != _X86_64 or size != _SECTION.size:
            raise UnsupportedObject
        raw = [_SECTION.unpack_from(self.data, start + i * size) for i in range(count)]
        sections = []
        for name, kind, flags, _, offset, length, _, info, alignment, _ in raw:
            sections.append(
                Section(self._text(raw[names][4] + name), kind, flags, offset, length, info, alignment or 1)
            )
        return sections

    def _text(self, at: int) -> str:
        return self.data[at : self.data.index(b"\0", at)].decode()

    def _read_symbols(self) -> list[ElfSymbol]:
        symbols = []
        for i, section in enumerate(self.sections):
            if section.kind == _SYMTAB:
                _, _, _, _, _, _, link, *_ = _SECTION.unpack_from(self.data, self._section_header(i))
                names = self.sections[link].offset
                for at in range(section.offset, section.offset + section.size, _SYMBOL.size):
                    name, _, _, index, value, _ = _SYMBOL.unpack_from(self.data, at)
                    symbols.append(ElfSymbol(self._text(names + name), index, value))
        return symbols

    def _section_header(self, index: int) -> int:
        start = int(_HEADER.unpack_from(self.data)[5])
        return start + index * _SECTION.size

    def image(self, exports: tuple[str, ...]) -> LoadedObject:
        relocations = self._relocations()
        size, ends = self._lay_out(relocations)
        # Private: the child of a fork has variables of its own.
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        memory = mmap.mmap(-1, size, flags=flags, prot=mmap.PROT_READ | mmap.PROT_WRITE)
        base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        for index, place in self.places.items():
            section = self.sections[index]
            if section.kind == _PROGBITS:
                memory[place : place + section.size] = self.data[section.offset : section.offset + section.size]
        for name, at in self.stubs.items():
            memory[at : at + 14] = _JUMP + struct.pack("<Q", self._outside(name))
        for name, at in self.slots.items():
            own = [s for s in self.symbols if s.name == name and s.section]
            memory[at : at + 8] = struct.pack("<Q", self._address(own[0], base) if own else self._outside(name))
        for where, kind, symbol, addend in relocations:
            self._relocate(memory, base, where, kind, symbol, addend)
        self._protect(base, ends)
        named = {s.name: self._address(s, base) for s in self.symbols if s.name in exports and s.section}
        if len(named) != len(exports):
            raise UnsupportedObject
        return LoadedObject(memory, named)

    def _relocations(self) -> list[tuple[tuple[int, int], int, ElfSymbol, int]]:
        """((section, offset), kind, symbol, addend) of all that must be patched."""
        relocations = []
        for section in self.sections:
            if section.kind != _RELA or section.name in _IGNORED:
                continue
            if not self.sections[section.info].flags & _ALLOC:
                continue
            for at in range(section.offset, section.offset + section.size, _RELOCATION.size):
                offset, info, addend = _RELOCATION.unpack_from(self.data, at)
                relocations.append(((section.info, offset), info & 0xFFFFFFFF, self.symbols[info >> 32], addend))
        return relocations

    def _lay_out(self, relocations: list[tuple[tuple[int, int], int, ElfSymbol, int]]) -> tuple[int, list[int]]:
        """Places for code, constants and variables, each from a new page on; the ends of the three."""
        position = 0
        ends = []
        for flags in (_CODE, 0, _WRITE):
            for index, section in enumerate(self.sections):
                loaded = section.flags & _ALLOC and section.name not in _IGNORED
                if loaded and section.flags & (_CODE | _WRITE) == flags:
                    if section.kind not in (_PROGBITS, _NOBITS):
                        raise UnsupportedObject
                    position = -(-position // section.alignment) * section.alignment
                    self.places[index] = position
                    position += section.size
            position = -(-position // _STUB_BYTES) * _STUB_BYTES
            for _, kind, symbol, _ in relocations:
                if flags == _CODE and kind == _R_PLT32 and not symbol.section and symbol.name not in self.stubs:
                    self.stubs[symbol.name] = position
                    position += _STUB_BYTES
                if not flags and kind in (_R_GOTPCREL, _R_GOTPCRELX, _R_REX_GOTPCRELX):
                    if symbol.name not in self.slots:
                        self.slots[symbol.name] = position
                        position += 8
            position = -(-position // mmap.PAGESIZE) * mmap.PAGESIZE
            ends.append(position)
        return max(position, mmap.PAGESIZE), ends

    def _relocate(
        self, memory: mmap.mmap, base: int, place: tuple[int, int], kind: int, symbol: ElfSymbol, addend: int
    ) -> None:
        at = self.places[place[0]] + place[1]
        if kind in (_R_GOTPCREL, _R_GOTPCRELX, _R_REX_GOTPCRELX):
            target = base + self.slots[symbol.name]
        elif kind == _R_PLT32 and not symbol.section:
            target = base + self.stubs[symbol.name]
        elif kind in (_R_64, _R_PC32, _R_PLT32, _R_PC64) and symbol.section:
            target = self._address(symbol, base)
        else:
            raise UnsupportedObject
        value = target + addend - (0 if kind == _R_64 else base + at)
        struct.pack_into("<q" if kind in (_R_64, _R_PC64) else "<i", memory, at, value)

    def _address(self, symbol: ElfSymbol, base: int) -> int:
        if symbol.section == _ABSOLUTE:
            return symbol.value
        if symbol.section >= _RESERVED or symbol.section not in self.places:
            raise UnsupportedObject
        return base + self.places[symbol.section] + symbol.value

    def _outside(self, name: str) -> int:
        """The address of a function that the object does not define."""
        if name in self.imports:
            return self.imports[name]
        for library in (None, "libm.so.6"):
            try:
                address = ctypes.cast(getattr(ctypes.CDLL(library), name), ctypes.c_void_p).value
            except (AttributeError, OSError):
                continue
            if address is not None:
                return address
        raise UnsupportedObject

    def _protect(self, base: int, ends: list[int]) -> None:
        protect = ctypes.CDLL(None, use_errno=True).mprotect
        protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        start = 0
        for end, allowed in zip(ends, (mmap.PROT_READ | mmap.PROT_EXEC, mmap.PROT_READ), strict=False):
            if end > start and protect(base + start, end - start, allowed) != 0:
                raise OSError(ctypes.get_errno(), "mprotect")
            start = end


class LoadedParts:
    """The last part of a program, and those before it that it calls."""

    def __init__(self, last: Any, others: Sequence[Any]) -> None:
        self.last, self.others = last, others

    def __getitem__(self, name: str) -> int:
        address: int = self.last[name]
        return address


def link(data: bytes, exports: tuple[str, ...], imports: Mapping[str, int]) -> Any:
    """Something that keeps the code of an object, or of several in one, loaded.

    It gives the addresses of `exports` by name.
    """
    *others, (last, _) = unpacked(data)
    if not others:
        return _link(last, exports, imports)
    loaded = [_link(part, names, imports) for part, names in others]
    tasks = {name: image[name] for image, (_, names) in zip(loaded, others, strict=True) for name in names}
    return LoadedParts(_link(last, exports, {**imports, **tasks}), loaded)


def _link(data: bytes, exports: tuple[str, ...], imports: Mapping[str, int]) -> Any:
    image = load(data, exports, imports)
    return image if image is not None else engine().link(data, exports, imports, process=True)
