"""A robot's planner: it works beside the robot's loop, so that the robot speaks, drives and stops meanwhile.

Rules: equal questions that are being worked out are one. An answer of the local API waits for a way for ANSWER_S; what
takes longer is worked out after the answer, and counted in the state until it is done.
"""

import asyncio
import logging
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot import plan_cache
from lustra.robot.navigation.planner import NoPath, Plan
from lustra.robot.plan_cache import PlanRequest

log = logging.getLogger(__name__)
ANSWER_S = 1.0
POOL = ThreadPoolExecutor(4, "planner")  # for all robots of the process
T = TypeVar("T")


@dataclass
class Preparation:
    """A start whose way is being planned. `dropped`: somebody has ended it before it began; `paused`: it begins with a
    pause."""

    task: str
    dropped: bool = False
    paused: bool = False


@dataclass
class Planner:
    """`late`: what goes on after its answer. `woken`: the robot's, which says anew what it does."""

    woken: asyncio.Event
    preparation: Preparation | None = None
    questions: dict[PlanRequest, "asyncio.Task[Plan]"] = field(default_factory=dict[PlanRequest, "asyncio.Task[Plan]"])
    late: "set[asyncio.Task[Any]]" = field(default_factory=set["asyncio.Task[Any]"])

    async def plan(self, request: PlanRequest) -> Plan:
        if request not in self.questions:
            task = asyncio.create_task(self.work_out(request))
            self.questions[request] = task
            task.add_done_callback(lambda _: self.questions.pop(request))
        return await asyncio.shield(self.questions[request])

    async def work_out(self, request: PlanRequest) -> Plan:
        try:
            return await asyncio.get_running_loop().run_in_executor(POOL, plan_cache.shared_plan, request)
        except NoPath as e:
            raise RobotRefusal(RelayCode.BAD_INPUT, e.reason, str(e), "path" if request.line else "start") from e

    async def answer_soon(self, work: Coroutine[Any, Any, T]) -> "tuple[asyncio.Task[T], bool]":
        """Begins it; whether it is done within the time of an answer. What is not goes on."""
        task = asyncio.create_task(work)
        done, _ = await asyncio.wait({task}, timeout=ANSWER_S)
        if not done:
            self.late.add(task)
            self.woken.set()
            task.add_done_callback(self.end)
        return task, bool(done)

    def end(self, task: "asyncio.Task[Any]") -> None:
        self.late.discard(task)
        self.woken.set()
        if not task.cancelled() and task.exception() and not isinstance(task.exception(), RobotRefusal):
            log.error("planning has failed", exc_info=task.exception())

    def drop_start(self) -> bool:
        """A start that is being prepared does not begin any more; whether there was one."""
        preparation, self.preparation = self.preparation, None
        if preparation:
            preparation.dropped = True
        return preparation is not None
