"""Two files of results beside each other: what became worse is marked."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def compare(folder: Path, before: dict[str, object], after: dict[str, object]) -> tuple[int, str]:
    paths = [folder / "before.json", folder / "after.json"]
    for path, figure in zip(paths, (before, after), strict=True):
        path.write_text(json.dumps({"relay": {"figures": [{"name": "to wheel", "unit": "ms", **figure}]}}))
    words = [sys.executable, str(ROOT / "bench" / "compare.py"), *map(str, paths)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("before", "after", "is_worse"),
    [
        ({"value": 10}, {"value": 12}, False),
        ({"value": 10}, {"value": 13}, True),
        ({"value": 10, "floor": 5}, {"value": 20, "floor": 10}, False),
        ({"value": 10, "floor": 5}, {"value": 20, "floor": 5}, True),
        ({"value": 13, "at_least": True}, {"value": 10, "at_least": True}, True),
        ({"value": 10, "at_least": True}, {"value": 13, "at_least": True}, False),
        ({"value": 10, "unit": "MB/s"}, {"value": 13, "unit": "MB/s"}, False),
        ({"value": 13, "unit": "MB/s"}, {"value": 10, "unit": "MB/s"}, True),
    ],
)
def test_a_figure_that_became_worse_by_more_than_noise_is_marked(
    tmp_path: Path, before: dict[str, object], after: dict[str, object], is_worse: bool
):
    code, out = compare(tmp_path, before, after)
    assert ("WORSE" in out, code) == (is_worse, int(is_worse))
    assert "relay: to wheel" in out


def test_a_figure_that_stands_in_one_file_only_is_not_compared(tmp_path: Path):
    code, out = compare(tmp_path, {"value": 1}, {"value": 9, "name": "to screen"})
    assert (code, "to screen" in out) == (0, False)
