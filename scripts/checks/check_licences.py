"""Every package of the product has a permissive or noted licence, and docs/licences.md tells it as it is."""

from pathlib import Path

import make_licences
from house import tell


def problems(root: Path) -> list[str]:
    server, console = make_licences.packages(root)
    reports = [
        f"{name} {version}: {licence or 'no licence told'}: neither permissive nor noted"
        for name, version, licence in server + console
        if make_licences.kind(licence) == "unknown"
    ]
    if (root / "docs" / "licences.md").read_text("utf-8") != make_licences.page(root):
        reports.append("docs/licences.md is not what is installed: scripts/make_licences.py")
    return reports


if __name__ == "__main__":
    tell(problems)
