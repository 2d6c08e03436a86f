"""Pipelines that judge the search: what users of OpenCV, scikit-image, Kornia, ISP toolchains and small networks run.

Half of them (`Entry.is_reported`, by a hash of the name) is reported only: no constant, weight or rule is chosen by it.
"""
