"""README.md's table of figures is what bench/results holds."""

from pathlib import Path

import make_figures
from house import tell


def problems(root: Path) -> list[str]:
    if (root / "README.md").read_text("utf-8") == make_figures.page(root):
        return []
    return ["README.md's figures are not those of bench/results: scripts/make_figures.py"]


if __name__ == "__main__":
    tell(problems)
