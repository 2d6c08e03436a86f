"""Pipelines: definitions and schedules compiled and run."""
