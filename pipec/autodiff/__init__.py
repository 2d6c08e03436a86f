"""Reverse-mode differentiation of pipelines: Funcs in, Funcs out."""
