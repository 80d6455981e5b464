"""Reports of runs as robots tell them, and what is known of a run before its report.

Rules: a run counts once, by robot and run id; it belongs to who owned the robot when the run began; a run that is
under way stands as `running`, one whose robot went silent as `interrupted`, with what its states told; the robot's
report replaces that, whenever it comes.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from lustra.core.db import Connection
from lustra.protocol.bus import Report

LATEST_AT = 253_402_300_800_000
LONGEST = 256
READ = msgspec.json.Decoder(Report)

VALUES = {
    "map_revision": "int",
    "planned": "real",
    "reachable": "real",
    "cleaned": "real",
    "coverage": "real",
    "battery_from": "real",
    "battery_to": "real",
    "liquid_ml": "real",
    "distance": "real",
    "pauses": "int",
    "paused_s": "real",
    "clean_mode": "text",
    "route": "text",
    "speed": "text",
    "faults": "text[]",
    "factor": "real",
    "cells": "jsonb",
    "driven": "real[]",
}
NAMES = ", ".join(VALUES)
KEEP = f"""
with come as (
  select distinct on (d.id, r.id) d.id as device_id, o.owner_id, o.owner_path, d.address, d.address1, r.*
  from jsonb_to_recordset($1::text::jsonb) as r(sn text, id text, task text, map text, started bigint, ended bigint,
    "end" text, {", ".join(f"{name} {kind}" for name, kind in VALUES.items())})
  join device d on d.serial_number = r.sn and d.deleted_at is null, owner_at(d.id, r.started) o
  order by d.id, r.id, r.ended desc
), kept as (
  insert into task_report (device_id, owner_id, owner_path, run, provisional, map_id, building, floor, map_name,
    task_name, started, ended, "end", {NAMES})
  select c.device_id, c.owner_id, c.owner_path, c.id, false, m.id, coalesce(nullif(m.building, ''), c.address),
    coalesce(nullif(m.floor, ''), c.address1), c.map, c.task, to_timestamp(c.started / 1000.0),
    to_timestamp(c.ended / 1000.0), c."end", {", ".join(f"c.{name}" for name in VALUES)}
  from come c left join floor_map m on m.device_id = c.device_id and m.owner_id = c.owner_id and m.name = c.map
  on conflict (device_id, run) do update set provisional = false, updated_at = now(),
    (map_id, building, floor, map_name, task_name, started, ended, "end", {NAMES}) =
    (excluded.map_id, excluded.building, excluded.floor, excluded.map_name, excluded.task_name, excluded.started,
     excluded.ended, excluded."end", {", ".join(f"excluded.{name}" for name in VALUES)})
  where task_report.provisional
)
select sn, array_agg(id) as ids from come group by sn"""
BEGUN = """
insert into task_report (device_id, owner_id, owner_path, run, provisional, map_id, map_revision, building, floor,
  map_name, task_name, started, ended, "end", planned, cleaned, battery_from, battery_to, factor)
select d.id, o.owner_id, o.owner_path, s.run, true, m.id, s.map_revision, coalesce(nullif(m.building, ''), d.address),
  coalesce(nullif(m.floor, ''), d.address1), s.map, s.task, to_timestamp(s.run_since / 1000.0),
  to_timestamp(s.at / 1000.0), 'running', s.planned, s.cleaned, s.run_battery, s.battery, s.simulated
from robot_state s join device d on d.id = s.robot and d.deleted_at is null
  join lateral owner_at(d.id, s.run_since) o on true
  left join floor_map m on m.device_id = d.id and m.owner_id = o.owner_id and m.name = s.map
where s.run <> '' and not exists (select from task_report r where r.device_id = s.robot and r.run = s.run)
on conflict (device_id, run) do nothing"""
UNDER_WAY = """
update task_report r set cleaned = s.cleaned, planned = s.planned, ended = to_timestamp(s.at / 1000.0),
  battery_to = s.battery, liquid_ml = null, updated_at = now(),
  "end" = case when p.online then 'running' else 'interrupted' end
from robot_state s join presence p using (robot)
where r.provisional and r.device_id = s.robot and r.run = s.run and (
  r.ended < to_timestamp(s.at / 1000.0) or r."end" <> case when p.online then 'running' else 'interrupted' end)"""
# The robot does something else by now; its report is at most a moment behind, unless it lost the run.
LEFT = """
update task_report r set "end" = 'interrupted', updated_at = now() from robot_state s
where r.provisional and r."end" = 'running' and r.device_id = s.robot and r.run <> s.run
  and r.updated_at < now() - interval '1 minute'"""


def read(data: bytes) -> Report | None:
    """The report, or None if it is none that can be kept."""
    if b"\\u0000" in data:
        return None
    try:
        report = READ.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    times = 0 < report.started <= report.ended < LATEST_AT
    names = (report.id, report.task, report.map)
    return report if times and report.id and all(len(name) <= LONGEST for name in names) else None


def shifted(report: Report, ended: int) -> Report:
    """With another end, where the robot's clock was wrong; it took as long as the robot says."""
    if ended == report.ended:
        return report
    return msgspec.structs.replace(report, started=report.started + ended - report.ended, ended=ended)


async def keep(db: Connection, reports: Sequence[tuple[str, Report]]) -> dict[str, list[str]]:
    """One statement for all; a report that is there already stays as it is. Whose reports stand now, by their ids.

    Unscoped: robots tell of their own.
    """
    if not reports:
        return {}
    rows = msgspec.json.encode([{"sn": sn, **_whole(report)} for sn, report in reports]).decode()
    return {row["sn"]: row["ids"] for row in await db.fetch(KEEP, rows)}


def _whole(report: Report) -> dict[str, Any]:
    """Fields that stand at their default are left out on the wire; a row has them all."""
    return {name: msgspec.to_builtins(getattr(report, name)) for name in report.__struct_fields__}


async def follow(db: Connection) -> None:
    """Keeps what is known of runs whose report has not come. Unscoped: of all robots."""
    await db.execute(BEGUN)
    await db.execute(UNDER_WAY)
    await db.execute(LEFT)
