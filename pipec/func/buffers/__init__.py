"""Buffers: arrays with minimum coordinates that share memory with numpy, torch and devices.

In: foreign arrays. Out: `Buffer` objects, and numpy views of them.
"""
