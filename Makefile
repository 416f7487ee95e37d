# Everything runs in .venv, which the first target that needs it sets up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
MODELS := sc tso pso ra rc11 power
COUNT ?= 5000

.PHONY: demo test lint bench fuzz mutations results clean

demo: $(READY)
	$(BIN)/hybrid verify

test: $(READY)
	$(BIN)/pytest -n auto

lint: $(READY)
	$(BIN)/ruff check hybrid tests
	$(BIN)/ruff format --check hybrid tests
	$(BIN)/mypy

bench: $(READY)
	$(BIN)/hybrid bench rsmc

# Engines against each other on random programs, COUNT for each model: some minutes a model.
fuzz: $(READY)
	for model in $(MODELS); do \
	  $(BIN)/hybrid fuzz --engines rsmc,enumerate --model $$model --count $(COUNT) --seed 1 || exit; \
	done

# Ten thousand damaged programs and as many damaged models, end to end.
mutations: $(READY)
	HYBRID_MUTATIONS=10000 $(BIN)/pytest -n auto tests/test_mutations.py

# The tables in results/; each names the command that made it.
results: $(READY)
	$(BIN)/python results/make.py $(BIN)/hybrid

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
