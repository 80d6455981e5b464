from collections.abc import Callable
from pathlib import Path

import check_doors
import pytest
from house import ROOT

INIT = "src/lustra/domains/{}/__init__.py"


@pytest.fixture
def house(project: Callable[..., Path]) -> Path:
    modules = {"pump/api": "from lustra.domains.pump.service import start\n", "pump/service": "start = 1\n"}
    files = {f"src/lustra/domains/{name}.py": text for name, text in modules.items()}
    return project({**files, INIT.format("pump"): "", INIT.format("tank"): ""})


@pytest.mark.parametrize(
    "line",
    [
        "from lustra.domains.pump.service import start",
        "from lustra.domains.pump import service",
        "import lustra.domains.pump.service",
        "from lustra.domains import pump",
    ],
)
@pytest.mark.parametrize("name", ["domains/tank/service.py", "live/push.py", "app/server.py"])
def test_a_domain_is_entered_by_its_door_alone(house: Path, name: str, line: str):
    path = house / "src" / "lustra" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"def run():\n    {line}\n", "utf-8")
    (report,) = check_doors.problems(house)
    assert report.startswith(f"src/lustra/{name}:2: imports lustra.domains.pump")


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("domains/tank/service.py", "from lustra.domains.pump.api import start"),
        ("domains/tank/service.py", "from lustra.domains.pump import api"),
        ("domains/pump/calls.py", "from lustra.domains.pump import service"),
        ("app/wiring.py", "from lustra.domains.pump import service"),
        ("app/demo/seed.py", "from lustra.domains.pump import service"),
    ],
)
def test_the_door_the_domain_itself_and_the_wiring_are_let_in(house: Path, name: str, line: str):
    path = house / "src" / "lustra" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{line}\n", "utf-8")
    assert check_doors.problems(house) == []


def test_every_domain_of_the_house_is_entered_by_its_door():
    assert check_doors.problems(ROOT) == []
