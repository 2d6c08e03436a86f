"""The algebra of indices and regions: linear forms, constant ranges, conditions, simplification, intervals, boxes.

In: expressions, and what is known of their variables. Out: simplified expressions, proofs, and the regions they cover.
"""
