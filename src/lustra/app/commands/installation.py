"""What `lustra up` runs over one data folder: its ports, secrets, servers, and how each of our processes is started.

What a killed run left is ended first. Each process gets by its environment what it needs, and no more.
"""

import contextlib
import os
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lustra.app.arguments import PROCESSES
from lustra.core.database.database_rights import ROLE_OF_PROCESS, ROLES
from lustra.core.settings import Settings, split_urls
from lustra.gate import jwt
from lustra.stack import orphans, place, programs
from lustra.stack.accounts import USERS
from lustra.stack.certificates import Certificates, find_certificates, generate_authority, unverified
from lustra.stack.disk_budget import plan_room
from lustra.stack.http_probe import http_ok
from lustra.stack.loader import COMMAND as LOADER
from lustra.stack.nats import Nats, near
from lustra.stack.postgres import Postgres
from lustra.stack.roles import OWNER
from lustra.stack.supervise import Service, at_once

PORTS = ("postgres", "nats", "mqtt", "relay", "ssh", "video")
MODULE = "lustra.app.cli"
# Commands that `up` starts.
OURS = {LOADER, *PROCESSES, "robot", "demo", "db", "admin", "keys"}
ALONE = {LOADER, "video"}  # not forked: PyAV carries GPL codecs, so nothing of it stands beside our other processes
# Processes that show metrics, in the sequence of their ports.
MEASURED = ("server", "server-2", "relay", "relay-2", "gate", "ingest", "worker", "elevators", "video")


@dataclass(frozen=True)
class Options:
    demo: bool
    host: str
    port: int
    folder: Path
    robots: int
    history: bool
    tls: bool


def generate_secrets() -> dict[str, Any]:
    """What the first start makes and every later one keeps."""
    names = ("postgres_password", *(f"{name}_password" for name in USERS), "secret")
    grant, host = Ed25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    line = host.public_key().public_bytes(form.Encoding.OpenSSH, form.PublicFormat.OpenSSH).decode()
    return {
        **{name: place.random_secret() for name in (*names, *(f"{role}_password" for role in (OWNER, *ROLES)))},
        "gate_seed": jwt.new_seed(),
        "grant_key": grant.private_bytes_raw().hex(),
        "grant_public": grant.public_key().public_bytes_raw().hex(),
        "update_key": place.random_secret(),
        "host_key": host.private_bytes_raw().hex(),
        "host_public": line,
        **generate_authority(),
    }


def is_left_over(words: list[str]) -> bool:
    """Servers, our own processes and the stock ssh clients of robots. Another `lustra backup` is none of ours."""
    program = Path(words[0]).name
    return program in {"postgres", "nats-server", "ssh"} or (MODULE in words and bool(OURS & set(words)))


class Installation:
    def __init__(self, options: Options) -> None:
        self.options, folder = options, options.folder
        place.make_folder(folder)
        self.folder, self.lock = folder, place.take(folder)
        orphans.end(orphans.find(folder, is_left_over))
        place.close_to_others(folder)
        self.listening = {"http": place.listen(options.host, options.port)}
        settings = Settings.read()
        self.saved = place.complete_settings(
            folder,
            demo=options.demo,
            host=options.host,
            ports={name: getattr(settings, f"{name}_port", 0) for name in PORTS},
            generated=generate_secrets(),
            besides=options.port,
        )
        for name in ("relay", "ssh"):
            self.listening[name] = place.listen(options.host, self.saved["ports"][name])
        uid, as_user = place.child_user(settings.user)
        self.certificates: Certificates | None = None
        if options.tls or settings.tls_certificate:
            self.certificates = find_certificates(settings, folder, self.saved, near(options.host), uid)
        local = self.address("relay")
        self.relay_url = os.environ.get("LUSTRA_RELAY_URL", local)
        self.former_relays = place.remember_relay(
            folder, self.saved, split_urls(self.relay_url)[0], earlier=[*settings.former_relays, local]
        )
        self.first_metrics_port = settings.metrics_port
        self.ours = self.unprivileged(as_user, settings.user)
        self.room = plan_room(folder, settings.stream_bytes)
        binaries, ports, saved = programs.find(folder, as_user), self.saved["ports"], self.saved
        self.postgres = Postgres(
            binaries.postgres, folder, ports["postgres"], saved["postgres_password"], uid, as_user, self.room.wal_mb
        )
        passwords = {name: saved[f"{name}_password"] for name in USERS}
        issuer = jwt.public(jwt.from_seed(saved["gate_seed"]))
        host, port, mqtt = options.host, ports["nats"], ports["mqtt"]
        certified = self.certificates.of_bus if self.certificates else ()
        bus_bytes = self.room.bus_bytes
        self.nats = Nats(binaries.nats, folder, host, port, mqtt, passwords, issuer, uid, as_user, bus_bytes, certified)
        self.log_bytes, self.old_logs = settings.log_mb << 20, settings.old_logs

    def save(self, **more: Any) -> None:
        self.saved |= more
        place.save_settings(self.folder, self.saved)

    def unprivileged(self, as_user: dict[str, Any], name: str) -> dict[str, Any]:
        """How our own processes are started; as root where nobody else could run them."""
        if not as_user:
            return {}
        if not programs.runs_ours(as_user):
            where = Path(sys.executable).resolve()
            say(f"Lustra's own processes run as root: the user {name} cannot run what is installed with {where}.")
            return {}
        place.hand_over(self.folder, as_user["user"], as_user["group"])
        return as_user

    def address(self, name: str) -> str:
        """Where browsers reach a process of ours, unless the environment says otherwise."""
        public = self.certificates.public_host if self.certificates else ""
        port = self.options.port if name == "http" else self.saved["ports"][name]
        return f"{'https' if self.certificates else 'http'}://{public or near(self.options.host)}:{port}"

    def run_json(self) -> dict[str, str]:
        here, ports = near(self.options.host), self.saved["ports"]
        public = urlsplit(self.address("http")).hostname
        return {
            **{name: self.address(name) for name in ("http", "relay", "video")},
            "nats": self.nats.url("server"),
            "mqtt": f"mqtts://{public}:{ports['mqtt']}" if self.certificates else f"{here}:{ports['mqtt']}",
            "ssh": f"{here}:{ports['ssh']}",
            "postgres": self.database_url(OWNER),
        }

    def database_url(self, role: str) -> str:
        return self.postgres.url(role, self.saved[f"{role}_password"])

    def environ(self, *names: str) -> dict[str, str]:
        """The settings of a process. A public address that is set outside is left."""
        run, saved, env = self.run_json(), self.saved, os.environ
        public = env.get("LUSTRA_PUBLIC_URL", run["http"])
        everything = {
            "DATA": str(self.folder),
            "DEMO": "1" if self.options.demo else "",
            "PUBLIC_URL": public,
            "RELAY_URL": self.relay_url,
            "RELAY_FORMER_URLS": ",".join(self.former_relays),
            "NATS_URL": run["nats"],
            "DATABASE_URL": run["postgres"],
            "OBJECTS_URL": env.get("LUSTRA_OBJECTS_URL", f"file://{self.folder}/objects"),
            "HTTP_HOST": self.options.host,
            "HTTP_PORT": str(self.options.port),
            "RELAY_HOST": self.options.host,
            "RELAY_PORT": str(saved["ports"]["relay"]),
            "VIDEO_URL": env.get("LUSTRA_VIDEO_URL", run["video"]),
            "VIDEO_PORT": str(saved["ports"]["video"]),
            "SSH_PORT": str(saved["ports"]["ssh"]),
            "SSH_URL": run["ssh"],
            "MQTT_URL": env.get("LUSTRA_MQTT_URL", run["mqtt"]),
            "ROBOTS_NATS": env.get("LUSTRA_ROBOTS_NATS", self.robots_nats()),
            "CHECK_ANSWERS": env.get("LUSTRA_CHECK_ANSWERS", "log" if self.options.demo else "off"),
            "SIM_FILE": env.get("LUSTRA_SIM_FILE", str(self.folder / "sims.json") if self.options.demo else ""),
            "STREAM_BYTES": str(self.room.stream_bytes),
            "LIFT_NETWORKS": env.get("LUSTRA_LIFT_NETWORKS", ""),
            "SECRET": saved["secret"],
            "GRANT_KEY": saved["grant_key"],
            "GRANT_PUBLIC": saved["grant_public"],
            "HOST_KEY": saved["host_key"],
            "UPDATE_KEY": saved["update_key"],
            "HOST_PUBLIC": saved["host_public"],
            "GATE_URL": self.nats.url("gate"),
            "SYSTEM_URL": self.nats.url("sys"),
            "GATE_SEED": saved["gate_seed"],
        }
        common = ("DATA", "DEMO", "PUBLIC_URL", "RELAY_URL", "STREAM_BYTES")
        secure = self.certificates.settings if self.certificates else {}
        return {f"LUSTRA_{name}": value for name, value in secure.items()} | {
            f"LUSTRA_{name}": everything[name] for name in (*common, *names)
        }

    def robots_nats(self) -> str:
        """By a name that the shown certificate has; empty where our own processes' address does."""
        public = self.certificates.public_host if self.certificates else ""
        return f"tls://{public}:{self.nats.port}" if public else ""

    def process(self, name: str, *words: str, needs: tuple[str, ...], bus_user: str = "server", **more: Any) -> Service:
        """One of our processes; `bus_user` is who it is on the bus, if it needs that."""
        words = (*words, "--data", str(self.folder))
        command = [sys.executable, "-m", MODULE, *words]
        environ = self.environ(*needs) | self.metrics_port(name)
        if "NATS_URL" in needs:
            environ["LUSTRA_NATS_URL"] = self.nats.url(bus_user)
        if "DATABASE_URL" in needs and (role := ROLE_OF_PROCESS.get(words[0])):
            environ["LUSTRA_DATABASE_URL"] = self.database_url(role)  # else the owner's, of commands that run once
        if self.ours:
            environ["HOME"] = "/nonexistent"  # root's own is closed to it
        forked = () if name in ALONE else words
        return Service(name, command, environ=environ, as_user=self.ours, reports=True, words=forked, **more)

    def turn_file(self, name: str) -> Path:
        return self.folder / f"{name}.turn"

    def pair(
        self, name: str, sockets: dict[str, str], *, needs: tuple[str, ...], ready: Any, bus_user: str = "server"
    ) -> tuple[Service, Service]:
        """A process and its spare. They take turns (core/process/standby): when one dies, the other has loaded
        everything.
        """
        first = self.process(name, name, needs=needs, ready=ready, bus_user=bus_user)
        environ = {**first.environ, "LUSTRA_TURN": str(self.turn_file(name))}
        opened = {f"LUSTRA_{variable}": self.listening[socket] for variable, socket in sockets.items()}
        first = replace(first, environ=environ, sockets=opened)
        spare = f"{name}-2"
        return first, replace(first, name=spare, environ=environ | self.metrics_port(spare), ready=at_once)

    def metrics_port(self, process: str) -> dict[str, str]:
        """Each process has the port after the one before; those that are not in the list show no metrics."""
        shown = self.first_metrics_port and process in MEASURED
        return {"LUSTRA_METRICS_PORT": str(self.first_metrics_port + MEASURED.index(process)) if shown else "0"}

    def pairs(self, data: tuple[str, ...]) -> tuple[Service, Service, Service, Service]:
        """How server, its spare, relay and its spare are started."""
        here, port, relay_port = near(self.options.host), self.options.port, self.saved["ports"]["relay"]
        robots = ("SSH_URL", "MQTT_URL", "HOST_PUBLIC", "ROBOTS_NATS", "SIM_FILE")
        web = (*data, "HTTP_HOST", "HTTP_PORT", "GRANT_KEY", "GRANT_PUBLIC", "CHECK_ANSWERS", "VIDEO_URL", *robots)
        tunnels = ("NATS_URL", "RELAY_FORMER_URLS", "RELAY_HOST", "RELAY_PORT", "SSH_PORT", "GRANT_PUBLIC", "HOST_KEY")
        secure = unverified() if self.certificates else None
        ready = partial(http_ok, here, port, "/readyz", secure)
        servers = self.pair("server", {"HTTP_FD": "http"}, needs=web, ready=ready)
        ready = partial(http_ok, here, relay_port, "/healthz", secure)
        sockets = {"HTTP_FD": "relay", "SSH_FD": "ssh"}
        return *servers, *self.pair("relay", sockets, needs=tunnels, ready=ready, bus_user="relay")


def say(text: str) -> None:
    with contextlib.suppress(BrokenPipeError):
        print(text, flush=True)  # noqa: T201  the supervisor's voice
