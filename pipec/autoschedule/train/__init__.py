"""Training data and the training of the cost model: `python -m pipec.autoschedule.train collect|export|fit|judge`.

In: seeds of random pipelines. Out: measured schedules as archives, weights of the network, and scores of models.
"""
