"""Has cameras recorded whose robots have a rule for it (domains/video/rules): orders pictures, and says that they are
to be stored.

Rule: an order is short and renewed while its rule holds, so that a camera stops soon after; a robot that does not
answer is asked again a little later and holds up no other.
"""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import msgspec
import structlog

from lustra.core.bus import Silent
from lustra.core.process.tasks import ending
from lustra.domains.alarm.api import RECENT_ALARMS
from lustra.domains.video.api import EVERY, passes, queries, rules
from lustra.video.hall import Hall

LOOK_S = 2.0
ORDER_S = 60.0
RENEWED_BEFORE = timedelta(seconds=30)
AGAIN = timedelta(seconds=15)  # to a robot that did not answer
ANSWER_S = 5.0
Key = tuple[int, str]  # number of the robot, name of the camera

log = structlog.get_logger(__name__)


class Recorder:
    def __init__(self, hall: Hall) -> None:
        self.hall, self.app, self.clock = hall, hall.app, hall.clock
        self.not_before: dict[Key, datetime] = {}

    async def run(self) -> None:
        """For as long as its task lives."""
        while not ending():
            try:
                await self.look()
            except Exception as why:  # noqa: BLE001  whatever it is, the rules hold still
                log.warning("rules.again", why=repr(why))
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        now = self.clock()
        rows = await self.app.pool.fetch(EVERY.sql(queries.RULES))
        alarms = await self.load_alarms([row["device_id"] for row in rows if row["alarm_level"]], now)
        in_force: list[tuple[asyncpg.Record, rules.Rule, rules.RecordReason]] = []
        for row in rows:
            rule = read_rule(row)
            reason = rule.find_reason(rules.localize(now, row["zone"]), alarms.get(row["device_id"], {}))
            if reason and rule.cameras:
                in_force.append((row, rule, reason))
        spaces = await self.hall.check_space({row["owner_id"] for row, _, _ in in_force})
        due: dict[Key, tuple[str, rules.RecordReason]] = {
            (row["device_id"], camera): (row["serial_number"], reason)
            for row, rule, reason in in_force
            if not spaces[row["owner_id"]].full
            for camera in rule.cameras
        }
        await self.app.pool.execute(EVERY.sql(queries.END_BY_RULE), *split(due))
        running = {(row["device_id"], row["camera"]): row for row in await self.load_running(due)}
        self.not_before = {key: at for key, at in self.not_before.items() if key in due}
        await asyncio.gather(*(self.record(key, *due[key], running.get(key), now) for key in due))

    async def load_alarms(self, robots: list[int], now: datetime) -> dict[int, dict[int, datetime]]:
        """Of each robot the time of the newest alarm of each level."""
        if not robots:
            return {}
        since = now - timedelta(seconds=rules.ALARM_S.stop)
        alarms: dict[int, dict[int, datetime]] = {}
        for row in await self.app.pool.fetch(EVERY.sql(RECENT_ALARMS), robots, since):
            alarms.setdefault(row["device_id"], {})[row["level"]] = row["last_at"]
        return alarms

    async def load_running(self, due: dict[Key, Any]) -> list[asyncpg.Record]:
        return await self.app.pool.fetch(EVERY.sql(queries.RUNNING), *split(due)) if due else []

    async def record(
        self, key: Key, sn: str, reason: rules.RecordReason, running: asyncpg.Record | None, now: datetime
    ) -> None:
        device, camera = key
        until = now + timedelta(seconds=ORDER_S)
        if running is None or running["until_at"] < now + RENEWED_BEFORE:
            if now < self.not_before.get(key, now):
                return
            self.not_before[key] = now + AGAIN
            if not await self.order(device, sn, camera):
                return
        elif running["recording"] and running["reason"] in ("person", reason):
            return
        self.not_before.pop(key, None)
        await self.app.pool.execute(EVERY.sql(queries.RECORD_BY_RULE), device, camera, until, reason)

    async def order(self, device: int, sn: str, camera: str) -> bool:
        """Whether the robot sends what the camera sees."""
        order = passes.sign_order(self.app.settings, device, camera, ORDER_S)
        try:
            answer = await self.app.bus.ask(sn, "sendvideo", order, ANSWER_S)
        except Silent:
            return False
        return not answer.get("code")


def split(keys: dict[Key, Any]) -> tuple[list[int], list[str]]:
    return [device for device, _ in keys], [camera for _, camera in keys]


def read_rule(row: asyncpg.Record) -> rules.Rule:
    days, cameras = msgspec.json.decode(row["days"]), msgspec.json.decode(row["cameras"])
    return rules.Rule(cameras, days, row["starts"], row["ends"], row["alarm_level"], row["alarm_s"])
