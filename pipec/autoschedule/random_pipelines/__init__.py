"""Random pipelines, from which the cost model learns and on which the search is tested.

In: a seed, a version and a scale. Out: the same pipeline in every process, with sizes and a task for the measurer.
"""

from pipec.autoschedule.random_pipelines.pipeline import VERSION, RandomPipeline, random_pipeline

__all__ = ["VERSION", "RandomPipeline", "random_pipeline"]
