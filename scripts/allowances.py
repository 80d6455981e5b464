"""How many violations of a rule each part of the project still has from before it; the counts may only shrink.

A file of allowances has a line for each part, "src/lustra/core 12". No line: none is allowed.
"""

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

VERSIONS_COMPARED = 40
SHOWN = 10
Violations = Mapping[str, Sequence[str]]  # by part: a line for each


def parse_allowances(text: str) -> dict[str, int]:
    rows = (line.split() for line in text.splitlines())
    return {part: int(count) for part, count in rows}


def read_allowances(root: Path, file: str) -> dict[str, int]:
    path = root / file
    return parse_allowances(path.read_text("utf-8")) if path.exists() else {}


def former_allowances(root: Path, file: str) -> dict[str, int]:
    """By part the smallest count that any of the last versions allowed; 0 where one of them did not name it."""
    git = ["git", "-C", str(root)]
    commits = subprocess.run(
        [*git, "log", f"-{VERSIONS_COMPARED}", "--format=%H", "--", file],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    versions: list[dict[str, int]] = []
    for commit in commits:
        former = subprocess.run([*git, "show", f"{commit}:{file}"], capture_output=True, text=True, check=False)
        if former.returncode == 0:
            versions.append(parse_allowances(former.stdout))
    parts = read_allowances(root, file).keys()
    return {part: min(version.get(part, 0) for version in versions) for part in parts} if versions else {}


def compare(violations: Violations, root: Path, file: str, fault: str) -> list[str]:
    """What is more than allowed, and what is allowed for nothing. `fault`: what the violations are, as a plural."""
    allowed, former = read_allowances(root, file), former_allowances(root, file)
    reports: list[str] = []
    for part in sorted(violations.keys() | allowed.keys()):
        lines, most = violations.get(part, []), allowed.get(part, 0)
        if most > former.get(part, most):
            reports.append(f"{file}: {part} may only shrink, {former[part]} were allowed before")
        if len(lines) < most:
            reports.append(f"{file}: {part} has {len(lines)} left of {most}: lower it with --update")
        if len(lines) > most:
            reports.append(f"{part}: {len(lines)} {fault}, {most} are allowed (see {file})")
            reports += [f"  {line}" for line in lines[:SHOWN]]
    return reports


def update(violations: Violations, root: Path, file: str) -> None:
    """Lower the counts to what is left; none is raised."""
    counts = {part: min(most, len(violations.get(part, []))) for part, most in read_allowances(root, file).items()}
    text = "".join(f"{part} {count}\n" for part, count in sorted(counts.items()) if count)
    (root / file).write_text(text, "utf-8")
    print(f"{sum(counts.values())} are still allowed, in {sum(count > 0 for count in counts.values())} parts")
