"""Lesson 3: looking inside - printing from the pipeline, tracing, and reading the loops."""

import pipec as hl

x, y = hl.vars("x y")

# print gives its first argument as value, and writes all of them each time it is evaluated.
printing = hl.Func("printing")
printing[x, y] = hl.print(x * y, "at column", x, "row", y)
printing.realize([3, 2])

# print_when writes only where its condition holds; the interesting pixel is often a single one.
rare = hl.Func("rare")
rare[x, y] = hl.print_when((x == 3) & (y == 2), x * 10 + y, "<- this one is at", x, y)
rare.realize([5, 4])

# trace_stores reports every value as it is stored, in the order in which the loops run.
columns_first = hl.Func("columns_first")
columns_first[x, y] = x + 10 * y
columns_first.trace_stores()
columns_first.reorder(y, x)
columns_first.realize([2, 3])

# An Expr is shown as its type and formula: str(x * 2 + hl.min(y, 7)) or print(...) in Python.
formula = str(x * 2 + hl.min(y, 7))
print("the formula names its parts:", all(part in formula for part in ("int32", "x", "min", "7")))

# compile_to_lowered_stmt writes the loops that a schedule makes, and print_loop_nest their outline.
blurred = hl.Func("blurred")
blurred[x, y] = (columns_first[x, y] + columns_first[x, y + 1]) / 2
blurred.compile_to_lowered_stmt("blurred.stmt", [])
with open("blurred.stmt") as file:
    print("the lowered program has loops:", "for " in file.read())
