# Every chore of this repository. `make` alone lists them.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

INSTALLED := $(VENV)/.installed
BENCH_INSTALLED := $(VENV)/.bench-installed
NATIVE_SOURCES := $(shell find cpp/include cpp/src cpp/bindings -name '*.[ch]pp')
ALL_CPP := $(shell find cpp benchmarks -name '*.[ch]pp')

.DEFAULT_GOAL := help
.PHONY: help setup test lint format sanitize sanitize-address sanitize-thread portable portable-clang portable-arm bench bench-core bench-learned bench-scale fuzz demo clean

help: ## list the chores
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup: $(INSTALLED) ## create .venv (PYTHON=python3.12 chooses another Python), build waypost and install it with every tool

test: $(INSTALLED) ## run the tests (real data are tested when WAYPOST_DATA names their folder)
	$(BIN)/python -m pytest

lint: $(INSTALLED) ## check style, types and the direction of imports; changes nothing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(ALL_CPP)
	$(BIN)/lint-imports

format: $(INSTALLED) ## bring all Python and C++ into the house style
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(ALL_CPP)

sanitize: sanitize-address sanitize-thread ## run the native tests under the address, undefined-behaviour and thread sanitizers

portable: portable-clang portable-arm ## compile and test the core by Clang and for ARM (needs clang, g++-aarch64-linux-gnu and qemu-user)

bench: $(BENCH_INSTALLED) ## measure waypost side by side with the other libraries, on real factors
	$(BIN)/python -m waypost.bench.against --results benchmarks/against.json --write docs/benchmarks.md --readme README.md

bench-core: $(BENCH_INSTALLED) ## measure building and searching against the targets and against hnswlib
	$(BIN)/python -m waypost.bench.core --write docs/benchmarks.md

bench-learned: $(BENCH_INSTALLED) ## measure what is learned against the targets; hours, but it can be stopped and goes on
	$(BIN)/python -m waypost.bench.learned --write docs/benchmarks.md

bench-scale: $(BENCH_INSTALLED) ## measure from ten thousand generated items to ten million
	$(BIN)/python -m waypost.bench.at_scale --results benchmarks/scale.json --write docs/benchmarks.md

fuzz: $(INSTALLED) ## ten minutes of random calls, each answered rightly or refused in a sentence
	$(BIN)/python tools/fuzz.py --seconds 600

demo: $(INSTALLED) ## show on npm packages what learned routing buys: a table, examples by name, build/demo/report.html
	$(BIN)/waypost demo build/demo

clean: ## remove all that the other chores made, .venv too
	rm -rf build dist $(VENV) .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find src tests examples -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# Without pip's isolation the compiler's work stays in build/, so that an edit recompiles only what it touches. The
# build tools have to be there before the package can be built.
$(INSTALLED): pyproject.toml constraints.txt CMakeLists.txt $(NATIVE_SOURCES) | $(BIN)/python
	$(PIP) scikit-build-core nanobind cmake ninja
	$(PIP) --no-build-isolation --editable '.[dev,train]'
	@touch $@

# waypost is installed already: this adds what the extra names, and builds nothing of ours again. diskannpy asks for one
# old numpy but runs with a new one.
$(BENCH_INSTALLED): $(INSTALLED)
	$(PIP) 'waypost[bench]'
	$(PIP) --no-deps "diskannpy; python_version < '3.13' and platform_machine == 'x86_64'"
	@touch $@

# The thread sanitizer of older compilers fails where the kernel scatters addresses widely, so that is turned off
# where the system allows it.
FIXED_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)

sanitize-address: SANITIZERS := address,undefined
sanitize-thread: SANITIZERS := thread
sanitize-address sanitize-thread: $(INSTALLED)
	$(BIN)/cmake -S . -B build/$@ -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) -DCMAKE_BUILD_TYPE=Debug \
		-DWAYPOST_TESTS=ON -DWAYPOST_WERROR=ON -DWAYPOST_SANITIZE=$(SANITIZERS)
	$(BIN)/cmake --build build/$@
	$(FIXED_ADDRESSES) build/$@/waypost_native_tests

ARM := aarch64-linux-gnu
NATIVE_TESTS := -G Ninja -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN)/ninja) -DWAYPOST_TESTS=ON -DWAYPOST_WERROR=ON

portable-clang: $(INSTALLED)
	$(BIN)/cmake -S . -B build/$@ $(NATIVE_TESTS) -DCMAKE_CXX_COMPILER=clang++
	$(BIN)/cmake --build build/$@
	build/$@/waypost_native_tests

# Not all the tests: QEMU 7 does not survive a fork of a process with threads.
portable-arm: $(INSTALLED)
	$(BIN)/cmake -S . -B build/$@ $(NATIVE_TESTS) -DCMAKE_CXX_COMPILER=$(ARM)-g++ -DCMAKE_EXE_LINKER_FLAGS=-static \
		-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64
	$(BIN)/cmake --build build/$@
	for topic in builders exact greedy kernels key reach repair search threshold visited walk; do qemu-aarch64 build/$@/waypost_native_tests $$topic || exit 1; done
