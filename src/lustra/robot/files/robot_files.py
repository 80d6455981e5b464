"""The robot's files by kind, and their lists for the server.

Rules: a list is sent when files came or went, at once where somebody deleted them, when one is twice as large as was
sent, and each ten minutes where one has grown; after a start each list is sent once.
"""

from dataclasses import dataclass, field

from lustra.protocol.files import DeleteFiles, FileList, LogKind
from lustra.robot.files.folder import FileFolder
from lustra.robot.files.journal import Journal
from lustra.robot.files.triggers import Triggers
from lustra.robot.outbox import Outbox
from lustra.robot.simulation.bag_recorder import BagRecorder

GROWN_MS = 600_000


@dataclass
class Announced:
    """What was said last of a kind: names with sizes, and when (ms)."""

    sizes: dict[str, int]
    at: int


@dataclass
class RobotFiles:
    outbox: Outbox
    journal: Journal
    bags: BagRecorder
    triggers: Triggers
    folders: dict[LogKind, FileFolder] = field(init=False)
    announced: dict[LogKind, Announced] = field(default_factory=dict[LogKind, Announced])

    def __post_init__(self) -> None:
        journal = self.journal
        self.folders = {
            "device": FileFolder(journal.robot.folder, ("robot-*.log",), lambda: journal.robot.name),
            "pad": FileFolder(journal.screen.folder, ("pad-*.log",), lambda: journal.screen.name),
            "rosbag": FileFolder(self.bags.folder, ("*.bag", "*.mcap")),
            "navlog": FileFolder(journal.navigation.folder, ("nav-*.log",), lambda: journal.navigation.name),
        }

    def announce(self, now_ms: int) -> None:
        """Tells the lists that have changed."""
        for kind, folder in self.folders.items():
            files = folder.list_files()
            sizes = {file.name: file.size for file in files}
            last = self.announced.get(kind)
            if last is None or has_changed(last, sizes, now_ms):
                self.announced[kind] = Announced(sizes, now_ms)
                if kind == "rosbag":
                    triggers = self.triggers.load()
                    for file in files:
                        file.trigger = triggers.get(file.name)
                self.outbox.event("files", kind, content=FileList(files=files))

    def delete(self, command: DeleteFiles, now_ms: int) -> list[str]:
        """The names of those that are gone."""
        deleted = self.folders[command.kind].delete(command.names)
        self.announce(now_ms)
        return deleted


def has_changed(last: Announced, sizes: dict[str, int], now_ms: int) -> bool:
    """Whether it is time to tell these sizes."""
    if sizes.keys() != last.sizes.keys():
        return True
    doubled = any(size > 2 * last.sizes[name] for name, size in sizes.items())
    return doubled or (sizes != last.sizes and now_ms - last.at >= GROWN_MS)
