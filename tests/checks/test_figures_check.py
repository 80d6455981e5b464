import json
from pathlib import Path

import check_figures
import make_figures
import pytest

ABOUT = {"cpu": "C", "cores": 2, "memory_gb": 4, "python": "3.11", "load": 0.1}


def write_run(root: Path, day: str, value: float) -> None:
    """What a run of one bench left, with a figure of which README.md speaks and one of which it does not."""
    figures = [
        {"name": "a call, p95", "value": value, "unit": "ms", "limit": 9, "worst": 12.5},
        {"name": "a call, memory", "value": 1234, "unit": "MB"},
    ]
    results = root / "bench" / "results"
    results.mkdir(parents=True, exist_ok=True)
    run = {"at": f"{day}T10:00Z", "machine": ABOUT, "figures": figures}
    (results / f"{day}.json").write_text(json.dumps({"calls": run}))


def write_pages(root: Path) -> None:
    for path, text in make_figures.pages(root).items():
        (root / path).write_text(text)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(make_figures, "FIRST", {"calls": ("a call, p95",)})
    (tmp_path / "docs").mkdir()
    (tmp_path / "README.md").write_text("# A\n<!-- figures: made -->\n<!-- /figures -->\nrest\n")
    write_run(tmp_path, "2026-01-01", 3)
    return tmp_path


def test_a_table_that_is_not_of_the_newest_results_is_found(root: Path):
    assert len(check_figures.problems(root)) == len(make_figures.pages(root))
    write_pages(root)
    assert check_figures.problems(root) == []
    write_run(root, "2026-01-02", 4)
    assert len(check_figures.problems(root)) == len(make_figures.pages(root))


def test_the_readme_has_the_first_figures_and_the_other_page_has_all(root: Path):
    write_pages(root)
    readme, whole = (root / "README.md").read_text(), (root / "docs" / "figures.md").read_text()
    assert "| calls | a call, p95 | 3 ms | 12.5 ms | ≤ 9 ms |  |" in readme
    assert "memory" not in readme
    assert readme.endswith("<!-- /figures -->\nrest\n")
    assert "| a call, p95 | 3 ms | 12.5 ms | ≤ 9 ms |  |" in whole
    assert "| a call, memory | 1,234 MB |  |  |  |" in whole
    assert "On 2026-01-01, 2 cores, C, 4 GB, Python 3.11, at a load of 0.1." in whole


def test_a_first_figure_that_no_bench_gives_any_more_is_named(root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(make_figures, "FIRST", {"calls": ("a call, p99",)})
    with pytest.raises(SystemExit, match="calls: a call, p99"):
        make_figures.pages(root)
