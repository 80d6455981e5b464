"""How tests are shared out to processes (pytest-xdist): a file stays together, whole products run two at a time.

By a scheduler, not by xdist_group: xdist writes the group's name into the test's id, and pytest 9.2 does not look there
any more, so groups fall apart without a word. Hence the last rule too: a run in which they do is refused.
"""

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

# Folders whose tests start whole products. Much of their time is waiting.
PRODUCTS = ("product", "several", "stack", "bench")
AT_ONCE = 2
# Begun first, in this order: at the end one process would do them alone. Those of video and alarms wait much.
LONGEST = (*PRODUCTS, "wall", "checks", "video", "alarm")


def together(nodeid: str) -> str:
    """Name of what stays together: the file."""
    return nodeid.partition("::")[0]


def starts_products(file: str) -> bool:
    return file.split("/")[1] in PRODUCTS


class Sharing(LoadScopeScheduling):
    def _split_scope(self, nodeid: str) -> str:
        return together(nodeid)

    def _assign_work_unit(self, node: WorkerController) -> None:
        """The first file that waits; where so many processes are at products, the first of another kind."""
        busy = [
            any(starts_products(file) and not all(tests.values()) for file, tests in files.items())
            for other, files in self.assigned_work.items()
            if other is not node
        ]
        if sum(busy) >= AT_ONCE:
            others = (file for file in self.workqueue if not starts_products(file))
            if file := next(others, None):
                self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)


class Plugin:
    def __init__(self) -> None:
        self.seen: dict[str, str] = {}  # what stays together: the process that does it

    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> Sharing:
        config.option.loadscopereorder = False  # the order is ours
        return Sharing(config, log)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        def place(item: pytest.Item) -> int:
            folder = item.nodeid.split("/")[1]
            return LONGEST.index(folder) if folder in LONGEST else len(LONGEST)

        items.sort(key=place)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        process = getattr(report, "worker_id", "")
        name = together(report.nodeid)
        assert self.seen.setdefault(name, process) == process, f"{name} is shared out to several processes"
