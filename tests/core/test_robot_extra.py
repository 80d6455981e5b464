"""What only virtual robots need is an extra: all other processes run where it is not installed."""

import subprocess
import sys
import tomllib
from pathlib import Path

from lustra.app.arguments import PROCESSES
from lustra.app.cli import ROBOT_LIBRARIES

ROOT = Path(__file__).parents[2]
WITHOUT_EXTRA = f"""
import sys
from importlib import import_module
from importlib.machinery import PathFinder


class Finder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in {ROBOT_LIBRARIES} else super().find_spec(name, path, target)


sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not PathFinder] + [Finder]
"""


def run_without_extra(program: str, *words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", WITHOUT_EXTRA + program, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_every_process_of_the_server_loads_without_the_robots_libraries():
    modules = [
        *(f"lustra.app.processes.{name}" for name in PROCESSES),
        *(f"lustra.app.commands.{name}" for name in ("up", "db", "admin", "backup")),
    ]
    program = f"""
for name in {modules}:
    import_module(name)
import_module("lustra.app.wiring").wire()
for name in import_module("lustra.app.opening").READERS:
    import_module(name)
"""
    ended = run_without_extra(program)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_the_demo_and_the_robots_are_refused_with_the_extras_name():
    start = 'import_module("lustra.app.cli").main()'
    for words in (("up", "--demo"), ("robot", "--fleet", "a", "--state", "b"), ("demo", "--fleet", "a")):
        ended = run_without_extra(start, *words)
        assert ended.returncode == 1
        assert ended.stderr.strip().endswith("pip install 'lustra[robot]'")


def test_the_extra_names_what_the_command_asks_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    packages = {name.replace("cv2", "opencv-python-headless") for name in ROBOT_LIBRARIES}
    assert {line.partition(">=")[0] for line in project["optional-dependencies"]["robot"]} == packages
    assert not packages & {line.partition(">=")[0] for line in project["dependencies"]}
