"""Gradients against central differences: each program is evaluated in float64 by the definitions evaluator."""
