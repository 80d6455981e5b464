"""Every setting of every process, read once from LUSTRA_* variables of the environment. No secret has a default."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

VERSION = "1.20.0"  # the specification's build version; preferences are keyed by it

_TRUE = {"1", "true", "yes", "on"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    database_url: str = field(default="", repr=False)
    nats_url: str = field(default="", repr=False)
    objects_url: str = ""  # file:///folder or s3://bucket/prefix
    public_url: str = "http://127.0.0.1:8080"
    http_host: str = "127.0.0.1"
    http_port: int = 8080
    http_fd: int = 0  # descriptor of the listening socket that whoever starts us holds open; 0: we open our own
    ssh_fd: int = 0  # the same for robots' tunnels
    turn: str = ""  # file whose lock lets one process work while another waits, loaded; empty: it works at once
    relay_url: str = ""  # public URL of the relay; several by comma
    relay_host: str = "127.0.0.1"  # the relay's own listeners: calls and tunnels
    relay_port: int = 0
    ssh_port: int = 0
    host_key: str = field(default="", repr=False)  # Ed25519 private key of the tunnels' SSH end, hex: the relay's alone
    host_public: str = ""  # its public line, for robots
    frp_host: str = ""  # where an frp server beside the relay opens its robots' ports; empty: there is none
    ssh_url: str = ""  # host:port where robots' tunnels come in
    mqtt_url: str = ""  # host:port
    robots_nats: str = ""  # where robots reach the bus, nats://host:port; empty: as nats_url
    sim_file: str = ""  # cards that the local SIM provider answers for (JSON); empty: no provider is set
    data: str = ""
    log_mb: int = 20  # of a process' log, before it turns; for `lustra up`
    old_logs: int = 3  # turned logs that stay, of each process
    demo: bool = False
    secret: str = field(default="", repr=False)  # signs URLs and upload tokens
    audit_key: str = field(default="", repr=False)  # keys the chain of the audit; empty: the secret does
    grant_key: str = field(default="", repr=False)  # Ed25519 private key of grants, hex: the server's alone
    grant_public: str = ""
    signature_key: str = field(default="", repr=False)  # AES key of the signature header, hex; empty: not checked
    gate_seed: str = field(default="", repr=False)  # nkey that signs log-ins to the bus: the gate's alone
    gate_url: str = field(default="", repr=False)  # the gate's links to the bus, as users gate and sys
    system_url: str = field(default="", repr=False)
    offline_after_s: float = 15.0
    idle_expiry_h: float = 12.0
    session_days: float = 30.0  # after which a session ends however much it is used
    first_password_days: float = 14.0  # after which a first password that nobody changed opens nothing
    anonymous_days: int = 90  # how long tries of whom nobody knows are kept
    quota_gb: str = "files=10,adverts=2,maps=5,pictures=0.1"  # of an account, by kind: see core/quota; 0: no limit
    disk_reserve_mb: int = 2048  # free space that uploads leave alone, at most 5 % of the disk: see core/disk
    rows_most: int = 200_000  # a list longer than this is refused with its count
    stream_bytes: int = 1 << 30  # what one stream may take on the bus
    console: str = ""  # folder of the built console; empty: looked for beside the code
    support_default: str = "off"  # of new customers: "always", anything else is off
    retention: str = ""  # days by kind, "report=730,message=365,track=90"; not named or 0: for ever
    smtp_url: str = field(default="", repr=False)  # of the mail server: see core/mail; empty: no mails
    mail_from: str = ""  # the mailbox that mails come from, "Lustra <lustra@example.org>"
    oidc_issuer: str = ""  # single sign-on: see core/oidc; empty: off
    oidc_client_id: str = ""
    oidc_client_secret: str = field(default="", repr=False)
    oidc_name: str = ""  # what the log-in page calls the provider
    oidc_hosts: str = ""  # further hosts of the provider's, by comma
    lift_networks: str = ""  # of buildings whose lifts may be reached beside public addresses: CIDR, by comma
    connections: int = 10_000  # at once, of a server or relay; never more than its descriptors allow
    connections_of_address: int = 1_000  # of these; trusted proxies are not counted
    user: str = "nobody"  # whom processes run as where `lustra up` is started by root
    hosts: str = ""  # names that a request may call us by, by comma; empty: any, in the demo this machine's alone
    trusted_proxies: str = ""  # whose X-Forwarded-For counts; empty: nobody's

    @property
    def relays(self) -> list[str]:
        return [url.strip().rstrip("/") for url in self.relay_url.split(",") if url.strip()]

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        values: dict[str, Any] = {}
        for setting in fields(cls):
            if (text := environment.get(f"LUSTRA_{setting.name.upper()}")) is not None:
                values[setting.name] = _as(setting.type, text)
        return cls(**values)

    @property
    def folder(self) -> Path:
        return Path(self.data)


def _as(kind: Any, text: str) -> Any:
    if kind is bool:
        return text.strip().lower() in _TRUE
    return kind(text) if kind in (int, float) else text
