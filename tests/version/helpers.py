"""What the tests of versions have in common."""

from typing import Any

from tests.world import World

KEYS = (
    "update role set keys = keys || '{version/soft,version/fireware,version/fireware/enable,version/app,"
    "version/app/publish,version/index/whole_version,version/index/whole_version/publish,"
    "version/index/cloud_version,version/configure}'::text[]"
)
CONTENT = b"PK\x03\x04 build"


async def upload(world: World, account: str = "admin", name: str = "build.zip", content: bytes = CONTENT) -> str:
    token = await world.token(account)
    answer = await world.http.post("/api/oss/upload", files={"file": (name, content)}, headers={"token": token})
    assert answer.json()["message"]["code"] == 0
    return name


async def type_of(world: World, serial: str = "SC0001") -> int:
    return await world.pool.fetchval("select type_id from device where serial_number = $1", serial)


async def other_type(world: World) -> int:
    statement = (
        "insert into device_type (name) values ('Other') on conflict (name) do update set name = 'Other' returning id"
    )
    return await world.pool.fetchval(statement)


async def refusal(world: World, account: str, path: str, **payload: Any) -> tuple[int, str]:
    answer = (await world.post(account, path, **payload)).json()["message"]
    return answer["code"], answer["message"]


async def add_line(world: World, name: str = "Navigation", type_id: int | None = None) -> int:
    type_id = type_id or await type_of(world)
    return (await world.call("admin", "/version/insertVersion", typeName=name, typeId=type_id))["versionId"]


async def add_build(world: World, line: int, name: str = "v2024.5", **fields: Any) -> int:
    payload = {"versionId": line, "name": name, "version": "2.0.0", "log": "Faster", "file": await upload(world)}
    return (await world.call("admin", "/version/insertVersionPublic", **(payload | fields)))["publicId"]


async def publish(world: World, line: int, build: int, *serials: str) -> None:
    fields = {"versionId": line, "publicId": build, "deviceSerialNumbers": list(serials)}
    await world.call("admin", "/version/updateVersionTypeAndPublish", **fields)


async def of_robot(world: World, serial: str = "SC0001", account: str = "admin") -> str | None:
    """The name of the build that the robot is to have."""
    fields = {"typeName": "Navigation", "deviceSerialNumber": serial}
    code, data = await world.raw(account, "/version/selectVersionByTypeName", **fields)
    return data["name"] if code == 0 else None


async def selected(world: World, path: str, account: str = "admin", **payload: Any) -> list[str]:
    rows = (await world.call(account, path, **payload))["list"]
    return [row["deviceSerialNumber"] for row in rows if row["selected"]]
