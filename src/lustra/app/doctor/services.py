"""Database, files, bus and processes: whether they answer, are of this version, and have room."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Iterator
from urllib.parse import urlsplit

import asyncpg
import nats
import nats.errors
import obstore
from alembic.config import Config
from alembic.script import ScriptDirectory
from nats.aio.client import Client
from nats.js.api import StreamInfo
from nats.js.errors import NotFoundError
from obstore.exceptions import BaseError
from obstore.store import from_url

from lustra.app.doctor.finding import Finding, Installation
from lustra.core import db, migrations
from lustra.core.bus import PAST, streams
from lustra.core.db import now
from lustra.core.files.disk import MB, folder_of
from lustra.core.settings import Settings, split_urls
from lustra.domains.rollout.api import RoleEnd, load_ends
from lustra.live.leaves import ANSWER_S, mirror_name
from lustra.protocol.subjects import STREAMED
from lustra.stack.certificates import trusting, unverified
from lustra.stack.http_probe import http_ok
from lustra.stack.liveness import NotYet

LEAST_MAJOR = 18
CLOCKS_APART_S = 5.0
# Each standby that follows has a row, whoever may read what stands in it.
ALONE = "select current_setting('synchronous_standby_names') <> '' and not exists (select from pg_stat_replication)"
FULL = 0.8  # of what a stream may hold
MIRROR_SILENT_NS = 60e9  # a mirror hears each second that nothing is new; after a restart it may begin 20 s later
MIRRORED = {mirror: name for name, mirror in PAST.items()}
BY_HAND_WARNING_DAYS = 60
ONLINE_WARNING_DAYS = 2  # the worker signs anew long before
PROCESSES = {"server": ("http", "/readyz"), "relay": ("relay", "/healthz")}


def known_revisions() -> tuple[str, set[str]]:
    """The newest schema of this version, and all before it."""
    config = Config()
    config.set_main_option("script_location", str(migrations.FOLDER))
    config.set_main_option("recursive_version_locations", "true")
    script = ScriptDirectory.from_config(config)
    return str(script.get_current_head()), {each.revision for each in script.walk_revisions()}


async def look_at_database(at: Installation) -> AsyncGenerator[Finding]:
    if at.stopped:
        yield Finding("database", "warning", "Lustra does not run, so its database was not looked at", "lustra up")
        return
    try:
        link = await asyncpg.connect(at.database_url, timeout=5)
    except (OSError, asyncpg.PostgresError, TimeoutError, ValueError) as why:
        advice = "See that PostgreSQL runs, and what LUSTRA_DATABASE_URL says (`lustra up`: DIR/log/postgres.log)."
        yield Finding("database", "fault", f"the database cannot be reached: {why or type(why).__name__}", advice)
        return
    try:
        faults = False
        async for finding in _look_into_database(link):
            yield finding
            faults = faults or finding.level != "ok"
    finally:
        await link.close()
    if not faults:
        async for finding in _look_at_keys(at.database_url):
            yield finding


async def _look_into_database(link: asyncpg.Connection) -> AsyncGenerator[Finding]:
    version = link.get_server_version()
    if version.major < LEAST_MAJOR:
        text = f"PostgreSQL {version.major} is too old"
        yield Finding("database", "fault", text, f"Lustra needs PostgreSQL {LEAST_MAJOR} or newer.")
    clock = float(await link.fetchval("select extract(epoch from clock_timestamp())") or 0)
    apart = abs(clock - time.time())
    if apart > CLOCKS_APART_S:
        text = f"the clocks of the database and of this machine are {apart:.0f} s apart"
        yield Finding("clock", "fault", text, "Set both by the same time server.")
    if await link.fetchval(ALONE):
        text = "every change waits: the database wants a standby to confirm it, and none follows"
        advice = "Start the standby. For as long as there is none: alter system reset synchronous_standby_names"
        yield Finding("database", "fault", text, f"{advice}; select pg_reload_conf()")
    try:
        revision = await link.fetchval("select version_num from alembic_version")
    except asyncpg.UndefinedTableError:
        yield Finding("database", "fault", "the database is empty", "lustra db upgrade, then lustra admin create")
        return
    except asyncpg.InsufficientPrivilegeError:
        text = "whether the schema is of this version cannot be read as this user"
        yield Finding("database", "warning", text, "Set LUSTRA_DATABASE_URL to that of the tables' owner.")
        return
    newest, known = known_revisions()
    if revision not in known:
        text = f"the schema ({revision}) is of a newer version than this Lustra"
        yield Finding("database", "fault", text, "Install that version, or restore the backup from before it.")
    elif revision != newest:
        text = f"the schema ({revision}) is older than this Lustra ({newest})"
        yield Finding("database", "fault", text, "lustra db upgrade (`lustra up` does it at its next start)")
    else:
        size = int(await link.fetchval("select pg_database_size(current_database())") or 0)
        yield Finding("database", "ok", f"PostgreSQL {version.major}, schema {revision}, {size // MB} MB")


async def _look_at_keys(database_url: str) -> AsyncGenerator[Finding]:
    """When the signatures run out by which robots trust updates."""
    engine = db.engine(database_url, size=1)
    try:
        async with db.sessions(engine).begin() as session:
            ends = await load_ends(session)
    finally:
        await engine.dispose()
    if not ends:
        yield Finding("update keys", "warning", "robots take no updates: there are no keys", "lustra keys make")
    for each in ends:
        if finding := _judge_end(each, (each.end - now()).days):
            yield finding
    if ends and not any(each.by_hand for each in ends if each.role == "targets"):
        text = "the worker's key alone says which packages robots take"
        advice = "Fetch the root's keys from their safe place: lustra keys rotate (docs/updates.md)"
        yield Finding("update keys", "warning", text, advice)
    for each in ends:
        if each.role == "root":
            yield Finding("update keys", "ok", f"the root of trust lives until {each.end:%Y-%m-%d}")


def _judge_end(signed: RoleEnd, days: int) -> Finding | None:
    role, end = signed.role, f"{signed.end:%Y-%m-%d}"
    if signed.by_hand and days < BY_HAND_WARNING_DAYS:
        level = "fault" if days < 0 else "warning"
        if role in ("root", "targets"):
            advice = "Fetch its keys from their safe place: lustra keys rotate (docs/updates.md)"
            name = "the root of trust" if role == "root" else "who may sign packages"
            return Finding("update keys", level, f"{name} ends on {end}", advice)
        advice = f"Ask {role} to sign again: lustra keys draft, sign, take (docs/updates.md)"
        return Finding("update keys", level, f"what {role} has signed ends on {end}", advice)
    if not signed.by_hand and days < ONLINE_WARNING_DAYS:
        advice = "See that `lustra worker` runs with LUSTRA_UPDATE_KEY, and its log (trust.other_keys)."
        return Finding("update keys", "fault", f"{role} ends on {end} and was not signed anew", advice)
    return None


async def look_at_files(at: Installation) -> AsyncGenerator[Finding]:
    if not at.objects_url:
        yield Finding("files", "warning", "LUSTRA_OBJECTS_URL is not set, so files were not looked at", "Set it.")
        return
    folder = folder_of(at.objects_url)
    if folder and folder.exists() and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield Finding("files", "fault", f"{folder} cannot be written", "Start it as the user whose folder it is.")
        return
    try:
        if folder is None:
            await obstore.list_with_delimiter_async(from_url(at.objects_url))
    except (OSError, ValueError, BaseError) as why:
        text = f"files cannot be read: {str(why).splitlines()[0]}"
        yield Finding("files", "fault", text, "See what LUSTRA_OBJECTS_URL names, and its credentials.")
    else:
        yield Finding("files", "ok", at.objects_url.partition("?")[0])


async def look_at_bus(at: Installation) -> AsyncGenerator[Finding]:
    if at.stopped:
        return

    async def silent(_: Exception) -> None:
        """nats-py calls it with errors that are raised as well."""

    try:
        link = await nats.connect(
            split_urls(at.nats_url),
            tls=trusting(at.folder) if at.nats_url.startswith("tls:") else None,
            max_reconnect_attempts=1,
            connect_timeout=5,
            error_cb=silent,
        )
    except (OSError, nats.errors.Error, TimeoutError, ValueError) as why:
        advice = "See that NATS runs, and what LUSTRA_NATS_URL says (`lustra up`: DIR/log/nats.log)."
        yield Finding("bus", "fault", f"the bus cannot be reached: {why or type(why).__name__}", advice)
        return
    try:
        for look in (_look_at_streams, look_at_leaves):
            async for finding in look(link, at.settings):
                yield finding
    finally:
        await link.close()


async def _look_at_streams(link: Client, settings: Settings) -> AsyncGenerator[Finding]:
    """What robots say is refused by a full stream; ingest empties it."""
    held, newest = 0, dict[str, int]()
    for config in streams(settings.stream_bytes, settings.stream_copies):
        name = str(config.name)
        try:
            info = await link.jetstream(timeout=5).stream_info(name)
        except NotFoundError:
            advice = "Start `lustra server` again: it makes the streams."
            yield Finding("bus", "fault", f"what robots say is lost: there is no stream {name}", advice)
            continue
        except (OSError, nats.errors.Error) as why:
            yield report_lost_majority(name, f"does not answer ({why or type(why).__name__})")
            return
        if info.cluster and not info.cluster.leader:
            yield report_lost_majority(name, "has no leader")
            return
        held += info.state.bytes
        if info.config.max_bytes and info.state.bytes > FULL * info.config.max_bytes and config.max_age is None:
            text = f"the stream {name} is {info.state.bytes * 100 // info.config.max_bytes} % full"
            advice = "See that `lustra ingest` runs, and its log; then LUSTRA_STREAM_BYTES."
            yield Finding("bus", "warning", text, advice)
        newest[name] = info.state.last_seq
        if name in MIRRORED:
            for finding in _look_at_mirror(info, newest[MIRRORED[name]]):
                yield finding
        if (whole := count_copies(info)) < (config.num_replicas or 1):
            text = f"the stream {name} lies whole on {whole} of {config.num_replicas} servers"
            advice = "See that all servers of the bus run; a copy that was away fills itself."
            yield Finding("bus", "warning", text, advice)
    yield Finding("bus", "ok", f"{urlsplit(at_url(link)).hostname} answers, its streams hold {held // MB} MB")


def _look_at_mirror(info: StreamInfo, newest: int) -> Iterator[Finding]:
    """`newest`: number of the newest message that its stream had a moment ago."""
    name = info.config.name
    if info.state.consumer_count:
        text = f"the database was older than the bus, and what it may lack is read again from {name}"
        yield Finding("bus", "warning", text, "See `ingest.read_again` in the log of `lustra ingest`.")
    source = info.mirror
    silent = source is None or source.active is None or not 0 <= source.active < MIRROR_SILENT_NS
    if silent and info.state.last_seq < newest:
        text = f"{name} does not follow its stream: an older database could not read from it again"
        yield Finding("bus", "warning", text, "See NATS's log, and `ingest.mirror_behind` in that of `lustra ingest`.")


async def look_at_leaves(link: Client, settings: Settings) -> AsyncGenerator[Finding]:
    """Whether each answers, and how much of what its robots say has not come yet."""
    for leaf in settings.leaf_names:
        try:
            await link.jetstream(domain=leaf, timeout=ANSWER_S).account_info()
        except (OSError, nats.errors.Error) as why:
            text = f"the leaf {leaf} cannot be reached: {why or type(why).__name__}"
            advice = "Its robots go on, and what they say waits there. See its line, its log, and LUSTRA_LEAVES."
            yield Finding("bus", "warning", text, advice)
            continue
        try:
            infos = [await link.jetstream(timeout=5).stream_info(mirror_name(name, leaf)) for name in STREAMED]
        except (OSError, nats.errors.Error) as why:
            text = f"what robots of the leaf {leaf} say stays there: {why or type(why).__name__}"
            yield Finding(
                "bus", "fault", text, "Start `lustra ingest` again, with LUSTRA_LEAVES: it makes the mirrors."
            )
            continue
        waiting = sum(info.mirror.lag or 0 for info in infos if info.mirror)
        yield Finding("bus", "ok", f"the leaf {leaf} answers, and {waiting or 'nothing'} waits there")


def report_lost_majority(stream: str, why: str) -> Finding:
    """Of three copies two must be there, or nothing is written; one stream says it for all."""
    advice = "See that more than half of the servers that LUSTRA_NATS_URL names run, and their logs."
    return Finding("bus", "fault", f"the bus stores nothing: the stream {stream} {why}", advice)


def count_copies(info: StreamInfo) -> int:
    """Servers that hold all of a stream that has a leader: it, and those that are there and up to date."""
    followers = (info.cluster and info.cluster.replicas) or []
    return 1 + sum(bool(peer.current and not peer.offline) for peer in followers)


def at_url(link: Client) -> str:
    return link.connected_url.geturl() if link.connected_url else ""


async def look_at_processes(at: Installation) -> AsyncGenerator[Finding]:
    """Whether each process of `lustra up` answers, while the supervisor runs."""
    for name, (address, path) in PROCESSES.items():
        if at.run:
            url = urlsplit(at.run[address])
            try:
                tls = unverified() if url.scheme == "https" else None
                async with asyncio.timeout(10):
                    await http_ok(str(url.hostname), url.port or 80, path, tls)
            except (NotYet, TimeoutError):
                advice = f"See {at.folder}/log/{name}.log; GET {at.run[address]}{path} says what is wrong."
                yield Finding(name, "fault", f"{name} is not ready", advice)
            else:
                yield Finding(name, "ok", f"ready at {at.run[address]}")
