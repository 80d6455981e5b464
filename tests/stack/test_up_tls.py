"""`lustra up --tls`: browsers, robots and its own processes speak over TLS, and over nothing else."""

import contextlib
import http.client
import json
import shutil
import socket
import ssl
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import nats
import pytest

from lustra.app.doctor import network, services
from lustra.app.doctor.finding import Installation, Look
from lustra.core.settings import Settings
from lustra.stack import place
from lustra.stack.certificates import trusting
from tests.stack.certificates import certify
from tests.stack.test_doctor import levels
from tests.stack.test_up import Tree, until

pytestmark = pytest.mark.timeout(300)


class SecureTree(Tree):
    """Of an authority of its own."""

    def well(self) -> bool:
        try:
            return all(answers(self.run[name], path, self.folder) for name, path in PAGES.items())
        except OSError:
            return False


PAGES = {"http": "/readyz", "relay": "/healthz", "video": "/healthz"}


def answers(url: str, path: str, folder: Path | None) -> bool:
    """Raises URLError where the folder's processes trust nobody there."""
    with urllib.request.urlopen(f"{url}{path}", timeout=5, context=trusting(folder)) as answer:
        return answer.status == 200


@pytest.fixture(scope="module")
def tree() -> Iterator[SecureTree]:
    folder = Path(tempfile.mkdtemp(prefix="lustra-test-"))
    folder.chmod(0o755)
    tree = SecureTree(folder, "--tls")
    tree.start()
    until(tree.well)
    yield tree
    tree.stop()
    shutil.rmtree(folder)


def test_the_authority_is_shown_and_given_out(tree: SecureTree):
    authority = (tree.folder / "tls" / "authority.pem").read_text()
    with urllib.request.urlopen(f"{tree.run['http']}/authority.pem", context=trusting(tree.folder)) as answer:
        assert answer.read().decode() == authority
        assert "strict-transport-security" not in answer.headers  # who has not taken it yet could not get at it
    assert "SHA-256" in tree.output


@pytest.mark.parametrize("name", PAGES)
def test_refuse_a_client_that_does_not_trust_the_authority(tree: SecureTree, name: str):
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        answers(tree.run[name], PAGES[name], None)


@pytest.mark.parametrize("name", PAGES)
def test_send_nothing_unencrypted(tree: SecureTree, name: str):
    line = http.client.HTTPConnection(urlsplit(tree.run[name]).netloc, timeout=5)
    line.request("GET", PAGES[name])
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        line.getresponse()
    line.close()


async def test_the_bus_takes_nobody_in_the_clear(tree: SecureTree):
    trusted = trusting(tree.folder)
    link = await nats.connect(tree.run["nats"], tls=trusted)
    assert (await link.jetstream().stream_info("STATE")).config.name == "STATE"
    await link.close()
    url = urlsplit(tree.run["nats"])
    with socket.create_connection((url.hostname, url.port), timeout=5) as line, line.makefile("rwb") as stream:
        assert json.loads(stream.readline().removeprefix(b"INFO "))["tls_required"]
        stream.write(b'CONNECT {"user": "server", "pass": "x"}\r\nPING\r\n')
        stream.flush()
        assert b"PONG" not in rest(line)


def test_robots_over_mqtt_are_spoken_to_over_tls_alone(tree: SecureTree):
    url = urlsplit(tree.run["mqtt"])
    assert url.scheme == "mqtts"
    with (
        socket.create_connection((url.hostname, url.port), timeout=5) as line,
        trusting(tree.folder).wrap_socket(line, server_hostname=url.hostname) as secure,
    ):
        assert secure.version() in {"TLSv1.2", "TLSv1.3"}


@pytest.mark.parametrize("look", [network.look_at_certificates, services.look_at_processes, services.look_at_bus])
async def test_the_doctor_finds_certificates_processes_and_bus_right(tree: SecureTree, look: Look):
    saved = place.load_settings(tree.folder)
    assert set((await levels(look, Installation(Settings(), tree.folder, saved, tree.run))).values()) == {"ok"}


def test_secrets_of_tls_are_for_the_owner_alone(tree: SecureTree):
    assert not {path.name for path in (tree.folder / "tls").iterdir() if path.stat().st_mode & 0o077}
    assert "authority_key" in place.load_settings(tree.folder)


def test_files_of_the_operators_are_shown_to_browsers_by_their_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    folder = Path(tempfile.mkdtemp(prefix="lustra-test-"))
    folder.chmod(0o755)
    given = certify(tmp_path)
    monkeypatch.setenv("LUSTRA_TLS_CERTIFICATE", str(given.chain))
    monkeypatch.setenv("LUSTRA_TLS_KEY", str(given.key))
    monkeypatch.setenv("SSL_CERT_FILE", str(given.authority))
    tree = SecureTree(folder)
    tree.start()
    try:
        until(tree.well)
        assert urlsplit(tree.run["http"]).hostname == "localhost"
        only_given = ssl.create_default_context(cafile=str(given.authority))
        with urllib.request.urlopen(f"{tree.run['http']}/readyz", context=only_given) as answer:
            assert answer.headers["strict-transport-security"]
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{tree.run['http']}/authority.pem", context=only_given)
        bus = urlsplit(tree.run["nats"])
        named = shown(bus.hostname, bus.port, "localhost", only_given)
        assert named == given.chain.read_text()
    finally:
        tree.stop()
        shutil.rmtree(folder)


def rest(line: socket.socket) -> bytes:
    """What comes until the other side closes."""
    parts: list[bytes] = []
    with contextlib.suppress(ConnectionError):
        while part := line.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


def shown(host: str, port: int, name: str, trusted: ssl.SSLContext) -> str:
    """The certificate that the bus shows who asks for that name."""
    with socket.create_connection((host, port), timeout=5) as line:
        line.recv(1 << 16)  # INFO
        with trusted.wrap_socket(line, server_hostname=name) as secure:
            return ssl.DER_cert_to_PEM_cert(secure.getpeercert(binary_form=True) or b"")
