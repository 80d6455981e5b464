"""What the documents link to or show is there: files, pictures, and headings of pages."""

import re
from pathlib import Path

from house import files, tell

LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"(?ms)^```.*?^```")


def headings(page: Path) -> set[str]:
    """As a reader's address bar has them: lower case, words joined by hyphens."""
    titles = re.findall(r"(?m)^#+ (.*)$", page.read_text("utf-8"))
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


def problems(root: Path) -> list[str]:
    reports: list[str] = []
    for page in files(root, ".md"):
        for link in LINK.findall(FENCED.sub("", page.read_text("utf-8"))):
            if re.match(r"[a-z]+:", link):
                continue
            name, _, heading = link.partition("#")
            target = page.parent / name if name else page
            where = page.relative_to(root).as_posix()
            if not target.exists():
                reports.append(f"{where}: {link} is not there")
            elif heading and target.suffix == ".md" and heading not in headings(target):
                reports.append(f"{where}: {link}: no such heading")
    return reports


if __name__ == "__main__":
    tell(problems)
