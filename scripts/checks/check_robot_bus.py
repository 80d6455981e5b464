"""docs/robot-bus.md and docs/robot.asyncapi.json tell the protocol as it is in src/lustra/protocol."""

from pathlib import Path

import make_asyncapi
import make_robot_bus
from house import tell


def problems(root: Path) -> list[str]:
    scripts = {"robot-bus.md": make_robot_bus, "robot.asyncapi.json": make_asyncapi}
    return [
        f"docs/{name} is not what protocol/ says: scripts/{script.__name__}.py"
        for name, script in scripts.items()
        if (root / "docs" / name).read_text("utf-8") != script.page()
    ]


if __name__ == "__main__":
    tell(problems)
