"""What outlives a run: the data folder, its lock, its secrets and ports.

Rules: one supervisor a folder; ports of the last run are kept while nobody else has them, unless the operator chose
others; secrets are made at the
first start and are readable by their owner alone; a folder stays what it was made as, demo or not.
"""

import errno
import fcntl
import json
import os
import pwd
import secrets
import socket
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import IO, Any

from lustra.core.files.private_files import write_private

LOOPBACK = "127.0.0.1"
SETTINGS = "settings.json"
LAST_BACKUP = "last-backup.json"
RUN = "run.json"  # addresses, while it runs
PROGRAMS = "programs"  # copies that PostgreSQL's user runs
OWN = {SETTINGS, LAST_BACKUP, RUN, "lock", "log", PROGRAMS}  # of the supervisor, whoever the processes run as
BACKLOG = 1024  # connections that wait to be taken
OURS = range(10000, 20000)  # none that the kernel gives to outgoing connections: one could have it before its server


def free_port(host: str, preferred: int = 0, taken: frozenset[int] = frozenset()) -> int:
    """The wanted port if nobody has it, else any free one of OURS."""
    drawn = iter(lambda: secrets.choice(OURS), None)
    candidates = chain([preferred] if preferred else [], drawn)
    return next(port for port in candidates if port not in taken and not in_use(host, port))


def free_ports(host: str, count: int) -> list[int]:
    ports: list[int] = []
    for _ in range(count):
        ports.append(free_port(host, taken=frozenset(ports)))
    return ports


def in_use(host: str, port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as our servers do: TIME_WAIT is not "taken"
        try:
            probe.bind((host, port))
        except OSError as why:
            if why.errno not in {errno.EADDRINUSE, errno.EACCES}:
                raise
            return True
    return False


def listen(host: str, port: int) -> socket.socket:
    """Open while we live, so that what connects while a server is replaced waits and is not refused."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as why:
        reason = why.strerror or str(why)
        if why.errno == errno.EADDRINUSE:
            reason = f"port {port} is in use: choose another with --port"
        raise SystemExit(f"cannot listen on {host}:{port}: {reason}") from None


def private_folder(path: Path, uid: int) -> Path:
    path.mkdir(mode=0o700, exist_ok=True)
    os.chown(path, uid, -1)
    return path


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "lock").touch(mode=0o600)
    except OSError as why:
        raise SystemExit(f"{folder} cannot be used: {why.strerror}. Choose another folder with --data.") from None


def close_to_others(folder: Path) -> None:
    """What lies in the data folder is for its owner alone, also what an older version has left open."""
    for entry in folder.iterdir():
        if entry.name != PROGRAMS and not entry.is_symlink():
            entry.chmod(0o700 if entry.is_dir() else 0o600)


def hand_over(folder: Path, uid: int, gid: int) -> None:
    """Data to the user of the processes, which may make files in the folder and remove none of ours.

    What lies deeper goes first: a folder that has changed hands says that all in it has.
    """
    os.chown(folder, -1, gid)
    folder.chmod(0o1771)
    for entry in folder.iterdir():
        if entry.name in OWN or entry.is_symlink() or entry.stat().st_uid == uid:
            continue
        for path in sorted(entry.rglob("*"), reverse=True):
            os.chown(path, uid, gid, follow_symlinks=False)
        os.chown(entry, uid, gid)


def take(folder: Path) -> IO[str]:
    """The folder's lock. The kernel frees it whatever ends us; children do not inherit it."""
    lock = (folder / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise SystemExit(f"{folder} is in use by another `lustra up`") from None
    return lock


def is_taken(folder: Path) -> bool:
    """Whether a supervisor has the folder's lock."""
    if not (folder / "lock").exists():
        return False
    with (folder / "lock").open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def child_user(name: str = "nobody") -> tuple[int, dict[str, Any]]:
    """Whom processes run as, and how to tell subprocess. PostgreSQL refuses root."""
    if os.geteuid():
        return os.geteuid(), {}
    try:
        user = pwd.getpwnam(name)
    except KeyError:
        raise SystemExit(f"there is no user {name} to run as: make it, or name another in LUSTRA_USER") from None
    return user.pw_uid, {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def default_folder(*, demo: bool) -> Path:
    name = "lustra-demo" if demo else "lustra"
    if os.geteuid() == 0:
        return Path("/var/lib") / name
    shared = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(shared) / "lustra"


def load_settings(folder: Path) -> dict[str, Any]:
    """The settings of the last run; empty before the first."""
    path = folder / SETTINGS
    return json.loads(path.read_text()) if path.exists() else {}


def complete_settings(
    folder: Path, *, demo: bool, host: str, ports: Mapping[str, int], generated: dict[str, Any], besides: int
) -> dict[str, Any]:
    """Secrets and ports of the last run, completed from `generated`: robots find their way back to the same address.

    `ports`: by name those that the operator chose, 0 for any. `besides` is the console's port, which none of the others
    may take. Raises SystemExit where a chosen port is taken.
    """
    old = load_settings(folder)
    if old and old["demo"] != demo:
        other, option = ("demo data", "with") if old["demo"] else ("data that is no demo", "without")
        raise SystemExit(f"{folder} holds {other}: start it {option} --demo, or choose another folder with --data")
    new = {"demo": demo} | generated | old
    used = {besides, *filter(None, ports.values())}
    new["ports"] = {}
    for name, chosen in ports.items():
        if chosen and (chosen == besides or list(ports.values()).count(chosen) > 1 or in_use(host, chosen)):
            raise SystemExit(f"port {chosen} is in use: choose another by LUSTRA_{name.upper()}_PORT")
        new["ports"][name] = chosen or free_port(host, old.get("ports", {}).get(name, 0), frozenset(used))
        used.add(new["ports"][name])
    save_settings(folder, new)
    return new


def save_settings(folder: Path, settings: dict[str, Any]) -> None:
    write_private(folder / SETTINGS, json.dumps(settings, indent=1))


def remember_relay(folder: Path, saved: dict[str, Any], url: str, *, earlier: list[str]) -> list[str]:
    """Addresses that the relay had before `url`, in this and earlier runs: robots registered there still find it."""
    saved["relay_urls"] = list(dict.fromkeys([*saved.get("relay_urls", []), *earlier, url]))
    save_settings(folder, saved)
    return [former for former in saved["relay_urls"] if former != url]


def random_secret() -> str:
    return secrets.token_urlsafe(24)
