"""`lustra robot check URL`: tries a maker's local API against the documents, and says what does not hold.

Exit code 0: nothing is broken; 1: a case is; 2: nobody answers at all.
"""

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import aiohttp

from lustra.protocol.commands import API1_SINCE
from lustra.robot.check.ask import Absent, Broken, Robot
from lustra.robot.check.cases import CASES, LEAST, Case

Mark = Literal["ok", "BROKEN", "absent", "left out"]
WIDTH = 9  # of the marks in the report


@dataclass(frozen=True, slots=True)
class Outcome:
    """`why`: what is broken, or which command is absent."""

    case: Case
    mark: Mark
    why: str = ""


async def run_case(robot: Robot, case: Case, *, moves: bool) -> Outcome:
    if case.moves and not moves:
        return Outcome(case, "left out", "it moves the robot: --moves")
    try:
        await case.run(robot)
    except Broken as why:
        return Outcome(case, "BROKEN", str(why))
    except Absent as command:
        name = str(command)
        return Outcome(case, "BROKEN" if name in LEAST else "absent", f"no {name}")
    return Outcome(case, "ok")


async def run_cases(url: str, *, protocol: int = API1_SINCE, moves: bool = False) -> list[Outcome]:
    async with aiohttp.ClientSession() as session:
        robot = Robot(session, url.rstrip("/"), protocol)
        return [await run_case(robot, case, moves=moves) for case in CASES]


def report(outcomes: Sequence[Outcome]) -> str:
    """A line for each case, and the sum."""
    lines = [
        f"{place:2} {outcome.mark:{WIDTH}} {outcome.case.rule}{f' ({outcome.why})' if outcome.why else ''}"
        for place, outcome in enumerate(outcomes, 1)
    ]
    marks = [outcome.mark for outcome in outcomes]
    sums = ", ".join(f"{marks.count(mark)} {mark}" for mark in ("ok", "BROKEN", "absent", "left out"))
    return "\n".join([*lines, f"{len(outcomes)} cases: {sums}", ""])


async def reaches(url: str) -> bool:
    try:
        async with aiohttp.ClientSession() as session, session.get(url):
            return True
    except (aiohttp.ClientError, OSError, TimeoutError, ValueError):
        return False


def main(url: str, *, protocol: int, moves: bool) -> int:
    """The exit code."""
    if not asyncio.run(reaches(url)):
        sys.stderr.write(f"{url}: nobody answers\n")
        return 2
    outcomes = asyncio.run(run_cases(url, protocol=protocol, moves=moves))
    sys.stdout.write(report(outcomes))
    return int(any(outcome.mark == "BROKEN" for outcome in outcomes))
