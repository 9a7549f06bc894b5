# Two commands do all set-up: `make run` and `make test`. The rest is for those who work on the project.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
READY = $(VENV)/.ready
READY_DEV = $(VENV)/.ready-dev
PIP = $(BIN)/pip install --quiet --disable-pip-version-check

.PHONY: run test tools lint notebooks pictures lock clean

run: $(READY)
	$(BIN)/bee run
	$(BIN)/bee solve vctaoen

test: $(READY_DEV) lint
	$(BIN)/pytest

# What some tests need beside Python; without it they are skipped and say so.
tools:
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends chromium g++ hunspell nodejs sqlite3

lint: $(READY_DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Runs every notebook on the puzzles at hand and renders it into docs/notebooks.
notebooks: $(READY_DEV)
	$(BIN)/bee run
	$(BIN)/python notebooks/render.py --pair

# Makes the pictures of the README; needs `make tools`.
pictures: $(READY_DEV)
	$(BIN)/python docs/pictures.py docs/pictures

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

lock:
	$(COMPILE) --all-extras -o requirements-dev.lock
	$(COMPILE) --extra curate --extra build --constraint requirements-dev.lock -o requirements.lock

clean:
	rm -rf $(VENV) data/build .pytest_cache .mypy_cache .ruff_cache dist
