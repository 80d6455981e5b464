"""A number joins the robot's state by one line of its description and one migration: rows, list, socket, limits and
contract follow (CONTRIBUTING, "Add a number to the robot's state"). Planted in a copy, whose own tests try the
field."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.checks.conftest import ROOT

STATE = "src/lustra/protocol/telemetry.py"
MIGRATIONS = "src/lustra/core/migrations/versions"
LINE = """    humidity: Annotated[float, number("Humidity of the air, %", key="humidity", least=0, most=100)] = 0.0
"""
MIGRATION = '''"""Humidity of the air."""

from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade() -> None:
    op.execute("alter table robot_state add column humidity real not null default 0")


def downgrade() -> None:
    raise NotImplementedError
'''
LONGEST_S = 110


def copy_of(folder: Path) -> Path:
    """What git knows of the product and of the tests of its live part."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "--", "src", "tests", "pyproject.toml"], check=True, capture_output=True
    )
    for name in listed.stdout.decode().splitlines():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    return folder


def test_a_number_joins_the_state_by_one_line_and_one_migration(tmp_path: Path):
    root = copy_of(tmp_path)
    described = root / STATE
    lines = described.read_text("utf-8")
    assert lines.count("    mapped: Annotated[") == 1
    described.write_text(lines.replace("    mapped: Annotated[", LINE + "    mapped: Annotated["), "utf-8")
    last = max(root.glob(f"{MIGRATIONS}/*/0*.py"), key=lambda path: path.name)
    before = last.name[:4]
    revision = f"{int(before) + 1:04}"
    (last.parent / f"{revision}_humidity.py").write_text(
        MIGRATION.format(revision=revision, before=before), encoding="utf-8"
    )
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-vv", "tests/live/test_telemetry.py"],
        cwd=root,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(root / "src"), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=LONGEST_S,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-2000:]
    assert re.search(r"left_out_and_the_rest_taken\[humidity\] PASSED", run.stdout), run.stdout[-3000:]
