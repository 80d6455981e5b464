"""Coverage to the line, also of what waits: by itself it loses lines there, and costs twice as much."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import greenlet
import pytest
from coverage.tracer import CTracer


def make_task_class() -> type:
    """A task whose coroutine goes on by itself where the future for which it waited has failed: the future raises.

    asyncio throws the failure into the coroutine. Python 3.11 tells no tracer that a function goes on so, and coverage
    takes the lines after it for its caller's.
    """
    python_task: Any = vars(asyncio.tasks)["_PyTask"]
    step = vars(python_task)["_Task__step"]
    return type("Task", (python_task,), {"_Task__wakeup": lambda task, _: step(task)})


@contextmanager
def exact_coverage() -> Iterator[None]:
    """Coverage follows no call inside of a greenlet: nothing of ours runs in those that SQLAlchemy makes.

    Its own way with greenlets (`concurrency = ["greenlet"]`) looks at each call of any function which greenlet it runs
    in, which is half of its cost, and takes lines after a switch for lines of the other greenlet.
    """
    tracer = sys.gettrace()
    if not isinstance(tracer, CTracer):  # no coverage is measured
        yield
        return

    def follow(_event: str, switch: tuple[greenlet.greenlet, greenlet.greenlet]) -> None:
        if switch[1].parent is None:
            tracer.start()
        else:
            tracer.stop()

    earlier = greenlet.settrace(follow)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio.tasks, "Task", make_task_class())
        yield
    greenlet.settrace(earlier)
