"""/task: tasks as the server's mirror knows them, read-only: for pages of robots that are offline."""

from datetime import datetime
from typing import Any

from lustra.core.rpc import SESSION, Ctx, Fast, Wire, call
from lustra.domains.account import support
from lustra.domains.device.scope import Where

ROWS = """
select t.name, t.map_name as "mapName", t.revision,
  case when {open} then t.content else t.content || '{{"areas": [], "start": null}}' end as content,
  t.updated_at as "updateTime"
from robot_task t where {where} order by t.map_name, t.name"""


class OfDevice(Wire):
    device_id: int


class TaskRow(Wire):
    """`content`: the task as task_info of the robot answers it, to support without its areas while access is closed."""

    name: str
    map_name: str
    revision: int
    content: dict[str, Any]
    update_time: datetime


class Tasks(Wire):
    list: list[TaskRow]


@call("/task/mirror", needs=SESSION)
async def mirror(ctx: Ctx, wanted: OfDevice) -> Fast[Tasks]:
    """The tasks of a robot, as it last told them."""
    where = Where()
    where.stamped(ctx.actor.path, "t")
    where.add("t.device_id = {} and t.deleted_at is null", wanted.device_id)
    async with ctx.app.pool.acquire() as db:
        found = await db.fetch(ROWS.format(where=where, open=support.sql(ctx.actor, "t.owner_path")), *where.values)
    return Fast({"list": [dict(row) for row in found]})
