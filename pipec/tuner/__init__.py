"""A tuner for any function of typed parameters: an ensemble of search techniques, of which a bandit chooses.

In: knobs (typed parameters) and a function that measures a configuration. Out: the best configuration, and all trials.
After OpenTuner (Ansel et al., PACT 2014).
"""

from pipec.tuner.knobs import Categorical, Integer, Knob, KnobSpace, Ordering, PowerOfTwo, Real
from pipec.tuner.techniques import Context, Technique, register, techniques
from pipec.tuner.tune import TuneResult, tune

__all__ = [
    "Categorical",
    "Context",
    "Integer",
    "Knob",
    "KnobSpace",
    "Ordering",
    "PowerOfTwo",
    "Real",
    "Technique",
    "TuneResult",
    "register",
    "techniques",
    "tune",
]
