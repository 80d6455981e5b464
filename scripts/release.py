"""Makes a release of the version in pyproject.toml: all tests, the wheel with its checksum, an archive of a demo for
the tests of later upgrades, changelog and tag.

Refuses with uncommitted changes, without notes under "Unreleased", and for a version that is tagged already. Nothing
is published: the last line says what to push.
"""

import datetime as dt
import hashlib
import subprocess
import sys
import tomllib

from house import ROOT

CHANGELOG = ROOT / "CHANGELOG.md"
ARCHIVES = ROOT / "tests" / "upgrade" / "archives"  # later versions upgrade them in their tests
UNRELEASED = "## Unreleased\n"


def git(*words: str) -> str:
    return subprocess.run(["git", *words], check=True, cwd=ROOT, capture_output=True, text=True).stdout.strip()


def with_release(changelog: str, heading: str) -> str:
    """The changelog in which what was unreleased stands under `heading`. Raises ValueError where there are no notes."""
    before, marker, after = changelog.partition(UNRELEASED)
    notes = after.split("\n## ", 1)[0].strip()
    if not marker or not notes:
        raise ValueError("CHANGELOG.md has no notes under Unreleased")
    return f"{before}{UNRELEASED}\n{heading}\n{after}"


def main() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    tag = f"v{version}"
    if git("status", "--porcelain"):
        sys.exit("release: there are uncommitted changes")
    if git("tag", "--list", tag):
        sys.exit(
            f"release: {tag} exists: raise the version in pyproject.toml, console/package.json and core/settings.py"
        )
    day, commit = dt.datetime.now(dt.timezone.utc).date(), git("rev-parse", "--short", "HEAD")
    try:
        changelog = with_release(CHANGELOG.read_text(), f"## {version} ({day}, tested at {commit})")
    except ValueError as reason:
        sys.exit(f"release: {reason}")
    for target in ("test", "wheel"):
        subprocess.run(["make", target], check=True, cwd=ROOT)
    wheel = max((ROOT / "dist").glob(f"lustra-{version}-*.whl"), key=lambda path: path.stat().st_mtime)
    checksum = hashlib.sha256(wheel.read_bytes()).hexdigest()
    (ROOT / "dist" / "SHA256SUMS").write_text(f"{checksum}  {wheel.name}\n")
    archive = ARCHIVES / f"{version}.tar"
    subprocess.run([sys.executable, ROOT / "tests" / "upgrade" / "make.py", archive], check=True, cwd=ROOT)
    git("add", str(archive))
    CHANGELOG.write_text(changelog)
    git("commit", "--all", "--message", f"Release {version}")
    git("tag", "--annotate", tag, "--message", f"Lustra {version}")
    print(f"{wheel.relative_to(ROOT)} and its SHA256SUMS are made; publish with: git push origin HEAD {tag}")


if __name__ == "__main__":
    main()
