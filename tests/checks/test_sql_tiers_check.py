"""The check of SQL that climbs the tiers finds what it is there for."""

from pathlib import Path

import check_sql_tiers
import pytest

TIERS = """
[[tool.importlinter.contracts]]
name = "tiers of domains"
layers = ["board", "floor | group", "robot"]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(TIERS)
    for domain in ("board", "floor", "group", "robot"):
        folder = tmp_path / "src" / "lustra" / "domains" / domain
        folder.mkdir(parents=True)
        (folder / "tables.py").write_text(f'class Row:\n    __tablename__ = "{domain}_row"\n')
    (tmp_path / "src" / "lustra" / "core").mkdir()
    return tmp_path


def put(root: Path, path: str, source: str) -> list[str]:
    (root / "src" / "lustra" / path).write_text(source)
    return check_sql_tiers.check(root)


def test_sql_on_tables_of_its_own_domain_and_of_lower_ones_passes(root: Path):
    source = 'ROWS = "select * from board_row b join floor_row f using (id), robot_row r"\n"""Rows from group_row."""\n'
    assert put(root, "domains/board/queries.py", source) == []


@pytest.mark.parametrize(
    ("path", "source", "table"),
    [
        ("domains/robot/queries.py", 'ROWS = "select 1 from floor_row"', "floor_row"),
        ("domains/robot/queries.py", 'ROWS = "SELECT 1 FROM robot_row r LEFT JOIN board_row b ON true"', "board_row"),
        ("domains/robot/queries.py", 'ROWS = "select 1 from robot_row r, group_row g"', "group_row"),
        ("domains/robot/service.py", 'def x(name): return f"update group_row set {name} = 1"', "group_row"),
        ("domains/robot/service.py", 'def x(): return "insert into board_row values (1)"', "board_row"),
        ("domains/floor/queries.py", 'ROWS = "delete from robot_row using group_row"', "group_row"),
        ("core/quota.py", 'ROWS = "select 1 from robot_row"', "robot_row"),
    ],
)
def test_sql_that_climbs_is_refused(root: Path, path: str, source: str, table: str):
    (problem,) = put(root, path, source)
    assert f"names the table {table}" in problem
