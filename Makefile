# Every target does its own set-up: a virtual environment in .venv, made anew when its inputs change.
PYTHON ?= python3
MINUTES ?= 10
READY := .venv/ready
BIN := .venv/bin

.PHONY: demo learn test pytest bench bench-autoschedule bench-strategies bench-zoo bench-autodiff bench-gpu bench-scale docs dist try-dist fuzz lint clean
.DELETE_ON_ERROR:

demo: $(READY)
	$(BIN)/python -m apps.demo

# Pipelines whose filters learn: figures, and pictures in out/.
learn: $(READY)
	$(BIN)/python -m apps.learn

# Lint runs beside the tests; both report.
test: $(READY)
	$(MAKE) --jobs=2 --keep-going lint pytest

pytest: $(READY)
	$(BIN)/python -m pytest -n 2 --dist worksteal

bench: $(READY)
	$(BIN)/python -m bench

# BUDGET="5 min": also by measuring, for that long for each application.
bench-autoschedule: $(READY)
	$(BIN)/python -m bench.autoschedule $(if $(BUDGET),--tune "$(BUDGET)")

# All search strategies with the same budget of CPU time. TRIALS=200: that many measured schedules each instead.
bench-strategies: $(READY)
	$(BIN)/python -m bench.autoschedule.strategies $(if $(TRIALS),--trials $(TRIALS),--measure)

# Half of the zoo is only reported. BUDGET="1 min": also by measuring, for that long for each pipeline.
bench-zoo: $(READY)
	$(BIN)/python -m bench.zoo $(if $(BUDGET),--tune "$(BUDGET)")

bench-autodiff: $(READY)
	$(BIN)/python -m bench.autodiff

# On the first GPU, or on the device that PIPEC_DEVICE names.
bench-gpu: $(READY)
	$(BIN)/python -m bench.gpu --wheel --torch cuda
	$(BIN)/python -m bench.gpu.launches

# Tiles of a gigapixel from and to zarr, dask, a stream of frames. MEGAPIXELS=100 for a shorter one.
bench-scale: $(READY)
	$(BIN)/python -m bench.scale $(if $(MEGAPIXELS),--megapixels $(MEGAPIXELS))

# The site in out/site; warnings are errors. The variable silences the theme's notice about the next mkdocs.
docs: $(READY)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[docs]'
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

# Wheel and sdist in out/dist, checked.
dist: $(READY)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[packaging]'
	rm -rf out/dist
	$(BIN)/python -m build --outdir out/dist
	$(BIN)/twine check --strict out/dist/*

# The wheel in a new environment of each Python. PYTHONS="python3.12 /opt/python": of these.
try-dist: dist
	$(BIN)/python -m tools.clean_install $(PYTHONS)

fuzz: $(READY)
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m tools.dead_code

# Without --no-compile two thirds of the time go into bytecode of modules that nothing imports.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv --clear .venv
	$(BIN)/pip install --quiet --no-compile --constraint constraints.txt --editable '.[test]'
	touch $@

clean:
	rm -rf .venv out .mypy_cache .pytest_cache .ruff_cache
