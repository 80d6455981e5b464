"""docs/robot-bus.md tells the protocol as it is in src/lustra/protocol."""

from pathlib import Path

import make_robot_bus
from house import tell


def problems(root: Path) -> list[str]:
    same = (root / "docs" / "robot-bus.md").read_text("utf-8") == make_robot_bus.page()
    return [] if same else ["docs/robot-bus.md is not what protocol/ says: scripts/make_robot_bus.py"]


if __name__ == "__main__":
    tell(problems)
