PY := .venv/bin/python

.PHONY: test check bench lock install surface

install: ; @./bootstrap

test: install
	$(PY) -m pytest

check: install
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/ask corpus lint
	$(PY) -m pytest -q tests/test_rooms.py
	./packaging/check-wheel

bench: install
	$(PY) -m benchmarks

# Rebuild knowledge/surface/data from every release of releases.txt (minutes; the archives come through pip).
# A new release: .venv/bin/python -m knowledge.surface.build --add X.Y.Z
surface: install
	$(PY) -m knowledge.surface.build

# After a change of the dependencies in pyproject.toml: resolve anew in a fresh environment and pin what came out.
lock:
	./packaging/lock
