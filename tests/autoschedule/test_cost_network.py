"""The network of costs begins as the roofline, learns from measured states, and its weights survive a file."""

from __future__ import annotations

import numpy as np
import pytest

import pipec as hl
from pipec.autoschedule.cost.fit import Sample, batch_of, fit, judge, split
from pipec.autoschedule.cost.fit_roofline import PRIOR, fitted_coefficients
from pipec.autoschedule.cost.model import Roofline
from pipec.autoschedule.cost.network import Blend, Network, Weights
from pipec.autoschedule.dag.dag import TYPE_CLASSES, Operation
from pipec.autoschedule.features.features import TERMS, StageFeatures, terms
from pipec.errors import ArgumentError

COLUMNS = len(StageFeatures._fields)


def samples(pipelines=6, states=12, seed=0):
    """States of two stages whose seconds follow the roofline, except that three terms cost next to nothing."""
    rng = np.random.default_rng(seed)
    result = []
    for pipeline in range(pipelines):
        for _ in range(states):
            features = np.exp(rng.uniform(0, 14, (2, COLUMNS)))
            features[:, StageFeatures._fields.index("tasks")] = rng.integers(1, 40, 2)
            features[:, StageFeatures._fields.index("threads")] = 2
            operations = rng.integers(0, 9, (2, len(Operation) * len(TYPE_CLASSES))).astype(float)
            sample = Sample(f"pipeline {pipeline}", "here", features, operations, 1.0)
            batch = batch_of([sample])
            evaluated = Roofline().costs(batch) * terms(features, Roofline().machine)
            for name in ("jumps", "bound", "code"):
                evaluated[:, TERMS.index(name)] *= 1e-2
            result.append(Sample(sample.pipeline, "here", features, operations, float(evaluated.sum())))
    return result


def test_before_training_costs_are_those_of_the_roofline():
    batch = batch_of(samples())
    assert Network(Weights.start()).predict(batch) == pytest.approx(Roofline().predict(batch))


def test_costs_are_positive_and_the_rows_of_a_state_add_up():
    batch = batch_of(samples())
    network = Network(fit(samples(), epochs=3))
    assert (network.costs(batch) > 0).all()
    whole = batch.summed(network.predict(batch))
    assert len(whole) == batch.owners
    assert whole.sum() == pytest.approx(network.predict(batch).sum())


def test_training_ranks_better_than_the_roofline_what_the_roofline_costs_wrongly():
    trained = Network(fit(samples(seed=1), epochs=30, rate=1e-2))
    held = samples(seed=2)
    before, after = judge(Roofline, held)[""], judge(lambda _: trained, held)[""]
    assert after.spearman > before.spearman
    assert after.pairwise > before.pairwise


def test_the_same_seed_gives_the_same_weights():
    a, b = fit(samples(2), epochs=2, seed=5), fit(samples(2), epochs=2, seed=5)
    assert (a.last == b.last).all() and (a.first == b.first).all()


def test_weights_survive_a_file_and_others_features_are_refused(tmp_path):
    weights, batch = fit(samples(2), epochs=2), batch_of(samples())
    weights.save(tmp_path / "weights.npz")
    second = Weights.load(tmp_path / "weights.npz")
    assert Network(second).predict(batch) == pytest.approx(Network(weights).predict(batch), rel=1e-4)
    with np.load(tmp_path / "weights.npz") as file:
        arrays = dict(file)
    np.savez(tmp_path / "other.npz", **{**arrays, "features": np.array(["width"])})
    with pytest.raises(ArgumentError, match="other features"):
        Weights.load(tmp_path / "other.npz")


def test_all_states_of_a_pipeline_are_on_the_same_side_of_the_split():
    training, held = split(samples(pipelines=40))
    assert held and training
    assert not {s.pipeline for s in training} & {s.pipeline for s in held}
    assert len(training) + len(held) == len(samples(pipelines=40))


def test_the_blend_predicts_the_geometric_mean_and_its_costs_add_up_to_it():
    batch = batch_of(samples())
    first, second = Roofline(), Network(fit(samples(2), epochs=2))
    blend = Blend(first, second)
    predicted = blend.predict(batch)
    assert predicted**2 == pytest.approx(first.predict(batch) * second.predict(batch))
    assert (blend.costs(batch) * terms(batch.features, blend.machine)).sum(1) == pytest.approx(predicted)


@pytest.mark.parametrize("model", ["network", "blend", None])
@pytest.mark.part(2)
def test_searches_may_go_by_the_weights_that_are_shipped(model):
    x, y = hl.vars("x y")
    image = hl.Buffer(np.arange(66 * 40, dtype=np.float32).reshape(40, 66))
    across, down = hl.funcs("across down")
    across[x, y] = image[x, y] + image[x + 1, y] + image[x + 2, y]
    down[x, y] = across[x, y] + across[x, y + 1]
    expected = down.realize([64, 32]).numpy().copy()
    result = hl.Pipeline(down).autoschedule(sizes=[64, 32], model=model, threads=2, verify=False)
    assert result.predicted_ms > 0
    assert (down.realize([64, 32]).numpy() == expected).all()


def test_the_fitted_roofline_predicts_what_was_measured():
    archives = [samples(seed=1), samples(seed=2)]
    coefficients = fitted_coefficients(archives)
    held = samples(seed=3)
    costs = [coefficients[name] for name in TERMS]
    predicted = [float((terms(sample.features, sample.machine) @ costs).sum()) for sample in held]
    before = batch_of(held).summed(Roofline().predict(batch_of(held)))
    times = np.array([sample.seconds for sample in held])
    assert np.abs(np.log(times / predicted)).mean() < 0.3 * np.abs(np.log(times / before)).mean()
    assert coefficients["jumps"] < 0.5 * PRIOR["jumps"]
