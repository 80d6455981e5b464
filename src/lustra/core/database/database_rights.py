"""What each process may do in the database, by a role of its own; none owns anything, and none is superuser.

Rules: the owner of the tables is used by migrations and commands alone. Server and worker write rows of every table,
but the audit and its seals are only added to; both may call what erases a person from them (the worker's sealer closes
a chain without a key by it). Ingest and elevators reach the tables that are named here, and of accounts no password.
`lustra db upgrade` gives these rights to those roles that exist.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection

SERVER = "lustra_server"
WORKER = "lustra_worker"
INGEST = "lustra_ingest"
ELEVATORS = "lustra_lifts"  # stored in databases and in operators' settings under the process's former name
ROLES = (SERVER, WORKER, INGEST, ELEVATORS)
ROLE_OF_PROCESS = {
    "server": SERVER,
    "worker": WORKER,
    "ingest": INGEST,
    "elevators": ELEVATORS,
    "video": SERVER,  # it asks who may see what, as the server does
}
ADDED_TO = ("audit", "audit_seal")  # never changed, never deleted
OF_THE_OWNER = ("alembic_version",)
ALL = "select, insert, update, delete"
INGEST_WRITES = (
    "advert_delivery",
    "advert_showing",
    "area_hour",
    "chunk",
    "compaction",
    "device_log",
    "data_backup",
    "data_backup_content",
    "data_restore",
    "floor_map",
    "late_minute",
    "map_sync_target",
    "map_version",
    "need_count",
    "online_span",
    "packed_until",
    "point",
    "point_rest",
    "presence",
    "robot_need",
    "robot_occurrence",
    "robot_plan",
    "robot_refusal",
    "robot_state",
    "robot_task",
    "rollout_robot",
    "stream_position",
    "tablet_delivery",
    "task_report",
)
INGEST_READS = (
    "advert",
    "device",
    "former_owner",
    "lease",
    "map_sync",
    "message",
    "retention",
    "rollout",
    "stored_file",
)
OF_DEVICES = "commands, abilities, address, address1, firmware_version, pad_version"
ELEVATORS_READ = ("device", "elevator", "lift_ride")
ALARMS = (
    "alarm_raise(bigint, text, text, text, timestamptz, int, text),"
    " alarm_clear(bigint, text, text, text, timestamptz),"
    " alarm_raise_all(bigint[], text, text[], text[], timestamptz[], int[], text[]),"
    " alarm_clear_all(bigint[], text, text[], text[], timestamptz[]),"
    " alarm_resync_all(bigint[], timestamptz[], bigint[], text[])"
)
HOLD = "hold_object(bigint, text, text, bigint, bigint)"
TELL_MAPS_FULL = "tell_maps_full(bigint, bigint, text, text, text)"
TELL_WET_FLOOR = "tell_wet_floor(text, text, bigint, text[], interval)"
OPEN_COLUMNS = "id, account, name, level, roles, parent_id, path, shadow_of, language, created_at, deleted_at"
TABLES = """select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')"""
EXISTING = "select rolname from pg_roles where rolname = any(:names)"


def rights(role: str, tables: list[str]) -> Iterator[str]:
    """Statements that give a role what it may do, after everything was taken from it."""
    yield f"revoke all on all tables in schema public from {role}"
    yield f"grant usage on schema public to {role}"
    if role in {SERVER, WORKER}:
        for table in tables:
            if table not in OF_THE_OWNER:
                yield f'grant {"select, insert" if table in ADDED_TO else ALL} on "{table}" to {role}'
        yield f"grant usage, select on all sequences in schema public to {role}"
        yield f"grant execute on function audit_erase(bigint, jsonb) to {role}"
    if role == SERVER:
        yield f"grant execute on function {HOLD} to {role}"
    if role == WORKER:
        yield f"grant execute on function {ALARMS} to {role}"  # for the server's own rules
    if role == INGEST:
        yield f"grant {ALL} on {', '.join(INGEST_WRITES)} to {role}"
        yield f"grant select on {', '.join(INGEST_READS)} to {role}"
        yield f"grant update ({OF_DEVICES}) on device to {role}"
        yield f"grant select ({OPEN_COLUMNS}) on account to {role}"
        yield f"grant select, insert on audit to {role}"
        yield f"grant select, insert, update on anonymous_try to {role}"
        yield f"grant execute on function make_points(bigint), lock_points(bigint), drop_points(bigint) to {role}"
        yield f"grant execute on function {HOLD}, {TELL_MAPS_FULL}, {TELL_WET_FLOOR}, {ALARMS} to {role}"
    if role == ELEVATORS:
        yield f"grant select on {', '.join(ELEVATORS_READ)} to {role}"
        yield f"grant insert, update on lift_ride to {role}"
        yield f"grant update (live) on elevator to {role}"


def give_rights(link: "Connection") -> None:
    """To those roles that there are: a database may also be used by its owner alone."""
    from sqlalchemy import text  # noqa: PLC0415  takes longer to load than `lustra up`, which asks for the roles alone

    tables = [row.relname for row in link.execute(text(TABLES))]
    for role in link.scalars(text(EXISTING), {"names": list(ROLES)}):
        for statement in rights(role, tables):
            link.execute(text(statement))
