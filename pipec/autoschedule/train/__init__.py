"""Training data and the training of the cost model: `python -m pipec.autoschedule.train collect|export|fit|judge`."""
