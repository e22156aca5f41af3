# The two commands of the README, and the checks that a change must pass.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test quick times processors lint type format golden docs reference reference-balance reference-train notebooks \
	clean

demo: $(VENV)/base.stamp  ## install the base and balance the quickstart
	$(BIN)/evenhand balance quickstart

test: $(VENV)/all.stamp  ## install all extras, run all tests but those that take minutes
	$(BIN)/python -m pytest -m "not slow"

quick: $(VENV)/all.stamp  ## a core of tests, and those named for what has changed: seconds
	$(BIN)/python -m tests.quick

times: $(VENV)/all.stamp  ## how long the three loops of testing take here
	@for loop in "-m tests.quick" "-m pytest -q" "-m pytest -q -m 'not slow'"; do \
		begun=$$(date +%s); \
		eval "$(BIN)/python $$loop" >/dev/null && passed=passed || passed=FAILED; \
		echo "$$(($$(date +%s) - begun)) s  $$passed  python $$loop"; \
	done

# Left out are counts of games, whole numbers within limits, rates of blind trials, and explanations of
# unreachable targets: none of them depends on the last bits of numpy's floats, see tests/processors.py.
processors: $(VENV)/all.stamp  ## the tests of the science once more, as on another processor
	$(BIN)/python -m tests.processors Prescott -m pytest tests/balance \
		tests/conformance/test_optimiser_conformance.py tests/conformance/test_method_conformance.py \
		$(addprefix --ignore tests/balance/test_,budget.py explanation.py guard_trials.py limits.py)

lint: $(VENV)/all.stamp
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .

type: $(VENV)/all.stamp
	$(BIN)/python -m mypy

format: $(VENV)/all.stamp
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

golden: $(VENV)/all.stamp  ## rewrite the golden playthroughs
	$(BIN)/python -m pytest tests/sim --update-goldens

docs: $(VENV)/all.stamp  ## rewrite the tables that are generated from the code
	$(BIN)/python docs/generate_tables.py

reference: reference-balance reference-train  ## make the runs of results/reference anew

reference-balance: $(VENV)/all.stamp
	rm -rf results/reference/quickstart-* results/reference/quickstart_scripts-*
	$(BIN)/evenhand balance quickstart --results results/reference --no-plots
	$(BIN)/evenhand balance quickstart_scripts --results results/reference --no-plots
	rm -f results/reference/quickstart*/*.parquet results/reference/tries.json

reference-train: $(VENV)/all.stamp  # some six minutes of one core
	rm -rf results/reference/thesis_dqn_variants-*
	$(BIN)/evenhand train thesis_dqn_variants --results results/reference --no-plots
	rm -f results/reference/thesis_dqn_variants-*/*.pt

notebooks: $(VENV)/all.stamp  ## execute the notebooks and write their outputs
	$(BIN)/python notebooks/execute.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/base.stamp: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	@touch $@

$(VENV)/all.stamp: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[all,dev]"
	@touch $@ $(VENV)/base.stamp

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
