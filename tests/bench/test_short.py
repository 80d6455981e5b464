"""The benches that need no running product still work: their short form ends well and says its figures."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("coverage", ["floor, bow: coverage", "floor, edge: planning"]),
        ("fleet", ["3 robots: share of one core", "3 robots: states a second"]),
        ("mapsync", ["2 robots have the map, cuts included"]),
    ],
)
def test_the_short_form_of_a_bench_says_its_figures_and_nothing_else(name: str, expected: list[str]):
    words = [sys.executable, str(ROOT / "bench" / name / "bench.py")]
    environment = {**os.environ, "BENCH_SHORT": "1"}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    figures = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert set(expected) <= {figure["name"] for figure in figures}
    assert len(done.stdout.splitlines()) - len(figures) <= 2  # no server's log among them
