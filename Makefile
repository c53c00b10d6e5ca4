# `make run` and `make test` do all set-up by themselves, in the virtual environment .venv.
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
SECONDS := 600
# One for each of the two cores that the tests are planned for, and one for tests that mostly wait (tests/conftest.py).
WORKERS := 3
TESTS := tests
# Where somebody has set this, every process that a test starts would compile all that it imports, seconds each.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test proofs packages coverage fuzz style lint format docs site bench clean

help:  ## Show the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 16

$(STAMP): pyproject.toml scripts/setup
	@scripts/setup $(VENV)
	@touch $@

run: $(STAMP)  ## Set up what is needed and open the house: tables in the browser
	@echo "The command is $(BIN)/upcard; '$(BIN)/upcard play' is a table in this terminal."
	@$(BIN)/upcard serve $(ARGS)

test:  ## Set up what is needed, lint, and run every test
	@$(MAKE) --no-print-directory --jobs 2 $(STAMP) packages
	@$(MAKE) --no-print-directory style
	scripts/types-beside $(BIN)/mypy $(BIN)/pytest --numprocesses $(WORKERS) --dist worksteal -m "not deep"

proofs: $(STAMP) packages  ## Run the proofs that take long: further cases of what the tests show
	$(BIN)/pytest --numprocesses 2 --dist worksteal -m deep

packages:
	@scripts/system-packages

coverage: $(STAMP) packages  ## Run every test with coverage, which must stay above its gate
	$(BIN)/pytest --numprocesses $(WORKERS) --dist worksteal --cov --cov-report term:skip-covered

fuzz: $(STAMP)  ## Search with new seeds, SECONDS=600 long, for what the tests' fixed seeds miss
	@$(BIN)/python scripts/fuzz.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) $(TESTS)

style: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

lint: style  ## Ruff, mypy and the import contracts
	$(BIN)/mypy

format: $(STAMP)  ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(STAMP)  ## Write the generated pages and the example session; FIGURES=all works out the games' odds anew
	$(BIN)/python -m upcard.rules.vocabulary > docs/vocabulary.md
	$(BIN)/python scripts/api_reference.py > docs/api.md
	$(BIN)/python scripts/command_reference.py > docs/commands.md
	$(BIN)/python scripts/game_pages.py $(if $(FIGURES),--figures $(FIGURES))
	$(BIN)/python scripts/example_session.py
	$(BIN)/python tests/every_sentence.py

site: $(STAMP)  ## Build the documents as a site, build/site; a broken link is an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "Open build/site/index.html, or serve it with its search: $(BIN)/python -m http.server --directory build/site"

bench: $(STAMP)  ## Run the benchmarks; other packages' engines are compared if they can be installed
	@$(BIN)/pip install --quiet --editable '.[bench]' || echo "Other engines could not be installed."
	@for file in bench/bench_*.py; do $(BIN)/python $$file || exit 1; done

clean:  ## Remove the virtual environment and caches
	rm -rf $(VENV) build/site .mypy_cache .ruff_cache .pytest_cache .hypothesis .fuzz .import_linter_cache .coverage*
