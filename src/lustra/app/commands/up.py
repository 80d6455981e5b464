"""`lustra up`: the whole product as one process tree over one data folder.

Order: what a killed run left is ended; PostgreSQL and NATS; schema and gate; then everything else side by side. What
speaks to the bus is imported while the loader loads: that saves a sixth of a start.
"""

import asyncio
import hashlib
import json
import logging
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path

from lustra import core
from lustra.app.commands.installation import Installation, Options, is_left_over, say
from lustra.core.database import database_rights
from lustra.core.database.database_rights import ROLES
from lustra.core.files.private_files import write_private
from lustra.core.process import watchdog
from lustra.core.process.standby import Turn
from lustra.core.settings import VERSION
from lustra.stack import orphans, place
from lustra.stack.certificates import keep_renewed
from lustra.stack.liveness import NotYet
from lustra.stack.loader import COMMAND as LOADER
from lustra.stack.place import LOOPBACK
from lustra.stack.roles import OWNER, make_roles
from lustra.stack.supervise import Service, Stopped, Supervisor

DEMO_PASSWORD = "Lustra-demo-1"  # noqa: S105  shown on the log-in page of the demo


def schema_digest() -> str:
    """What the migrations of this version and the rights of its roles are, all together."""
    versions = [*sorted(Path(core.__path__[0]).glob("migrations/versions/*/*.py")), Path(database_rights.__file__)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in versions)).hexdigest()


class Up:
    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        sizes = {"log_bytes": installation.log_bytes, "old_logs": installation.old_logs}
        self.supervisor = Supervisor(installation.folder / "log", say, **sizes)

    def load(self, turns: list[Turn], *services: Service) -> asyncio.Task[None]:
        """Starts them while database and bus do: they load everything and wait for the turns, which we hold."""
        for turn in turns:
            turn.take()
        loading = asyncio.create_task(self.supervisor.start(*services), name="load")
        loading.add_done_callback(lambda done: done.cancelled() or done.exception())  # where nobody waits any more
        return loading

    async def start(self) -> str:
        """Everything, in order; gives the lines for the first administrator."""
        here = self.installation
        options = here.options
        write_private(here.folder / place.RUN, json.dumps(here.run_json()))
        if here.certificates:
            here.certificates.prepare()
        words = (LOADER, "--demo") if options.demo else (LOADER,)
        loader = here.process(LOADER, *words, needs=())
        environ = {**loader.environ, "OPENBLAS_NUM_THREADS": "1"}  # a process of several threads is not to be forked
        await self.supervisor.start_loader(replace(loader, environ=environ, reports=False))
        new = here.postgres.prepare()
        here.nats.prepare()
        place.private_folder(here.folder / "objects", here.ours.get("user", -1))
        data = ("DATABASE_URL", "NATS_URL", "OBJECTS_URL", "SECRET")
        server, spare_server, relay, spare_relay = here.pairs(data)
        turns = [Turn(str(here.turn_file(name))) for name in ("server", "relay")]
        loading = None
        if not new and here.saved.get("schema") == schema_digest():
            loading = self.load(turns, server, relay)
        await self.supervisor.start(here.postgres.service(), here.nats.service())
        gate = here.process(
            "gate",
            "gate",
            needs=("NATS_URL", "GATE_URL", "SYSTEM_URL", "GATE_SEED"),
            ready=self.gate_answers,
            bus_user="roster",
        )
        await asyncio.gather(
            self.supervisor.start(gate),
            self.bus_set_up(),
            self.schema(data, new=new),
        )
        await self.trust(data)
        first = await self.demo() if options.demo else await self.first_account(data)
        for turn in turns:
            turn.give_back()
        await (loading or self.supervisor.start(server, relay))
        await self.supervisor.start(  # they have nobody waiting for them: two cores are for the others first
            here.process("ingest", "ingest", needs=data),
            here.process("worker", "worker", needs=(*data, "UPDATE_KEY")),
            here.process("elevators", "elevators", needs=(*data, "LIFT_NETWORKS")),
            here.process("video", "video", needs=(*data, "HTTP_HOST", "VIDEO_PORT", "VIDEO_URL")),
            spare_server,
            spare_relay,
            *self.robots(),
        )
        if options.demo and options.history:
            self.supervisor.beside(here.process("history", "demo", *self.fleet, *self.count, "--history", needs=data))
        return first

    async def schema(self, data: tuple[str, ...], *, new: bool) -> None:
        """Brings the database to this version's schema, unless the last start did: that saves a second."""
        here = self.installation
        digest = schema_digest()
        if new or here.saved.get("schema") != digest:
            await make_roles(
                here.postgres.dsn,
                {role: here.saved[f"{role}_password"] for role in (OWNER, *ROLES)},
            )
            await self.supervisor.once(here.process("db", "db", "upgrade", needs=data))
            here.save(schema=digest)

    async def trust(self, data: tuple[str, ...]) -> None:
        """The first start makes the key of the root of trust, whose owner then takes it to a safe place. A root of
        before there were delegations is replaced while its key is there still."""
        here = self.installation
        key, saved = here.folder / "root.key", here.saved.get("trust")
        if not saved or (saved is True and key.exists()):
            make = ("keys", "make", "--root", str(key))
            await self.supervisor.once(here.process("keys", *make, needs=(*data, "UPDATE_KEY")))
            here.save(trust="delegated")

    async def demo(self) -> str:
        """Accounts, robots and their fleet's file, unless the last start made just these."""
        here = self.installation
        where = [here.saved["ports"], here.address("http")]
        inputs = [VERSION, schema_digest(), here.options.robots, *where]
        if here.saved.get("demo_made_for") != inputs:
            needs = (
                "DATABASE_URL",
                "NATS_URL",
                "OBJECTS_URL",
                "SECRET",
                "MQTT_URL",
                "SSH_URL",
                "HOST_PUBLIC",
                "SIM_FILE",
            )
            await self.supervisor.once(here.process("demo", "demo", *self.fleet, *self.count, needs=needs))
            here.save(demo_made_for=inputs)
        return f"admin, dealer, user … with the password {DEMO_PASSWORD}"

    @property
    def fleet(self) -> tuple[str, str]:
        return "--fleet", str(self.installation.folder / "fleet.json")

    @property
    def count(self) -> tuple[str, str]:
        return "--robots", str(self.installation.options.robots)

    def robots(self) -> list[Service]:
        here = self.installation
        if not here.options.demo:
            return []
        state = ("--state", str(here.folder / "robots"))
        return [here.process("robots", "robot", *self.fleet, *state, needs=())]

    async def first_account(self, data: tuple[str, ...]) -> str:
        """Without --demo the first start makes one administrator; its password is shown once and kept nowhere."""
        here = self.installation
        if here.saved.get("account"):
            return ""
        output = await self.supervisor.once(here.process("admin", "admin", "create", needs=data))
        here.save(account=True)
        return output.strip()

    async def bus_set_up(self) -> None:
        """Streams and buckets stand before anybody speaks: what a robot tells without a stream is gone."""
        from lustra.core.bus import connect  # noqa: PLC0415  beside the loader

        here = self.installation
        bus = await connect(here.nats.url("server"), "up")
        await bus.set_up(here.room.stream_bytes)
        await bus.close()

    async def watch_storage(self) -> None:
        from lustra.core.bus import connect  # noqa: PLC0415  beside the loader
        from lustra.stack.nats_recovery import keep_storing  # noqa: PLC0415  beside the loader

        here = self.installation
        bus = await connect(here.nats.url("server"), "up")

        async def start_nats_again() -> None:
            say("nats stores nothing although the disk has room, starting it again")
            await self.supervisor.end(here.nats.service())

        try:
            await keep_storing(bus, here.folder, here.folder / "log" / "nats.log", start_nats_again)
        finally:
            await bus.close()

    async def gate_answers(self) -> None:
        """The library logs refusals with their stack, so the bus is greeted first."""
        import nats.errors  # noqa: PLC0415  beside the loader

        here = self.installation
        await here.nats.greet("gate")
        link = await nats.connect(here.nats.url("gate"), allow_reconnect=False, connect_timeout=2)
        try:
            await link.request("gate.ready", timeout=1)
        except nats.errors.Error as why:
            raise NotYet from why
        finally:
            await link.close()

    async def main(self) -> None:
        here = self.installation
        for sign in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(sign, self.supervisor.stopping.set)
        watching: list[asyncio.Task[None]] = []
        try:
            say(self.welcome(await self.start()))
            watching.append(asyncio.create_task(self.watch_storage(), name="storage"))
            if here.certificates:
                tell_bus = partial(self.supervisor.send, "nats", signal.SIGHUP)
                watching.append(asyncio.create_task(keep_renewed(here.certificates, say, tell_bus)))
            async with watchdog.reported():
                await self.supervisor.run()
        except Stopped:
            pass
        finally:
            for task in watching:
                task.cancel()
            (here.folder / place.RUN).unlink(missing_ok=True)
            await self.supervisor.stop()
            orphans.end(orphans.find(here.folder, is_left_over))  # ssh clients of robots that were killed
            say("Lustra has ended.")

    def welcome(self, first: str) -> str:
        here = self.installation
        lines = ["", "  Lustra is ready.", "", f"  Console   {here.run_json()['http']}"]
        lines += [f"  Log in    {line}" for line in first.splitlines()]
        if here.certificates and not here.certificates.given:
            lines += [f"  Authority {here.certificates.authority}: to be trusted by browsers and robots, SHA-256"]
            lines += [f"            {here.certificates.fingerprint}"]
        lines += [
            f"  Data      {here.folder} (logs in {here.folder / 'log'})",
            "  Stop      Ctrl-C",
            "",
        ]
        return "\n".join(lines)


def silence_ends(record: logging.LogRecord) -> bool:
    """The bus' library closes TLS in a way of which asyncio complains at each end."""
    return "eof_received" not in record.getMessage()


def run(options: Options) -> None:
    logging.getLogger("asyncio").addFilter(silence_ends)
    host = LOOPBACK if options.demo else options.host  # demo passwords are known to all
    asyncio.run(Up(Installation(replace(options, host=host, folder=options.folder.resolve()))).main())
