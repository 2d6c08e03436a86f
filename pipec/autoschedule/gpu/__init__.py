"""Schedules for GPUs: the space of kernels, their price by what a device can do, and their directives."""
