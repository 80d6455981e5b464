"""Programs of the peers, in a folder beside the tests' packages: nothing is installed on the machine itself.

Zabbix: packages of Debian or Ubuntu, unpacked. Home Assistant: packages of PyPI in an environment of its own.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / ".venv" / "peers"
PACKAGE = "zabbix-server-pgsql"
REQUIREMENTS = HERE / "home-assistant.txt"


class Missing(Exception):
    """A peer cannot be installed here; says why."""


@dataclass(frozen=True)
class Zabbix:
    program: Path
    libraries: Path
    tables: Path  # folder of the SQL that makes its database


def run(*words: object, folder: Path | None = None) -> str:
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Missing(f"{words[0]} failed: {done.stderr.strip().splitlines()[-1:]}")
    return done.stdout


def install_zabbix() -> Zabbix:
    """Raises Missing."""
    folder = FOLDER / "zabbix"
    if not folder.exists():
        if not shutil.which("apt-get"):
            raise Missing("there is no apt-get")
        new = FOLDER / "zabbix.new"
        shutil.rmtree(new, ignore_errors=True)
        (new / "packages").mkdir(parents=True)
        plan = run("apt-get", "--simulate", "-qq", "install", "--no-install-recommends", PACKAGE)
        names = {words[1] for words in map(str.split, plan.splitlines()) if words[:1] == ["Inst"]}
        run("apt-get", "download", "-qq", *sorted(names | {PACKAGE}), folder=new / "packages")
        for package in (new / "packages").glob("*.deb"):
            run("dpkg", "-x", package, new)
        new.rename(folder)
    (program,) = folder.glob("usr/sbin/zabbix_server")
    (library,) = folder.glob("usr/lib/*/libodbc.so.2")
    return Zabbix(program, library.parent, folder / "usr/share/zabbix-server-pgsql")


def install_home_assistant() -> Path:
    """Gives its program. Raises Missing."""
    folder = FOLDER / "home-assistant"
    if not folder.exists():
        if sys.version_info[:2] != (3, 11):
            raise Missing("its version is for Python 3.11")
        new = FOLDER / "home-assistant.new"
        shutil.rmtree(new, ignore_errors=True)
        FOLDER.mkdir(parents=True, exist_ok=True)
        run(sys.executable, "-m", "venv", new)
        run(new / "bin/pip", "install", "-q", "--no-deps", "-r", REQUIREMENTS)
        new.rename(folder)  # its programs name the former folder, so it is run as a module
    return folder / "bin/python"


def library_path(zabbix: Zabbix) -> dict[str, str]:
    return {**os.environ, "LD_LIBRARY_PATH": str(zabbix.libraries)}
