import shutil
from collections.abc import Callable
from pathlib import Path

import check_layers
import pytest
from house import ROOT

DOMAIN = "src/lustra/domains/map"


@pytest.fixture
def copy(project: Callable[..., Path]):
    """The server's sources and its contracts, to be spoiled."""
    root, package = project({}), ROOT / "src" / "lustra"
    shutil.copytree(package, root / "src" / "lustra", ignore=shutil.ignore_patterns("*.pyc", "assets"))
    shutil.copy(ROOT / "pyproject.toml", root)
    return root


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("src/lustra/protocol/subjects.py", "import lustra.core.errors"),
        ("src/lustra/robot/robot.py", "import lustra.core.errors"),
        ("src/lustra/robot/maps/floor.py", "import lustra.robot.navigation.lattice"),
        ("src/lustra/core/errors.py", "import lustra.core.query"),  # a circle
        ("src/lustra/relay/tunnel_server.py", "import lustra.domains.device"),
        (f"{DOMAIN}/tables.py", "import lustra.domains.report"),
        (f"{DOMAIN}/tables.py", f"import {DOMAIN.replace('/', '.').removeprefix('src.')}.service"),
    ],
)
def test_import_against_the_layers_is_found(copy: Path, name: str, line: str):
    path = copy / name
    path.write_text(path.read_text("utf-8") + f"\n{line}\n", "utf-8")
    reports = check_layers.problems(copy)
    assert any("BROKEN" in report for report in reports), reports


def test_order_inside_a_new_domain_is_held_too(copy: Path):
    domain = copy / "src/lustra/domains/stray"
    domain.mkdir()
    for name, text in {"__init__": "", "service": "", "tables": "import lustra.domains.stray.service\n"}.items():
        (domain / f"{name}.py").write_text(text, "utf-8")
    problems = check_layers.problems(copy)
    assert any("inside a domain" in line and "BROKEN" in line for line in problems), problems


def test_module_that_the_linter_did_not_see_is_problems(copy: Path):
    (copy / "src/lustra/unseen").mkdir()
    (copy / "src/lustra/unseen/module.py").write_text("", "utf-8")
    assert any("import-linter saw" in report for report in check_layers.problems(copy))


def test_domain_without_a_tier_is_found(copy: Path):
    (copy / "src/lustra/domains/stray").mkdir()
    (copy / "src/lustra/domains/stray/__init__.py").write_text("", "utf-8")
    assert check_layers.problems(copy)
