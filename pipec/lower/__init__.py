"""Lowering: from frozen definitions and a Schedule to a Program of loops, loads and stores.

In: a PipelineDef and a Schedule. Out: an `ir.program.Program`. `pipeline` lists the passes in order; `lower` runs them.
"""
