"""Li2018: a schedule by rules, without a search, made for gradients.

In: a pipeline and the expected sizes. Out: definitions rewritten for speed, and one state of the search's space.

After T.-M. Li et al., "Differentiable programming for image processing and deep learning in Halide" (SIGGRAPH 2018).
"""
