"""The layers of the server hold, and import-linter saw every module: a checker that finds nothing passes over all.

(The console's layers: console/scripts/layers.ts, by the same rule.)
"""

import re
import subprocess
import sys
from pathlib import Path

from house import tell

SCRIPTS = "core/migrations/versions"  # alembic runs these as scripts; nobody imports them
LINTER = Path(sys.executable).with_name("lint-imports")


def problems(root: Path) -> list[str]:
    ran = subprocess.run(
        [str(LINTER), "--no-cache"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(root / "src"), "PATH": "/usr/bin:/bin", "PYTHONIOENCODING": "utf-8", "COLUMNS": "200"},
    )
    output = ran.stdout + ran.stderr
    seen = re.search(r"Analyzed (\d+) files", output)
    modules = sum(SCRIPTS not in path.as_posix() for path in (root / "src" / "lustra").rglob("*.py"))
    reports = [] if ran.returncode == 0 else output.strip().splitlines()
    if not seen:
        reports.append("import-linter did not say how many files it saw")
    elif int(seen[1]) < modules:
        reports.append(f"import-linter saw {seen[1]} of {modules} modules: is an __init__.py missing?")
    return reports


if __name__ == "__main__":
    tell(problems)
