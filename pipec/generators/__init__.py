"""Generators: classes that describe families of pipelines, to be called, compiled or emitted as files."""
