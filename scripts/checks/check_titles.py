"""Titles are short and plain: at most 72 letters for a commit or a test in Python, 100 for one of the console. A test
is named by what the product does (`refuse_a_late_edit`), not by a riddle (`who_is_late_is_told`).

Commits count from the one at which this rule began; where git or that commit is missing (a shallow clone, an archive),
none is judged. The ids in brackets before a test's title are not part of it.
"""

import ast
import re
import subprocess
from pathlib import Path

import typescript
from house import files, tell

SINCE = "431c374"
LONGEST_COMMIT = 72
LONGEST_TEST = 100
LONGEST_FUNCTION = 72  # after its `test_`
LONGER = ("1999233", "df8999af", "ce082ed4")  # came in unchecked; what is published is not rewritten
IDS = re.compile(r"\[[^\]]*\]\s*")
EMPTY_BEGINNING = re.compile(r"(should|it|tests?|checks?|works?|verif(y|ies)|correctly)\b", re.IGNORECASE)
PLAIN = "says what the product does, beginning with a verb or a noun, without “told”, “heard” or “wanted”"
VAGUE = re.compile(r"(who|whoever|what|whatever|its|one)\b|.*\b(told|heard|wanted)\b", re.IGNORECASE)


def commit_titles(root: Path, since: str) -> list[tuple[str, str]]:
    """Abbreviated hash and title of the commits since that one, the newest first."""
    try:
        log = subprocess.run(
            ["git", "log", "--no-merges", "--format=%h %s", f"{since}..HEAD"],
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        return []
    rows = (line.partition(" ") for line in log.stdout.splitlines())
    return [(commit, title) for commit, _, title in rows] if log.returncode == 0 else []


def commit_problems(root: Path, since: str) -> list[str]:
    return [
        f"{commit}: the title has {len(title)} letters, {LONGEST_COMMIT} are allowed: {title}"
        for commit, title in commit_titles(root, since)
        if len(title) > LONGEST_COMMIT and not commit.startswith(LONGER)
    ]


def title_problems(root: Path) -> list[str]:
    reports: list[str] = []
    for row in typescript.named(root):
        title = IDS.sub("", row.text)
        if row.kind == "title" and len(title) > LONGEST_TEST:
            reports.append(f"{row.path}:{row.line}: {len(title)} letters, {LONGEST_TEST} are allowed: {title}")
        if row.kind == "title" and EMPTY_BEGINNING.match(title):
            reports.append(f"{row.path}:{row.line}: says the rule without “{title.split()[0]}”: {title}")
        if row.kind == "title" and VAGUE.match(title):
            reports.append(f"{row.path}:{row.line}: {PLAIN}: {title}")
    return reports


def function_problems(root: Path) -> list[str]:
    reports: list[str] = []
    for path in files(root, ".py"):
        if path.relative_to(root).parts[0] != "tests":
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.name.startswith("test_"):
                continue
            title, place = node.name.removeprefix("test_"), f"{path.relative_to(root)}:{node.lineno}"
            if len(title) > LONGEST_FUNCTION:
                reports.append(f"{place}: {len(title)} letters, {LONGEST_FUNCTION} are allowed: {title}")
            if VAGUE.match(title.replace("_", " ")):
                reports.append(f"{place}: {PLAIN}: {title}")
    return reports


def problems(root: Path) -> list[str]:
    return commit_problems(root, SINCE) + title_problems(root) + function_problems(root)


if __name__ == "__main__":
    tell(problems)
