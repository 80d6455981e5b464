"""`make bundle`: an archive that installs without a network, whole or not at all."""

import hashlib
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import bundle
import pytest

from tests.checks.conftest import ROOT

NO_NETWORK = {
    "PATH": "/usr/bin:/bin",
    "PYTHON": sys.executable,
    "PIP_INDEX_URL": "http://127.0.0.1:9/",
    "PIP_RETRIES": "0",
}
Make = Callable[[str], Path]


def make_wheel(folder: Path, name: str, version: str, text: str) -> Path:
    info = f"{name}-{version}.dist-info"
    contents = {
        f"{name}.py": text,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file, content in contents.items():
            archive.writestr(file, content)
        archive.writestr(f"{info}/RECORD", "".join(f"{file},,\n" for file in [*contents, f"{info}/RECORD"]))
    return path


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """`make("1.2.3")`: an unpacked bundle of that version, with one dependency."""

    def unpacked(version: str) -> Path:
        wheels = tmp_path / f"wheels-{version}"
        wheels.mkdir()
        make_wheel(wheels, "needed", "1.0", "WORD = 'needed'\n")
        make_wheel(wheels, "lustra", version, f"import needed\nVERSION = '{version}'\n")
        folder, archive = tmp_path / f"made-{version}", tmp_path / f"lustra-{version}-any.tar"
        folder.mkdir()
        bundle.fill(folder, wheels, version)
        bundle.pack(folder, archive)
        with tarfile.open(archive) as tar:
            tar.extractall(tmp_path)  # our own; Python 3.11.2 knows no filter
        return tmp_path / archive.stem

    return unpacked


def install(unpacked: Path, folder: Path) -> "subprocess.CompletedProcess[str]":
    words = [str(unpacked / "install.sh"), str(folder)]
    return subprocess.run(words, env=NO_NETWORK, capture_output=True, text=True, check=False)


def read_version(folder: Path) -> str:
    words = [folder / "current" / "bin" / "python", "-c", "import lustra; print(lustra.VERSION)"]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def test_a_bundle_installs_without_a_network_and_the_next_version_beside_it(make: Make, tmp_path: Path):
    folder = tmp_path / "opt"
    done = install(make("1.0.0"), folder)
    assert done.returncode == 0, done.stderr
    assert read_version(folder) == "1.0.0"
    assert install(make("1.1.0"), folder).returncode == 0
    assert read_version(folder) == "1.1.0"
    assert {path.name for path in folder.iterdir()} == {"1.0.0", "1.1.0", "current"}


@pytest.mark.parametrize("harm", ["changed", "cut", "swapped"])
def test_of_a_bundle_that_is_not_whole_nothing_is_installed(make: Make, tmp_path: Path, harm: str):
    unpacked, folder = make("1.0.0"), tmp_path / "opt"
    wheel = unpacked / "wheels" / "needed-1.0-py3-none-any.whl"
    if harm == "cut":
        wheel.unlink()
    else:
        make_wheel(wheel.parent, "needed", "1.0", "WORD = 'another'\n")
    if harm == "swapped":  # with its checksum: the lock still knows the right one
        sums = (unpacked / "SHA256SUMS").read_text().splitlines(keepends=True)
        line = f"{hashlib.sha256(wheel.read_bytes()).hexdigest()}  wheels/{wheel.name}\n"
        (unpacked / "SHA256SUMS").write_text("".join(line if wheel.name in old else old for old in sums))
    done = install(unpacked, folder)
    assert done.returncode != 0
    assert ("changed or cut" in done.stderr) == (harm != "swapped")
    assert not (folder / "1.0.0").exists()
    assert not (folder / "current").exists()


def test_the_same_files_make_the_same_archive(make: Make, tmp_path: Path):
    unpacked, again = make("1.0.0"), tmp_path / "again"
    again.mkdir()
    bundle.pack(tmp_path / "made-1.0.0", again / f"{unpacked.name}.tar")
    assert (again / f"{unpacked.name}.tar").read_bytes() == (tmp_path / f"{unpacked.name}.tar").read_bytes()


def test_a_bundle_lists_each_package_that_it_holds_with_version_licence_and_hash(make: Make):
    unpacked = make("1.0.0")
    bom = json.loads((unpacked / "sbom.json").read_text())
    assert (bom["bomFormat"], bom["specVersion"]) == ("CycloneDX", "1.6")
    parts = {part["purl"]: part for part in bom["components"]}
    wheel = unpacked / "wheels" / "needed-1.0-py3-none-any.whl"
    assert parts["pkg:pypi/needed@1.0"]["hashes"][0]["content"] == hashlib.sha256(wheel.read_bytes()).hexdigest()
    lock = json.loads((ROOT / "console" / "package-lock.json").read_text())
    react = parts[f"pkg:npm/react@{lock['packages']['node_modules/react']['version']}"]
    assert react["licenses"] == [{"license": {"name": "MIT"}}]
    assert re.fullmatch(r"[0-9a-f]{128}", react["hashes"][0]["content"])
