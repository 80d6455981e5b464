"""The tables of figures, in README.md and docs/figures.md, are what bench/results holds."""

from pathlib import Path

import make_figures
from house import tell


def problems(root: Path) -> list[str]:
    return [
        f"{path}: its figures are not those of bench/results: scripts/make_figures.py"
        for path, text in make_figures.pages(root).items()
        if not (root / path).exists() or (root / path).read_text("utf-8") != text
    ]


if __name__ == "__main__":
    tell(problems)
