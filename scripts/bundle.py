"""One archive that installs Lustra on a machine without a network.

It holds the wheel, all that it needs, a list of that (sbom), samples and documents: for the Python and processor that
its name says: those it was made with. `install.sh` stands in deploy/bundle.
"""

import hashlib
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
from collections.abc import Iterable
from pathlib import Path

from house import ROOT
from packaging.utils import parse_wheel_filename
from sbom import list_components

DIST = ROOT / "dist"
FOLDER = DIST / "bundle"  # unpacked, for deploy/compose
LOCK = ROOT / "requirements" / "run.txt"
BESIDE = ("CHANGELOG.md", "LICENSE", "README.md", "README.zh-CN.md", "SECURITY.md", "deploy", "docs")
SUMS = "SHA256SUMS"
READABLE, EXECUTABLE = 0o644, 0o755


def name_bundle(version: str) -> str:
    """As lustra-1.20.0-cp311-x86_64."""
    machine = sysconfig.get_platform().removeprefix("linux-")
    return f"lustra-{version}-cp{sys.version_info.major}{sys.version_info.minor}-{machine}"


def collect_wheels(folder: Path) -> None:
    """Of all that the lock names, by its hashes; a package that comes as source alone is built. Raises
    CalledProcessError."""
    words = ["wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--require-hashes"]
    subprocess.run([sys.executable, "-m", "pip", *words, "-r", LOCK, "-w", folder], check=True)


def lock_wheels(wheels: Iterable[Path]) -> str:
    """Requirements by which pip installs just these files."""
    named = sorted((parse_wheel_filename(path.name)[:2], path) for path in wheels)
    return "".join(f"{name}=={version} --hash=sha256:{digest(path)}\n" for (name, version), path in named)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def fill(folder: Path, wheels: Path, version: str) -> None:
    """`wheels`: a folder with Lustra's own and all that it needs."""
    shutil.copytree(wheels, folder / "wheels")
    (folder / "requirements.txt").write_text(lock_wheels(wheels.glob("*.whl")))
    shutil.copy(ROOT / "deploy" / "bundle" / "install.sh", folder)
    (folder / "VERSION").write_text(f"{version}\n")
    (folder / "sbom.json").write_text(list_components(wheels.glob("*.whl"), version))
    for name in BESIDE:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = [f"{digest(path)}  {path.relative_to(folder)}\n" for path in files]
    (folder / SUMS).write_text("".join(lines))


def pack(folder: Path, archive: Path) -> None:
    """The same bytes for the same files: sorted, without times and owners."""

    def anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.mtime = entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mode = EXECUTABLE if entry.isdir() or entry.name.endswith("install.sh") else READABLE
        return entry

    with tarfile.open(archive, "w") as tar:
        for path in sorted(folder.rglob("*")):
            tar.add(path, f"{archive.stem}/{path.relative_to(folder)}", recursive=False, filter=anonymous)


def main() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    own = max(DIST.glob(f"lustra-{version}-*.whl"), key=lambda path: path.stat().st_mtime)
    for leftover in (FOLDER, DIST / "wheels"):
        shutil.rmtree(leftover, ignore_errors=True)
    collect_wheels(DIST / "wheels")
    shutil.copy(own, DIST / "wheels")
    FOLDER.mkdir()
    fill(FOLDER, DIST / "wheels", version)
    shutil.rmtree(DIST / "wheels")
    archive = DIST / f"{name_bundle(version)}.tar"
    pack(FOLDER, archive)
    archive.with_suffix(".tar.sha256").write_text(f"{digest(archive)}  {archive.name}\n")
    print(f"{archive.relative_to(ROOT)}, {archive.stat().st_size >> 20} MB, and its sha256 are made")


if __name__ == "__main__":
    main()
