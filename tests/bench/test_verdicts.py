"""Which figures fail a run of the benches: by the limit, or by floors that a slow machine lengthens as much."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

SPEC = importlib.util.spec_from_file_location("bench_run", Path(__file__).resolve().parents[2] / "bench" / "run.py")


@pytest.fixture(scope="module")
def run() -> Any:
    assert SPEC
    assert SPEC.loader
    module = importlib.util.module_from_spec(SPEC)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(SPEC.origin or "").parent)
        SPEC.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("figure", "passes"),
    [
        ({"value": 1e9}, True),
        ({"value": 10, "limit": 10}, True),
        ({"value": 11, "limit": 10}, False),
        ({"value": 9, "limit": 10, "at_least": True}, False),
        ({"value": 40, "limit": 10, "floor": 10, "most_floors": 4}, True),
        ({"value": 41, "limit": 10, "floor": 10, "most_floors": 4}, False),
        ({"value": 25, "limit": 50, "at_least": True, "floor": 100, "most_floors": 4}, True),
        ({"value": 24, "limit": 50, "at_least": True, "floor": 100, "most_floors": 4}, False),
        ({"value": 0, "limit": 50, "at_least": True, "floor": 100, "most_floors": 4}, False),
    ],
)
def test_a_figure_is_judged_by_its_floors_else_by_its_limit(run: Any, figure: dict[str, Any], passes: bool):
    assert run.passes(figure) is passes
