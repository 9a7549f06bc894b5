# `make run` and `make test` do the whole setup. `make help` lists the other targets.
PYTHON ?= python3
VENV ?= .venv
# As many workers as the machine has cores, or a number.
JOBS ?= logical
BIN = $(VENV)/bin
# Where this is set, each `bee` that a test starts would compile the whole program again.
unexport PYTHONDONTWRITEBYTECODE
READY = $(VENV)/.ready
READY_DEV = $(VENV)/.ready-dev
PIP = $(BIN)/pip install --quiet --disable-pip-version-check

.PHONY: help run test quick faults bench packages tools engines lint notebooks pictures accuracy reference lock clean

help:  ## describe each target
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

run: $(READY)  ## set everything up, run the pipeline, publish, and solve one puzzle
	$(BIN)/bee run
	$(BIN)/bee solve vctaoen
	@echo "Next: '. $(VENV)/bin/activate', then 'bee why luff' explains a word, 'bee site' makes the page, 'bee --help' shows the rest."

test: $(READY_DEV) lint  ## lint, types and tests, but not the long ones (make faults)
	$(BIN)/pytest -n $(JOBS)

quick: $(READY_DEV) lint  ## lint, types and the tests that need no browser, compiler, wheel or archive
	$(BIN)/pytest -n $(JOBS) -m "not slow and not live and not faults" --hypothesis-profile=quick

# Some tests need more than Python; without it they are skipped with a message.
tools:  ## install the tools that some tests need on Debian or Ubuntu, as root
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends gcc libc6-dev nodejs sqlite3
	apt-get install -y -qq --no-install-recommends chromium-headless-shell || \
	    apt-get install -y -qq --no-install-recommends chromium

# Half a minute and 190 MB; without it the tests of the page in the engine of Safari are skipped.
engines: $(READY_DEV)  ## install a second browser engine for the tests on Debian or Ubuntu, as root
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends webkit2gtk-driver xvfb
	$(PIP) selenium==4.51.0

lint: $(READY_DEV)  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# Takes an hour on two cores. The weekly workflow `faults` runs it, too.
faults: $(READY_DEV)  ## the long tests: kills, a simulated year
	$(BIN)/pytest -n $(JOBS) -m faults -rP

# BENCH holds options, as in BENCH='--turns 0' for solvers only; `make bench BENCH=--help` lists them.
bench: $(READY)  ## time commands, pipeline runs and solvers
	$(BIN)/python -m benchmarks $(BENCH)

packages: $(READY)  ## build the packages of the list for Python and npm into dist, and try them
	$(BIN)/python -m packages --to dist
	PYTHON=$(abspath $(BIN))/python packages/try.sh dist "$$(mktemp -d)"

# Runs every notebook on the puzzles on disk and renders it into site/notebooks, which git ignores.
notebooks: $(READY_DEV)  ## run and render the notebooks
	$(BIN)/bee run
	$(BIN)/jupyter nbconvert --config notebooks/nbconvert.json --execute --to html --output-dir site/notebooks notebooks/*.ipynb

# Makes the pictures of the README; needs `make tools`.
pictures: $(READY_DEV)  ## make the pictures of the README
	$(BIN)/python docs/pictures.py docs/pictures

# Needs the official puzzles. LISTS names public lists to score as NAME=FILE.
accuracy: $(READY_DEV)  ## write docs/ACCURACY.md with its tables and plots
	$(BIN)/python -m docs.accuracy --to docs $(LISTS)

reference: $(READY_DEV)  ## write docs/CLI.md from the commands
	$(BIN)/python docs/reference.py

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

$(READY_DEV): $(READY) requirements-dev.lock
	$(PIP) --require-hashes -r requirements-dev.lock
	touch $@

COMPILE = uv --quiet pip compile --universal --python-version 3.11 --generate-hashes --no-annotate \
    --custom-compile-command "make lock" pyproject.toml

lock:  ## pin all packages again; needs uv
	$(COMPILE) --all-extras -o requirements-dev.lock
	$(COMPILE) --extra build --constraint requirements-dev.lock -o requirements.lock

clean:  ## remove all generated files
	rm -rf $(VENV) data/build .pytest_cache .mypy_cache .ruff_cache dist
