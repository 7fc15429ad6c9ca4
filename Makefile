# Two commands do everything on a fresh Debian 12: `make demo` and `make test`.
SHELL := /bin/bash
PYTHON ?= python3
VENV ?= .venv
BUILD ?= build
JOBS ?= $(shell nproc)
PY := $(VENV)/bin/python
ENV := SIXRUNG_BUILD=$(CURDIR)/$(BUILD) PYTHONPATH=$(CURDIR)/$(BUILD)/python PATH=$(CURDIR)/$(BUILD)/bin:$(CURDIR)/$(VENV)/bin:$$PATH

export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1

.PHONY: help setup build product demo test check wheel sanitize sanitize-threads bench format clean

help:
	@echo "make demo      install, build, convert a real model, run it, compare with PyTorch"
	@echo "make test      install, build, run every test"
	@echo "make check     the fast tests, under a minute once built"
	@echo "make wheel     build the wheel, install it alone, make and check a plugin with it"
	@echo "make sanitize  core tests under ASan+UBSan, sessions at once under TSan, the fuzzers for some minutes"
	@echo "make sanitize-threads   the TSan part alone"
	@echo "make bench     sixrung against coreai-torch, side by side"
	@echo "make format    clang-format and ruff"

# --- set-up -------------------------------------------------------------------
$(VENV)/.ready: pyproject.toml .ci/packages.txt .ci/python_packages
	@.ci/system_packages
	@test -x $(PY) || $(PYTHON) -m venv $(VENV)
	@$(PY) .ci/python_packages runtime test > $(VENV)/requirements.txt
	$(PY) -m pip install --quiet --disable-pip-version-check -r $(VENV)/requirements.txt
	@touch $@

setup: $(VENV)/.ready

$(BUILD)/build.ninja: $(VENV)/.ready
	cmake --preset release -B $(BUILD) -DPython3_EXECUTABLE=$(CURDIR)/$(PY) > /dev/null

build: $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j $(JOBS)

# What users run, without the tests.
product: $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j $(JOBS) sixrung sixrung_python sixrung_plugins

# --- use ----------------------------------------------------------------------
demo: product
	@$(ENV) $(PY) examples/python/demo.py

# --- tests --------------------------------------------------------------------
check: build
	@$(ENV) ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -LE slow --no-tests=error
	@$(ENV) $(PY) -m pytest -q tests -m "not slow" -p no:cacheprovider

test: build
	@$(ENV) ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) --no-tests=error
	@$(ENV) $(PY) -m pytest -q tests -p no:cacheprovider

# `make test` does the same with this build's package; the wheel compiles everything once more.
wheel: $(VENV)/.ready
	@rm -rf dist
	$(PY) -m pip wheel --quiet --no-deps --wheel-dir dist .
	@$(PYTHON) -m venv dist/environment
	dist/environment/bin/pip install --quiet "$$(ls dist/sixrung-*.whl)[runtime]"
	@SIXRUNG_PACKAGE_PYTHON=$(CURDIR)/dist/environment/bin/python $(PY) -m pytest -q tests/examples/test_new_plugin.py -p no:cacheprovider

sanitize: $(VENV)/.ready
	@PYTHON=$(CURDIR)/$(PY) JOBS=$(JOBS) .ci/sanitize

sanitize-threads: $(VENV)/.ready
	@PYTHON=$(CURDIR)/$(PY) JOBS=$(JOBS) .ci/sanitize thread

bench: product
	@$(ENV) $(PY) tests/bench/run.py

format:
	@git ls-files '*.cpp' '*.hpp' '*.h' ':!tests/abi/archive' | xargs clang-format-19 -i
	@$(VENV)/bin/ruff format -q python tests examples
	@$(VENV)/bin/ruff check -q --fix python tests examples

clean:
	rm -rf build
