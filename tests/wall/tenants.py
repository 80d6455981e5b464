"""A tree of tenants in which everyone owns something, and the rule of who may see it, told once more by itself."""

import hashlib
from dataclasses import dataclass

import msgspec

from lustra.domains.account import keys
from lustra.domains.alarm import keep as alarms
from lustra.domains.report import keep as reports
from lustra.domains.task import mirror as tasks
from lustra.protocol import bus
from tests.world import SYNCED, World, drawn, keep_map, report

ABOVE = {  # account: the one above it
    "admin": "",
    "dealer": "admin",
    "rival": "admin",
    "user": "dealer",
    "user2": "dealer",
    "rivaluser": "rival",
    "sub": "user",
    "sub2": "user",
    "subsub": "sub",
    "shadow": "user",
    "software": "admin",
    "hardware": "admin",
    "making": "admin",
    "aftersales": "admin",
    "operations": "admin",
}
STAFF = {"software", "hardware", "making", "aftersales", "operations"}
OWNERS = ("dealer", "user", "user2", "sub", "sub2", "subsub", "rival", "rivaluser")
NEW = {"user2": (3, keys.ORDINARY), "sub2": (4, keys.ORDINARY)}
CUSTOMERS = {"user", "user2", "rivaluser"}
CLOSED = {"user2", "rivaluser"}  # those that let no support in
BOUND = {"rivaluser": "subsub"}  # whose robot is bound to which account
SOLD = ("user2", "rivaluser")  # a robot went from one to the other: what it did before stays where it was

BACKED_UP = """
with made as (
  insert into data_backup (device_id, owner_id, owner_path, file_name, place, status)
  select id, owner_id, owner_path, $2, 'backups/' || $2, 'finished' from device where id = $1 returning id)
insert into data_backup_content select id, '[]', '{}' from made returning backup_id"""
SNOOZED = "insert into alarm_snooze (device_id, until) values ($1, now() + interval '1 day') returning id"
ROLLED_OUT = """with made as (
  insert into rollout (owner_id, owner_path, name, version, size, steps, failure_share, state)
  select id, path, $2, $2, 1, '[100]', 10, 'running' from account where id = $1 returning id)
insert into rollout_robot (rollout_id, device_id, step, target) select id, $3, 1, $2 from made returning rollout_id"""
CHECKED = """
insert into spot_check (owner_id, owner_path, device_id, map_id, building, floor, map_name, room, room_name, items,
  score, note, photo, ref, checked_at, day)
select owner_id, owner_path, device_id, id, '', '', name, '', name, '{"floor": 3}',
  300, name, $2, 'form ' || name, now(), '2026-01-02'
from floor_map where device_id = $1 returning id"""
RESTORING = """
insert into data_restore (until, backup_id, device_id, owner_id, owner_path)
select now() + interval '1 hour', id, device_id, owner_id, owner_path from data_backup where id = $1 returning id"""


def chain(account: str) -> list[str]:
    """The account and all above it."""
    return [account, *chain(ABOVE[account])] if account else []


def root(actor: str) -> str:
    """From where on down it sees: staff as the admin that made them, a shadow as its account."""
    return ABOVE[actor] if actor in STAFF or actor == "shadow" else actor


def sees(actor: str, owner: str) -> bool:
    return root(actor) in chain(owner)


def sees_handed_out(actor: str, owner: str) -> bool:
    """What an owner hands out is for those below, too."""
    return sees(actor, owner) or owner in chain(root(actor))


def shut_out(actor: str, owner: str) -> bool:
    """Of its maps, as support."""
    return actor in STAFF | {"admin", "dealer", "rival"} and bool(CLOSED & set(chain(owner)))


def sees_robot(actor: str, owner: str) -> bool:
    return sees(actor, owner) or (owner in BOUND and sees(actor, BOUND[owner]))


@dataclass
class Things:
    """What an account owns, by kind: ids as calls name them."""

    account: int
    device: int
    map: int
    report: int
    file: str
    group: int
    devices: int
    fitted: int
    elevator: int
    advert: int
    repair: int
    lease: int
    serial: str
    hash: str
    sim: str
    sync: int
    document: int
    article: int
    alarm: int
    log: int
    backup: int
    restore: int
    snooze: int
    rollout: int
    check: int


async def people(world: World) -> None:
    for name, (level, role) in NEW.items():
        world.accounts[name] = await world.pool.fetchval(
            "insert into account (account, name, level, roles, password, parent_id, path)"
            " select $1, $1, $2, $3, '', id, path from account where account = $4 returning id",
            name,
            level,
            [role],
            ABOVE[name],
        )
        await world.pool.execute("update account set path = path || id::text where account = $1", name)


async def catalogue(world: World) -> None:
    """One part and one batch, the first of their kind."""
    await world.pool.execute("insert into hard_category (name) values ('Pump')")
    await world.pool.execute("insert into hard_part (category_id, name) select id, 'P-40' from hard_category")
    await world.pool.execute(
        "insert into device_batch (name, low, high, type_ids, part_ids)"
        " select 'Lot', 'XX1', 'XX9', array_agg(id), '{1}' from device_type"
    )


async def furnished(world: World) -> dict[str, Things]:
    await people(world)
    await catalogue(world)
    things = {owner: await _furnish(world, owner, f"T{owner}") for owner in OWNERS}
    await world.pool.execute(
        "insert into account_subject select 'https://login.example', account, id, now() from account"
    )
    for owner, account in BOUND.items():
        await world.pool.execute(
            "insert into device_account select $1, id, path from account where id = $2",
            things[owner].device,
            world.accounts[account],
        )
    return things


async def sold(world: World) -> Things:
    """Made by the first owner; the robot is the second's since."""
    owned = await _furnish(world, SOLD[0], "Tsold")
    await world.pool.execute(
        "update device set owner_id = a.id, owner_path = a.path from account a where device.id = $1 and a.account = $2",
        owned.device,
        SOLD[1],
    )
    return owned


async def _furnish(world: World, owner: str, name: str) -> Things:
    kind = await world.pool.fetchval("select id from device_type limit 1")
    device = await world.pool.fetchval(
        "insert into device (serial_number, name, type_id, owner_id, owner_path, protocol, frp_port, sim_no)"
        " select $1, $1, $2, id, path, 3, 21000 + id, 8986000000 + id from account where account = $3 returning id",
        name,
        kind,
        owner,
    )
    async with world.pool.acquire() as db:
        event = bus.Event(at=5, id=name, kind="map", name=name, revision=1, content=msgspec.to_builtins(drawn(name)))
        await keep_map(db, world.services.objects, name, event)
        await tasks.keep(
            db, name, bus.Event(at=5, id=name, kind="task", name=name, revision=1, content={"map_name": name})
        )
        await reports.keep(db, [(name, report(task=name, map=name))])
        alarm = bus.OpenAlarm(id=name, code="stuck", since=5, detail=name)
        await alarms.keep(db, [(name, bus.Alarm(at=5, id=name, kind="raised", alarms=[alarm]))])
    await world.pool.execute("update alarm set map_name = $1 where detail = $1", name)
    token = await world.token(owner)
    answer = await world.http.post(
        "/api/oss/upload", files={"file": (f"{name}.txt", name.encode())}, headers={"token": token}
    )
    assert answer.json()["message"]["code"] == 0
    backup = await world.pool.fetchval(BACKED_UP, device, name)
    photo = hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()
    await world.services.objects.put_bytes(f"spotcheck/{photo}", b"photo")
    return Things(
        account=world.accounts[owner],
        backup=backup,
        check=await world.pool.fetchval(CHECKED, device, photo),
        snooze=await world.pool.fetchval(SNOOZED, device),
        restore=await world.pool.fetchval(RESTORING, backup),
        rollout=await world.pool.fetchval(ROLLED_OUT, world.accounts[owner], name, device),
        device=device,
        serial=name,
        hash=hashlib.sha256(name.encode()).hexdigest(),
        sim=await world.pool.fetchval("select sim_no from device where id = $1", device),
        map=await world.pool.fetchval("select id from floor_map where device_id = $1", device),
        report=await world.pool.fetchval("select id from task_report where device_id = $1", device),
        sync=await world.pool.fetchval(
            SYNCED,
            device,
        ),
        file=f"{name}.txt",
        document=await _hand_out(world, owner, name, "file"),
        article=await _hand_out(world, owner, name, "knowledge"),
        alarm=await world.pool.fetchval("select id from alarm where device_id = $1", device),
        log=await world.pool.fetchval(
            "insert into device_log (device_id, owner_id, owner_path, kind, name, size, time, place)"
            " select id, owner_id, owner_path, 'rosbag', 'stuck', 1, now(), 'robotfiles/rosbag/' || id"
            " from device where id = $1 returning id",
            device,
        ),
        group=await world.pool.fetchval(
            "insert into role_group (account_id, name, role_ids, keys) values ($1, $2, '{}', '{index}') returning id",
            world.accounts[owner],
            name,
        ),
        devices=await world.pool.fetchval(
            "with made as (insert into device_group (account_id, name) values ($1, $2) returning id)"
            " insert into device_group_member select id, $3 from made returning group_id",
            world.accounts[owner],
            name,
            device,
        ),
        fitted=await world.pool.fetchval(
            "insert into device_hard (device_id, part_id, category, name, owner_id, by_id)"
            " select $1, min(id), 'Pump', $2, $3, $3 from hard_part returning id",
            device,
            name,
            world.accounts[owner],
        ),
        advert=await world.pool.fetchval(
            "insert into advert (account_id, name, place, kind, size) values ($1, $2, $2, 'image/png', 1) returning id",
            world.accounts[owner],
            name,
        ),
        elevator=await world.pool.fetchval(
            "insert into elevator (account_id, elevator_name, building_name, floor) values ($1, $2, $2, '1')"
            " returning id",
            world.accounts[owner],
            name,
        ),
        repair=await world.pool.fetchval(
            "insert into repair (device_id, owner_id, owner_path, type, detail, date) select id, owner_id, owner_path,"
            " $2, $2, '2026-01-02' from device where id = $1 returning id",
            device,
            name,
        ),
        lease=await world.pool.fetchval(
            "insert into lease (device_id, owner_id, owner_path, customer_name, start_date, stop_date, stopped_at)"
            " select id, owner_id, owner_path, $2, '2020-01-02', '2020-01-03', '2020-01-03' from device where id = $1"
            " returning id",
            device,
            name,
        ),
    )


async def _hand_out(world: World, owner: str, name: str, kind: str) -> int:
    return await world.pool.fetchval(
        "with made as (insert into document (owner_id, owner_path, kind, name, category)"
        " select id, path, $2, $3, $3 from account where account = $1 returning id, owner_id)"
        " insert into document_file (document_id, file_id, rank) select m.id, f.id, 0 from made m"
        " join stored_file f on f.owner_id = m.owner_id and f.path = $3 || '.txt' returning document_id",
        owner,
        kind,
        name,
    )


def held(world_keys: dict[str, list[int]], actor: str) -> set[str]:
    """The keys of its roles, by the matrix of the presets."""
    return {key.key for key in keys.catalogue().values() if set(key.roles) & set(world_keys[actor])} | keys.ALWAYS


async def roles(world: World) -> dict[str, list[int]]:
    return {row["account"]: row["roles"] for row in await world.pool.fetch("select account, roles from account")}
