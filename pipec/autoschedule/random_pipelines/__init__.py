"""Random pipelines: what the cost model learns from and the search is tested on."""

from pipec.autoschedule.random_pipelines.pipeline import VERSION, RandomPipeline, random_pipeline

__all__ = ["VERSION", "RandomPipeline", "random_pipeline"]
