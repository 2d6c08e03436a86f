"""The scheduling methods of Funcs and stages, rfactor and the proofs of associativity that it needs.

In: calls such as `f.tile(...)`. Out: records of `pipec.schedule`.
"""
