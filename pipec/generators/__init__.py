"""Generators: classes that describe families of pipelines, to be called, compiled or emitted as files.

In: a generator's class with values of its parameters. Out: a Callable, or the files that the command line names.
"""
