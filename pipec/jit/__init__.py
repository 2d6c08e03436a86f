"""Back ends: lowered Programs as machine code, C99, OpenCL and object files, and the runtime that they call.

In: an `ir.program.Program` and a Target. Out: callable code or files. Nothing here knows of Funcs or schedules.
"""
