"""Associative reduction factoring (rfactor): which updates are factored, how, and the definitions that result.

In: a definition, or the Dag of one. Out: factorings, definitions and Dags with intermediate Funcs, the best of several.
"""
