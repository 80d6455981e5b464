import json
from pathlib import Path

import check_figures
import make_figures


def test_a_table_that_is_not_of_the_newest_results_is_found(tmp_path: Path):
    results = tmp_path / "bench" / "results"
    results.mkdir(parents=True)
    about = {"cpu": "C", "cores": 2, "memory_gb": 4, "python": "3.11", "load": 0.1}

    def write(day: str, value: float) -> None:
        figures = [{"name": "a call, p95", "value": value, "unit": "ms", "limit": 9, "worst": 12.5}]
        run = {"at": f"{day}T10:00Z", "machine": about, "figures": figures}
        (results / f"{day}.json").write_text(json.dumps({"calls": run}))

    page = tmp_path / "README.md"
    page.write_text("# A\n<!-- figures: made -->\n<!-- /figures -->\nrest\n")
    write("2026-01-01", 3)
    assert check_figures.problems(tmp_path) != []
    page.write_text(make_figures.page(tmp_path))
    assert check_figures.problems(tmp_path) == []
    assert "| calls | a call, p95 | 3 ms | 12.5 ms | ≤ 9 ms |  |" in page.read_text()
    assert page.read_text().endswith("<!-- /figures -->\nrest\n")
    write("2026-01-02", 4)
    assert check_figures.problems(tmp_path) != []
