"""The console polls nothing: what changed, the server says (console/src/shared/live/stale.ts).

Two files may ask again: the one of calls, for answers that age by the clock alone, and the one of robots, which tell
nothing by themselves.
"""

import re
from pathlib import Path

from house import files, tell

ALLOWED = {"console/src/shared/rpc/hooks.ts", "console/src/shared/relay/use-robot-answer.ts"}
POLL = re.compile(r"\brefetchInterval(?:InBackground)?\b")


def check(root: Path) -> list[str]:
    problems: list[str] = []
    for path in files(root, ".ts", ".tsx"):
        name = path.relative_to(root).as_posix()
        if not name.startswith("console/src/") or name in ALLOWED:
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if POLL.search(line):
                problems.append(f"{name}:{number}: polls; name the topics in the call's `reads`, or use useRobotAnswer")
    return problems


if __name__ == "__main__":
    tell(check)
