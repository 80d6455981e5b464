"""One statement for all who ask the same at the same time.

Rules: such a statement takes a list for each value, and names each row that it answers by `n`, the place in these lists
of whoever asked, from 1. It is committed before anybody is answered. While it runs, and for a moment after it began,
whoever comes waits for the next; of askers with the same first value one goes at a time, in their order.
"""

import asyncio
from dataclasses import dataclass
from typing import Any

import asyncpg

MOST = 500  # askers of one statement
APART_S = 0.02  # so long from the beginning of one to that of the next: who asks alone does not wait


@dataclass(frozen=True, slots=True)
class _Asker:
    values: tuple[Any, ...]
    answer: asyncio.Future[dict[str, Any] | None]


class Batches:
    def __init__(self, pool: asyncpg.Pool) -> None:
        self.pool = pool
        self.waiting: dict[str, list[_Asker]] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.begun: dict[str, float] = {}

    async def fetch_row(self, sql: str, *values: Any) -> dict[str, Any] | None:
        """The row that is the asker's; None: there is none."""
        asker = _Asker(values, asyncio.get_running_loop().create_future())
        self.waiting.setdefault(sql, []).append(asker)
        if sql not in self.tasks:
            self.tasks[sql] = asyncio.create_task(self._run(sql))
        return await asker.answer

    async def _run(self, sql: str) -> None:
        clock = asyncio.get_running_loop().time
        try:
            while sql in self.waiting:
                await asyncio.sleep(self.begun.get(sql, -APART_S) + APART_S - clock())
                self.begun[sql] = clock()
                await self._answer(sql, self._take(sql))
        finally:
            del self.tasks[sql]

    def _take(self, sql: str) -> list[_Asker]:
        first: dict[Any, _Asker] = {}
        later: list[_Asker] = []
        for asker in self.waiting.pop(sql, []):
            if len(first) < MOST and asker.values[0] not in first:
                first[asker.values[0]] = asker
            else:
                later.append(asker)
        if later:
            self.waiting[sql] = later
        return list(first.values())

    async def _answer(self, sql: str, askers: list[_Asker]) -> None:
        try:
            rows = await self.pool.fetch(sql, *map(list, zip(*(asker.values for asker in askers), strict=True)))
        except Exception as why:  # noqa: BLE001  whatever it is, it is theirs who asked
            for asker in askers:
                if not asker.answer.done():
                    asker.answer.set_exception(why)
            return
        by_place = {row["n"]: dict(row) for row in rows}
        for place, asker in enumerate(askers, 1):
            if not asker.answer.done():
                asker.answer.set_result(by_place.get(place))
