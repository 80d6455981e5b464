"""The SSH end of the tunnels: robots behind NAT come in with the stock OpenSSH client.

Rules: only a device's registered key, under its serial number; no shell, no command, no way from the robot to
anything here. `-R 127.0.0.1:<port>:…` is accepted for the device's own port (20000 to 30000) alone, and opens no port
of this machine: the port names the tunnel, and each connection to the robot is a channel of it. A port belongs to the
robot that is registered for it at this node, and a robot of another node does not come in (known.py). A device that
comes again takes over from its old connection, which may be dead without our knowing; silence of 45 s ends a
connection. Who has not logged in yet has 10 s and keeps nobody else out (arrivals.py).
"""

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import asyncssh
import structlog
from cachetools import TTLCache
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from prometheus_client import Counter, Gauge

from lustra.relay.arrivals import Arrivals
from lustra.relay.known import Device, Known

TUNNELS = Gauge("lustra_relay_tunnels", "Robots whose tunnel stands at this relay")
REFUSED = Counter("lustra_relay_tunnels_refused_total", "Requests for a tunnel (-R) that were refused", ["reason"])
log = structlog.get_logger(__name__)

HOST = "127.0.0.1"  # what a robot names in -R; never bound
PORTS = range(20000, 30001)
# OpenSSH of 2013 and later speaks the first, small clients (dropbear) the last. Most clients ask for ChaCha20-Poly1305:
# it takes five times as long by our library, and is what the Terrapin attack works on.
CIPHERS = ("aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr", "aes192-ctr", "aes256-ctr")
QUIET_S = 15
QUIET_TIMES = 3
LOG_IN_S = 10
NO_ADDRESS = {"", "localhost"}  # what OpenSSH sends for `-R *:port:…` and `-R port:…`
LONGEST_HOST = 64  # characters of it in the log
REFUSED_S = 60.0
MOST_REFUSED = 1000

Fault = Literal["no_address", "address", "port", "elsewhere"]


class OnTunnelChange(Protocol):
    def __call__(self, sn: str, *, up: bool) -> None: ...


@dataclass(frozen=True, eq=False)
class Tunnel:
    sn: str
    port: int
    link: asyncssh.SSHServerConnection


class Unreachable(OSError):
    """The robot has no tunnel here, or nobody answers at its end."""


class TunnelServer:
    """`on_tunnel_change(sn, up)` is called for each tunnel that comes and goes."""

    def __init__(self, known: Known, on_tunnel_change: OnTunnelChange, arrivals: Arrivals | None = None) -> None:
        self.known, self.on_tunnel_change, self.arrivals = known, on_tunnel_change, arrivals or Arrivals()
        self.tunnels: dict[int, Tunnel] = {}  # by port
        self.acceptor: asyncssh.SSHAcceptor | None = None
        self.port = 0  # 0: not open yet
        self.refused: TTLCache[tuple[str, Fault], bool] = TTLCache(MOST_REFUSED, REFUSED_S)
        known.device_changed = self.device_changed

    async def open(self, host: str, port: int, host_key: str, listening: socket.socket | None = None) -> None:
        """Listens, with an Ed25519 private key in hex; on a socket that is open already, if one is given."""
        key = asyncssh.import_private_key(openssh(host_key))
        where: dict[str, Any] = {"sock": listening} if listening else {"host": host, "port": port}
        self.acceptor = await asyncssh.listen(
            **where,
            server_factory=lambda: TunnelConnection(self),
            server_host_keys=[key],
            encryption_algs=CIPHERS,
            compression_algs=["none"],
            keepalive_interval=QUIET_S,
            keepalive_count_max=QUIET_TIMES,
            login_timeout=LOG_IN_S,
            agent_forwarding=False,
            x11_forwarding=False,
            allow_scp=False,
            password_auth=False,
            kbdint_auth=False,
            gss_host=None,
        )
        self.port = self.acceptor.get_port()

    async def close(self) -> None:
        if self.acceptor is not None:
            self.acceptor.close()
        for tunnel in list(self.tunnels.values()):
            tunnel.link.abort()
        if self.acceptor is not None:
            await self.acceptor.wait_closed()

    def fault_of(self, sn: str, host: str, port: int) -> Fault | None:
        """Why this `-R` of a robot that has logged in is refused; None: it is not."""
        device = self.known.devices.get(sn)
        if host in NO_ADDRESS:
            return "no_address"
        if host != HOST:
            return "address"
        if device is None or port != device.port or port not in PORTS:
            return "port"
        return None if self.known.owner_of(port) == sn else "elsewhere"

    def note_refusal(self, sn: str, reason: Fault, host: str, port: int) -> None:
        """One line a minute for a robot and a reason: it tries again every few seconds."""
        REFUSED.labels(reason).inc()
        if (sn, reason) not in self.refused:
            self.refused[sn, reason] = True
            log.warning("tunnel.refused", sn=sn, reason=reason, host=host[:LONGEST_HOST], port=port, address=HOST)

    def add_tunnel(self, tunnel: Tunnel) -> None:
        old = self.tunnels.get(tunnel.port)
        self.tunnels[tunnel.port] = tunnel
        if old is not None and old.link is not tunnel.link:
            old.link.abort()
        log.info("tunnel.up", sn=tunnel.sn, took_over=old is not None)
        TUNNELS.set(len(self.tunnels))
        self.on_tunnel_change(tunnel.sn, up=True)

    def remove_tunnel(self, tunnel: Tunnel) -> None:
        """Forgets a tunnel and reports it as closed, unless the robot has a newer one."""
        if self.tunnels.get(tunnel.port) is tunnel:
            del self.tunnels[tunnel.port]
            TUNNELS.set(len(self.tunnels))
            log.info("tunnel.down", sn=tunnel.sn)
            self.on_tunnel_change(tunnel.sn, up=False)

    def device_changed(self, sn: str) -> None:
        """It is deleted, has another key, port or node, or is registered for a port that another one held without a
        node: that connection ends."""
        for tunnel in list(self.tunnels.values()):
            if tunnel.sn == sn or self.known.owner_of(tunnel.port) != tunnel.sn:
                self.remove_tunnel(tunnel)
                tunnel.link.abort()

    async def open_channel(self, port: int, pipe: Callable[[], asyncssh.SSHTCPSession[bytes]]) -> None:
        """Opens a connection through the tunnel to the robot's local HTTP."""
        tunnel = self.tunnels.get(port)
        if tunnel is None:
            raise Unreachable("the robot has no tunnel here")
        try:
            await tunnel.link.create_connection(pipe, HOST, port, HOST, 0)
        except (asyncssh.Error, ConnectionError) as why:
            raise Unreachable("nobody answers at the end of the tunnel") from why


class TunnelConnection(asyncssh.SSHServer):
    """One connection of a robot, from its first byte."""

    def __init__(self, server: TunnelServer) -> None:
        self.server, self.sn = server, ""
        self.link: asyncssh.SSHServerConnection | None = None
        self.tunnel: Tunnel | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self.link = conn
        self.server.arrivals.enter(conn, conn.get_extra_info("peername", ("",))[0])

    def auth_completed(self) -> None:
        if self.link is not None:
            device = self.server.known.devices.get(self.sn)
            tunnel = self.server.tunnels.get(device.port) if device else None
            self.server.arrivals.log_in(self.link, self.sn, tunnel.link if tunnel and tunnel.sn == self.sn else None)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  asyncssh's signature
        if self.link is not None:
            self.server.arrivals.leave(self.link, self.sn)
        self.close_tunnel()

    def close_tunnel(self) -> None:
        if self.tunnel is not None:
            self.server.remove_tunnel(self.tunnel)

    def begin_auth(self, username: str) -> bool:
        self.sn = username
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        device = self.server.known.devices.get(username)
        return device is not None and same_key(device, key)

    def server_requested(self, listen_host: str, listen_port: int) -> "bool | Listener":
        """Answers `-R`: the device's own port on the loopback address; all else is refused, and logged with the reason:
        `no_address` (`-R 20001:…`), `address` (another one), `port` (not its own), `elsewhere` (the port is another
        robot's here; it goes to its next relay)."""
        if self.link is None:
            return False
        if reason := self.server.fault_of(self.sn, listen_host, listen_port):
            self.server.note_refusal(self.sn, reason, listen_host, listen_port)
            return False
        self.tunnel = Tunnel(self.sn, listen_port, self.link)
        self.server.add_tunnel(self.tunnel)
        return Listener(self)


class Listener(asyncssh.SSHListener):
    """What asyncssh keeps for a `-R`. It listens nowhere; the robot may take its request back."""

    def __init__(self, connection: TunnelConnection) -> None:
        super().__init__()
        self.connection = connection

    def close(self) -> None:
        self.connection.close_tunnel()

    async def wait_closed(self) -> None:
        await asyncio.sleep(0)


def same_key(device: Device, key: asyncssh.SSHKey) -> bool:
    try:
        return asyncssh.import_public_key(device.ssh_key) == key
    except asyncssh.KeyImportError:
        log.warning("a device's key cannot be read", key=device.ssh_key[:60])
        return False


def openssh(private: str) -> bytes:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
    return key.private_bytes(form.Encoding.PEM, form.PrivateFormat.OpenSSH, form.NoEncryption())
