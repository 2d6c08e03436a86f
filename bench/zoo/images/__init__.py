"""Pipelines on pictures: cameras, denoisers, edges, flow and stereo, pyramids, morphology, colour, warps."""
