"""Lesson 9: emission - object files, headers and other forms of a compiled pipeline.

A pipeline can be compiled ahead of time and linked into a C program that knows nothing of Python.
"""

import os

import pipec as hl

x, y = hl.vars("x y")
image = hl.ImageParam(hl.UInt(8), 2, "image")
offset = hl.Param(hl.UInt(8), "offset")
lighten = hl.Func("lighten")
lighten[x, y] = image[x, y] + offset
lighten.vectorize(x, 16).parallel(y)

# The arguments of the C function, in order; the output buffer comes last by itself.
arguments = [image, offset]

# lighten.h declares the function, lighten.a holds it and what it needs at run time. Link with -lpthread -ldl.
lighten.compile_to_static_library("lighten", arguments)
print("library:", os.path.exists("lighten.a"), "header:", "int lighten(" in open("lighten.h").read())

# Single files, for this machine ...
lighten.compile_to_object("lighten.o", arguments, "lighten")
lighten.compile_to_llvm_assembly("lighten.ll", arguments, "lighten")
lighten.compile_to_assembly("lighten.s", arguments, "lighten")
print("object is ELF:", open("lighten.o", "rb").read(4) == b"\x7fELF")
print("assembly names it:", "lighten" in open("lighten.s").read())

# ... or for another one: an object file for 64-bit ARM, made here.
arm = hl.Target("arm-64-linux-no_runtime")
lighten.compile_to_object("lighten_arm.o", arguments, "lighten", arm)
machine = int.from_bytes(open("lighten_arm.o", "rb").read(20)[18:20], "little")
print("machine code of the second object:", {183: "aarch64", 62: "x86-64"}[machine])

# C source, for machines that LLVM does not know, or to read.
lighten.compile_to_c("lighten.c", arguments, "lighten")
print("C source has loops:", "for (" in open("lighten.c").read())

# Several forms at once, named by their kind.
lighten.compile_to({hl.OutputFileType.stmt: "lighten.stmt", hl.OutputFileType.object: "again.o"}, arguments, "lighten")
print("both written:", os.path.exists("lighten.stmt") and os.path.exists("again.o"))
