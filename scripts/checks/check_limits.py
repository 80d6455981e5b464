"""How long a text may be is said by the server or the robot, once.

A field of a form takes its `maxLength` from the generated limits (shared/rpc/limits, shared/relay/limits), so a number
in its place is refused.
"""

import re
from pathlib import Path

from house import files, tell

LITERAL = re.compile(r"\bmaxLength\s*(?:=\s*\{?|:)\s*[\"']?\d")


def problems(root: Path) -> list[str]:
    console = root / "console" / "src"
    return [
        f"{path.relative_to(root)}:{number}: a length as a number; generated limits have it (rpc/limits, relay/limits)"
        for path in files(root, ".tsx")
        if path.is_relative_to(console) and ".test." not in path.name
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if LITERAL.search(line)
    ]


if __name__ == "__main__":
    tell(problems)
