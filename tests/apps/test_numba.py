"""The numba versions that the benchmark measures match the references, as plain Python: compiling takes long."""

import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("numba")

CODE = """
import json, warnings
import numpy as np
from apps.registry import APPS
from bench.numba_filters import FILTERS
warnings.simplefilter("ignore")
apart = {}
for name, function in FILTERS.items():
    app = APPS[name]
    size = (37, 21, *app.test_size[2:])
    images, output = app.example(size), app.empty_output(size)
    function(images, app.settings, output)
    difference = np.abs(app.reference(images, app.settings).astype(np.float64) - output).max()
    apart[name] = [float(difference), app.tolerance]
print(json.dumps(apart))
"""


def test_numba_versions_match_the_references():
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    apart = json.loads(done.stdout)
    assert len(apart) == 6
    assert {name: values for name, values in apart.items() if values[0] > values[1]} == {}
