"""Files stay short, and few in a folder; they name no package registry, say nothing of where they were written, and
excuse each exception.

A mark that silences a checker (noqa, type: ignore, biome-ignore …) carries its reason on its own line. Exceptions to
the size limit stand below with theirs.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from house import files, tell

LONGEST = 400  # lines of the console's code; ruff judges Python by what its functions do
MAY_BE_LONG = {
    "console/src/shared/live/wire.d.ts": "generated from the live socket's frames",
    "console/src/shared/rpc/schema.d.ts": "generated from the server's contract",
    "console/src/shared/relay/robot.d.ts": "generated from the robot's commands",
    "console/src/shared/rpc/limits.ts": "generated from the server's contract",
    "console/src/shared/i18n/keys.d.ts": "generated from the English texts",
}
MOST = 20  # files of code in a folder, those of its folders not counted
CODE = {".py", ".ts", ".tsx"}
TEXT = CODE | {".cjs", ".css", ".html", ".json", ".md", ".mjs", ".sh", ".sql", ".toml", ".txt", ".yaml", ".yml", ""}
ELSEWHERE = {"LICENSE"}

# Written so that no pattern matches its own line.
REGISTRIES = re.compile(
    r"(?i)pypi[.]org|pythonhosted[.]org|npmjs[.](?:org|com)|npmmirror[.]com|yarnpkg[.]com|ghcr[.]io|docker[.]io"
    r"|\"resolved\": *\"https?:|--(?:extra-)?index-url[ =]|registry *= *\"?https?:"
)
WORKPLACE = re.compile(
    r"(?:^|[\s\"'`(=])/(?:work|tmp/w)/|[.][.]/shared/(?!data\b)|\bissues? (?:show|on|#?\d)|\bthis issue\b"
    r"|\bDESIGN(?:[.]md)?\b|CONTRACT[.]md|\b(?:calls|product)[.]txt\b"
    r"|(?i:clau(?:de)\b|anthropi(?:c)|\bsub-?agents?\b|\bcoding agent|\bLL(?:M)s?\b)"
)
LATER = re.compile(r"\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b|\b(?:test|it|describe)[.]only\(")

# The mark, with what it silences; what is left of the line's comment is the reason.
MARK = re.compile(
    r"#\s*noqa\b(?::\s*[A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)?"
    r"|#\s*(?:type|pyright):\s*(?:ignore|basic|strict)\b(?:\[[^\]]*\])?"
    r"|#\s*pragma:\s*no cover|#\s*ruff:\s*noqa(?::\s*[A-Z0-9, ]+)?"
    r"|(?://|/\*)\s*@ts-(?:ignore|expect-error|nocheck)|biome-ignore(?:-all|-start)?\s+[\w/]+\s*:?"
    r"|eslint-disable[\w-]*\s*[\w@/, -]*?(?=--|\*/|$)|(?:v8|istanbul|c8)\s+ignore\s+\w+"
)
COMMENT = re.compile(r"(?:#|//|/\*|\{/\*)(.*)$")
WORDS_OF_A_REASON = 2
BY_HAND = re.compile(r"#\s*fmt:\s*(?:skip|off)\b")
BARE_SKIP = re.compile(r"mark[.](?:skip|xfail)(?:\(\s*\)|\s*$)|pytest[.]skip\(\s*\)")


def unexcused(line: str) -> bool:
    mark = MARK.search(line)
    if not mark:
        return bool(BARE_SKIP.search(line))
    before = COMMENT.search(line[: mark.start()])
    reason = (before[1] if before else "") + " " + line[mark.end() :]
    return len(re.findall(r"[^\W\d_]{2,}|\d+", reason)) < WORDS_OF_A_REASON


def of_line(line: str, *, code: bool) -> Iterator[str]:
    if match := REGISTRIES.search(line):
        yield f"names a registry: {match[0]}"
    if match := WORKPLACE.search(line):
        yield f"speaks of where it was written: {match[0].strip()}"
    if code and (match := LATER.search(line)):
        yield f"leaves something for later: {match[0]}"
    if code and BY_HAND.search(line):
        yield "keeps the formatter away"
    if code and unexcused(line):
        yield "silences a checker without a reason on the line"


def full_folders(names: Iterable[str]) -> Iterator[str]:
    counts = Counter(Path(name).parent.as_posix() for name in names if Path(name).suffix in CODE)
    for folder in sorted(counts):
        if counts[folder] > MOST:
            yield f"{folder}: {counts[folder]} files of code, {MOST} are allowed in a folder"


def problems(root: Path) -> list[str]:
    reports = list(full_folders(path.relative_to(root).as_posix() for path in files(root)))
    for path in files(root):
        name = path.relative_to(root).as_posix()
        if path.suffix not in TEXT or name in ELSEWHERE:
            continue
        lines = path.read_text("utf-8", errors="replace").splitlines()
        code = path.suffix in CODE
        if path.suffix in {".ts", ".tsx"} and len(lines) > LONGEST and name not in MAY_BE_LONG:
            reports.append(f"{name}: {len(lines)} lines, {LONGEST} are allowed")
        for number, line in enumerate(lines, 1):
            reports += (f"{name}:{number}: {why}" for why in of_line(line, code=code))
    return reports


if __name__ == "__main__":
    tell(problems)
