"""docs/robot-bus.md, robot.asyncapi.json and robot.openapi.json tell the protocol as it is in src/lustra/protocol."""

from pathlib import Path

import make_asyncapi
import make_robot_bus
import make_robot_openapi
from house import tell


def problems(root: Path) -> list[str]:
    scripts = {
        "robot-bus.md": make_robot_bus,
        "robot.asyncapi.json": make_asyncapi,
        "robot.openapi.json": make_robot_openapi,
    }
    return [
        f"docs/{name} is not what protocol/ says: scripts/{script.__name__}.py"
        for name, script in scripts.items()
        if (root / "docs" / name).read_text("utf-8") != script.page()
    ]


if __name__ == "__main__":
    tell(problems)
