"""The documentation site: pages that the build generates, and the hooks through which mkdocs calls them.

In: docs/, the lessons, notebooks and applications, docstrings. Out: pages and pictures for mkdocs (`make docs`).
"""
