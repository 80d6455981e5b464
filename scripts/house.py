"""What every check of the house shares: where things stand, which files count, and how a check tells its findings."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SPEC = ROOT / "docs" / "spec"
GLOSSARY = ROOT / "docs" / "glossary.yaml"
LANGUAGES = ("zh-CN", "en", "fr", "ko", "de", "nl", "ja", "es", "ar")


def files(root: Path, *endings: str) -> list[Path]:
    """Files of the project: what git knows or would take, not what it ignores."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = (root / name for name in sorted(set(listed.split("\0"))) if name)
    return [p for p in paths if p.is_file() and (not endings or p.suffix in endings)]


def tell(problems: Callable[[Path], list[str]]) -> None:
    """Run one check on the project; each finding is a line, any finding is a failure."""
    reports = problems(ROOT)
    for line in reports:
        print(line)
    sys.exit(1 if reports else 0)
