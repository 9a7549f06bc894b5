# Two commands do all set-up: `make run` and `make test`. The rest is for those who work on the project.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready

.PHONY: run test lint lock clean

run: $(READY)
	$(BIN)/bee run
	$(BIN)/bee solve vctaoen

test: $(READY) lint
	$(BIN)/pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

lock:
	uv --quiet pip compile --universal --python-version 3.11 --all-extras --generate-hashes \
	    --no-annotate --custom-compile-command "make lock" pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) data/build .pytest_cache .mypy_cache .ruff_cache dist
