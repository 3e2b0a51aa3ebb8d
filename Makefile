# Two commands do everything on a fresh machine with Python 3.11 or newer: `make demo`, `make test`.
# Each target sets up what it lacks in .venv and is quick the second time. It finds a Python by itself; PYTHON=... names
# another.

VENV   := .venv
BIN    := $(VENV)/bin
TESTS  ?= tests

# Tests and benchmarks start strike many times: each would compile it anew where bytecode is not kept.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test slow check browsers bench docs pictures dist zipapp audit soak lock clean FORCE

help:
	@echo "make demo    set up, then play an evening with the embedded table"
	@echo "make test    set up, then run the everyday tests (TESTS=tests/... for all of some of them)"
	@echo "make slow    the other tests: a browser, builds, whole books of examples"
	@echo "make check   lint, types, import rules"
	@echo "make browsers  the page of the table in Firefox and WebKit, where they are installed"
	@echo "make bench   speed, as ratios against reference programs in the same run"
	@echo "make docs    the site of documents, in build/site"
	@echo "make pictures  the pictures of README and site, taken anew (chromium, tmux)"
	@echo "make dist    wheel and source archive, built twice and looked at, in dist"
	@echo "make zipapp  strike in one file, dist/strike.pyz"
	@echo "make soak    what takes longer, 30 minutes of it: SOAK=120 for two hours"
	@echo "make audit   known holes in what is locked, by the package registry"
	@echo "make lock    resolve the locked requirements anew"

# Looked at each time, and made anew where it is half-made or wrong. One that is sound is left as it is, with its date.
$(VENV)/pyvenv.cfg: FORCE
	@.ci/environment $(VENV)

$(VENV)/%/pyvenv.cfg: FORCE | $(VENV)/pyvenv.cfg
	@.ci/environment $(VENV)/$*

$(VENV)/run.done: $(VENV)/pyvenv.cfg locks/run.lock pyproject.toml
	@.ci/environment $(VENV) locks/run.lock strike
	@touch $@

$(VENV)/dev.done: $(VENV)/run.done locks/dev.lock
	@.ci/environment $(VENV) locks/dev.lock
	@touch $@

demo: $(VENV)/run.done
	@$(BIN)/strike demo

# What is asked for by name runs whole; of the whole, what is slow is left to `make slow`.
test: $(VENV)/dev.done
	@$(BIN)/python -m pytest -n auto --dist worksteal $(if $(filter tests,$(TESTS)),-m 'not slow') $(TESTS)

slow: $(VENV)/dev.done
	@$(BIN)/python -m pytest -n auto --dist worksteal -m slow tests

check: $(VENV)/dev.done
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m website.prose_style_check

browsers: $(VENV)/dev.done
	@STRIKE_OTHER_BROWSERS=1 $(BIN)/python -m pytest tests/table/test_table_other_browsers.py

bench: $(VENV)/dev.done
	@$(BIN)/python -m benchmarks

# In an environment of its own beside the development tools: it needs other versions of what they need.
$(VENV)/docs/done: $(VENV)/docs/pyvenv.cfg locks/docs.lock pyproject.toml
	@.ci/environment $(VENV)/docs locks/docs.lock strike
	@touch $@

docs: $(VENV)/docs/done
	@$(VENV)/docs/bin/python -m website.site

pictures: $(VENV)/dev.done
	@$(BIN)/python -m website.pictures

$(VENV)/release/done: $(VENV)/release/pyvenv.cfg locks/release.lock locks/run.lock
	@.ci/environment $(VENV)/release locks/release.lock
	@.ci/environment $(VENV)/release locks/run.lock
	@touch $@

dist: $(VENV)/release/done
	@.ci/dist $(VENV)/release/bin

# Everything but Dask and the desktop's store for keys; what it needs is of the versions in locks/dev.lock.
zipapp: $(VENV)/release/done
	@mkdir -p build dist
	@sed -n 's/^\([A-Za-z0-9].*==.*[^ ]\) *\\$$/\1/p' locks/dev.lock >build/versions.txt
	@SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) PIP_BUILD_CONSTRAINT=build/versions.txt $(VENV)/release/bin/shiv --reproducible --compressed \
	  --console-script strike --python '/usr/bin/env python3' --output-file dist/strike.pyz \
	  --quiet --constraint build/versions.txt '.[table,play]'
	@$(VENV)/release/bin/python dist/strike.pyz --version

# By what the package registry knows of each version: where it can't be asked, that is no ok.
audit: $(VENV)/release/done
	@for lock in locks/*.lock; do \
	  $(VENV)/release/bin/pip-audit --strict --require-hashes --disable-pip --progress-spinner off -r $$lock || exit 1; done

$(VENV)/soak.done: $(VENV)/dev.done locks/soak.lock
	@.ci/environment $(VENV) locks/soak.lock
	@touch $@

SOAK ?= 30
soak: $(VENV)/soak.done
	@cd tests && ../$(BIN)/python -m soak --minutes $(SOAK)

# No index address goes into a lock, so that any mirror of the package registry serves it.
LOCK := uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header

lock: $(VENV)/lock/pyvenv.cfg
	@$(VENV)/lock/bin/pip --quiet install uv
	@$(VENV)/lock/bin/$(LOCK) --upgrade --extra table --group build -o locks/run.lock
	@$(VENV)/lock/bin/$(LOCK) --upgrade --extra table --extra serve --extra play --extra cluster --extra pictures --extra pdf --extra mcp --group build --group dev --group oracle -c locks/run.lock -o locks/dev.lock
	@$(VENV)/lock/bin/$(LOCK:pyproject.toml=) --upgrade --group release -c locks/run.lock -o locks/release.lock
	@$(VENV)/lock/bin/$(LOCK) --upgrade --extra table --group build --group docs -c locks/run.lock -o locks/docs.lock
	@$(VENV)/lock/bin/$(LOCK) --upgrade --extra table --extra serve --extra play --extra cluster --extra pictures --extra pdf --extra mcp --group build --group dev --group oracle --group soak -c locks/dev.lock -o locks/soak.lock

clean:
	rm -rf $(VENV) build dist
