"""Every setting of every process, read once from LUSTRA_* variables of the environment. No secret has a default.

Rule: a variable that is no setting, or whose value does not fit its setting, refuses the start and is named. An empty
variable leaves a number or a switch at its default.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

VERSION = "1.20.0"  # the specification's build version; preferences are keyed by it

PREFIX = "LUSTRA_"
# Variables that tests, benches and the console's tools read: no settings.
OF_TOOLS = {
    f"{PREFIX}{name}"
    for name in (
        "BENCH_SECONDS",
        "CHROMIUM",
        "PYTHON",
        "SAMPLE_DATA",
        "SERVER",
        "TEST_SEED",
        "URL",
    )
}
SWITCHES = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}

# Below a path of its host or not; the first segment may be none that the server answers by itself.
PUBLIC_URL = re.compile(r"https?://[^/?#]+(?!/(api|assets|healthz|readyz|metrics)(/|$))(/[A-Za-z0-9._~-]+)*/?")
Port = Annotated[int, Meta(ge=1, le=65535)]
AnyPort = Annotated[int, Meta(ge=0, le=65535)]  # 0: any free one
Descriptor = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]
AtLeastOne = Annotated[int, Meta(ge=1)]
Duration = Annotated[float, Meta(gt=0)]
Copies = Annotated[int, Meta(ge=1, le=5)]
Names = Annotated[str, Meta(pattern=r"^([a-z][a-z0-9-]{0,30}(,[a-z][a-z0-9-]{0,30})*)?$")]  # by comma


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    database_url: str = field(default="", repr=False)  # with several hosts: the one that takes writes
    nats_url: str = field(default="", repr=False)  # of one server of the bus, or of several by comma
    objects_url: str = ""  # file:///folder or s3://bucket/prefix
    public_url: str = "http://127.0.0.1:8080"
    http_host: str = "127.0.0.1"
    http_port: Port = 8080
    http_fd: Descriptor = 0  # descriptor of the listening socket that whoever starts us holds open; 0: we open our own
    ssh_fd: Descriptor = 0  # the same for robots' tunnels
    turn: str = ""  # file whose lock lets one process work while another waits, loaded; empty: it works at once
    # Public URL of the relay, several by comma; for a relay its own first, then those whose robots it takes as well
    relay_url: str = ""
    relay_former_urls: str = ""  # addresses that this relay had before, by comma: robots registered there may come in
    relay_host: str = "127.0.0.1"  # the relay's own listeners: calls and tunnels
    relay_port: AnyPort = 0
    ssh_port: AnyPort = 0
    host_key: str = field(default="", repr=False)  # Ed25519 private key of the tunnels' SSH end, hex: the relay's alone
    host_public: str = ""  # its public line, for robots
    lichtblick_url: str = ""  # of a Lichtblick that may open recordings of sensors; empty: none
    video_url: str = ""  # public URL of the process that passes live pictures on; empty: there is none
    video_port: AnyPort = 0  # its own listener, at http_host
    # Servers of WebRTC for who watches behind NAT, "stun:host:port,turn:host:port?transport=udp", by comma, and the
    # secret that is shared with the TURN server: see domains/video/ice
    video_ice: str = ""
    video_turn_secret: str = field(default="", repr=False)
    # A media server that passes pictures on in place of `lustra video`: URLs of WHIP and WHEP with {stream} in them,
    # and the token that opens them: see video/media_server
    video_whip_url: str = ""
    video_whep_url: str = ""
    video_media_token: str = field(default="", repr=False)
    nats_port: AnyPort = 0  # of the bus that `lustra up` starts, for robots; 0: any free one, kept from then on
    mqtt_port: AnyPort = 0  # the same for robots that speak MQTT
    frp_host: str = ""  # where an frp server beside the relay opens its robots' ports; empty: there is none
    ssh_url: str = ""  # host:port where robots' tunnels come in; several by comma
    mqtt_url: str = ""  # where robots reach the bus by MQTT: host:port, mqtts://host:port for TLS; several by comma
    # Where robots reach the bus, nats:// or tls://host:port, several by comma; empty: as nats_url
    robots_nats: str = ""
    sim_file: str = ""  # cards that the local SIM provider answers for (JSON); empty: no provider is set
    data: str = ""
    log_mb: AtLeastOne = 20  # of a process' log, before it turns; for `lustra up`
    old_logs: Count = 3  # turned logs that stay, of each process
    demo: bool = False
    # Answers that are not validated before they are sent, against their models: see core/calls/answer_check.
    check_answers: Literal["off", "log", "refuse"] = "off"
    secret: str = field(default="", repr=False)  # signs URLs and upload tokens
    audit_key: str = field(default="", repr=False)  # keys the chain of the audit; empty: the secret does
    grant_key: str = field(default="", repr=False)  # Ed25519 private key of grants, hex: the server's alone
    grant_public: str = ""
    update_key: str = field(default="", repr=False)  # of keys that sign what robots trust: the worker's
    signature_key: str = field(default="", repr=False)  # AES key of the signature header, hex; empty: not checked
    gate_seed: str = field(default="", repr=False)  # nkey that signs log-ins to the bus: the gate's alone
    gate_url: str = field(default="", repr=False)  # the gate's links to the bus, as users gate and sys
    system_url: str = field(default="", repr=False)
    offline_after_s: Duration = 15.0
    idle_expiry_h: Duration = 12.0
    session_days: Duration = 30.0  # after which a session ends however much it is used
    first_password_days: Duration = 14.0  # after which a first password that nobody changed opens nothing
    anonymous_days: Count = 90  # how long tries of whom nobody knows are kept
    # Of an account, by kind: see core/quota; 0: no limit.
    quota_gb: str = "files=10,adverts=2,maps=5,pictures=0.1,recordings=50"
    disk_reserve_mb: Count = 2048  # free space that uploads leave alone, at most 5 % of the disk: see core/files/disk
    rows_most: AtLeastOne = 200_000  # a list longer than this is refused with its count
    stream_bytes: AtLeastOne = 1 << 30  # what one stream may take on the bus
    stream_copies: Copies = 1  # servers of the bus that hold each stream and bucket: 3 where there are three
    leaves: Names = ""  # the leaf servers of the bus, each by its JetStream domain: see live/leaves
    console: str = ""  # folder of the built console; empty: looked for beside the code
    support_default: Literal["off", "always"] = "off"  # of new customers
    retention: str = ""  # days by kind, "report=730,message=365,track=90,log=30"; not named or 0: for ever
    track_coarse_days: Count = (
        30  # after which robots' poses are stored by the centimetre, not the millimetre; 0: never
    )
    smtp_url: str = field(default="", repr=False)  # of the mail server: see core/mail; empty: no mails
    mail_from: str = ""  # the mailbox that mails come from, "Lustra <lustra@example.org>"
    oidc_issuer: str = ""  # single sign-on: see core/security/oidc; empty: off
    oidc_client_id: str = ""
    oidc_client_secret: str = field(default="", repr=False)
    oidc_name: str = ""  # what the log-in page calls the provider
    oidc_hosts: str = ""  # further hosts of the provider's, by comma
    lift_networks: str = ""  # of buildings whose elevators may be reached beside public addresses: CIDR, by comma
    webhook_networks: str = ""  # that webhooks may reach beside public addresses, over http too: CIDR, by comma
    # Gateways of the alarms' channels, "sms=https://…,official_account=https://…,off_site_push=https://…", and the
    # secret that signs what is posted to them, "whsec_" and base64: see core/gateways
    alarm_gateways: str = ""
    alarm_gateway_secret: str = field(default="", repr=False)
    heartbeat_url: str = (
        ""  # that hears each minute that alarms would arrive: see domains/alarm/heartbeat; signed as above
    )
    heartbeat_mailbox: str = ""  # the same by mail, each hour
    speech_gateway: str = ""  # URL of a gateway to another vendor's voice: see domains/speech; empty: espeak-ng here
    speech_gateway_secret: str = field(default="", repr=False)  # signs what is posted to it, as above
    metrics_port: AnyPort = 0  # where this process shows its metrics; 0: nowhere; `lustra up`: the first of several
    metrics_host: str = "127.0.0.1"
    metrics_token: str = field(default="", repr=False)  # opens /metrics beside calls; empty: that page is closed
    connections: AtLeastOne = 10_000  # at once, of a server or relay; never more than its descriptors allow
    connections_of_address: AtLeastOne = 1_000  # of these; trusted proxies are not counted
    calls_at_once: AtLeastOne = 8  # that a server answers of one account; half of its links to the database
    tls_certificate: str = ""  # PEM of server, relay and video, with its chain: they speak HTTPS; empty: HTTP
    tls_key: str = ""  # PEM of its private key
    tls_authority: str = ""  # PEM of an authority of our own that signed it, given out at /authority.pem
    user: str = "nobody"  # whom processes run as where `lustra up` is started by root
    hosts: str = ""  # names that a request may call us by, by comma; empty: any, in the demo this machine's alone
    trusted_proxies: str = ""  # whose X-Forwarded-For counts; empty: nobody's

    @property
    def base_path(self) -> str:
        """Path below which the console and its calls lie, as `/lustra`; empty: they have their host for themselves."""
        return urlsplit(self.public_url).path.rstrip("/")

    @property
    def relays(self) -> list[str]:
        return split_urls(self.relay_url)

    @property
    def former_relays(self) -> list[str]:
        return split_urls(self.relay_former_urls)

    @property
    def leaf_names(self) -> list[str]:
        return split_urls(self.leaves)

    @classmethod
    def read(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Raises SystemExit with a sentence for each variable that cannot be used."""
        settings = {setting.name.upper(): setting for setting in fields(cls)}
        kinds = get_type_hints(cls, include_extras=True)
        values: dict[str, Any] = {}
        faults: list[str] = []
        for variable, text in environment.items():
            if not variable.startswith(PREFIX) or variable in OF_TOOLS:
                continue
            setting = settings.get(variable.removeprefix(PREFIX))
            if setting is None:
                near = get_close_matches(variable.removeprefix(PREFIX), settings, n=1, cutoff=0.7)
                faults.append(f"{variable} is no setting" + (f"; did you mean {PREFIX}{near[0]}?" if near else ""))
                continue
            kind = kinds[setting.name]
            if kind is str:
                values[setting.name] = text
            elif text.strip():
                try:
                    values[setting.name] = convert(text.strip(), kind)
                except msgspec.ValidationError as why:
                    faults.append(f"{variable}={text} cannot be used: {why}")
        if (url := values.get("public_url")) and not PUBLIC_URL.fullmatch(url):
            faults.append(f"LUSTRA_PUBLIC_URL={url} cannot be used: it is https://HOST or https://HOST/PATH, not /api")
        if faults:
            raise SystemExit("\n".join(faults))
        return cls(**values)

    @property
    def folder(self) -> Path:
        return Path(self.data)


def split_urls(text: str) -> list[str]:
    return [url.strip().rstrip("/") for url in text.split(",") if url.strip()]


def convert(text: str, kind: Any) -> Any:
    """Raises msgspec.ValidationError, whose text says what would fit."""
    if kind is bool and text.lower() not in SWITCHES:
        raise msgspec.ValidationError(f"it is one of {', '.join(SWITCHES)}")
    return SWITCHES[text.lower()] if kind is bool else msgspec.convert(text, kind, strict=False)
