"""What `lustra up --tls` certifies, whom it trusts, and when it makes a certificate anew."""

import asyncio
import shutil
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
import uvicorn
from cryptography import x509
from starlette.applications import Starlette
from structlog.testing import capture_logs

from lustra.core.http import tls
from lustra.core.process.tasks import cancel_all
from lustra.core.settings import Settings
from lustra.stack import certificates, place
from lustra.stack.certificates import Certificates, Pair, find_certificates, generate_authority, trusting
from tests.stack.certificates import certify
from tests.world import until


@pytest.fixture
def saved() -> dict[str, str]:
    return generate_authority()


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """`prepare` changes whom the process trusts; afterwards it is as before."""
    monkeypatch.setenv(certificates.TRUSTED, "")


def serial(pair: Pair) -> int:
    return x509.load_pem_x509_certificate(pair.certificate.read_bytes()).serial_number


def at(moment: datetime) -> type[datetime]:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # noqa: ARG003  as the real one
            return moment

    return Clock


async def handshake(pair: Pair, trusted: ssl.SSLContext, name: str) -> None:
    """Raises ssl.SSLError where a client that trusts these would not speak with that certificate under that name."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(pair.certificate, pair.key)
    async with await asyncio.start_server(lambda _, write: write.close(), place.LOOPBACK, 0, ssl=context) as server:
        port = server.sockets[0].getsockname()[1]
        _, writer = await asyncio.open_connection(place.LOOPBACK, port, ssl=trusted, server_hostname=name)
        writer.transport.abort()


@pytest.mark.parametrize("name", ["localhost", place.LOOPBACK, "cleaning.example.org", "2001:db8::7"])
async def test_each_name_and_address_of_the_machine_is_certified(tmp_path: Path, saved: dict[str, str], name: str):
    own = Certificates(tmp_path, saved, ["cleaning.example.org", "2001:db8::7"])
    own.prepare()
    await handshake(own.own, trusting(tmp_path), name)
    with pytest.raises(ssl.SSLCertVerificationError, match="not valid for"):
        await handshake(own.own, trusting(tmp_path), "other.example.org")


async def test_fail_the_handshake_of_a_client_with_another_authority(tmp_path: Path, saved: dict[str, str]):
    own = Certificates(tmp_path, saved, [])
    own.prepare()
    with pytest.raises(ssl.SSLCertVerificationError):
        await handshake(own.own, ssl.create_default_context(cafile=str(certify(tmp_path).authority)), "localhost")


def test_a_certificate_stays_until_a_month_before_its_end(
    tmp_path: Path, saved: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    own = Certificates(tmp_path, saved, [])
    own.prepare()
    first, now = serial(own.own), datetime.now(timezone.utc)
    monkeypatch.setattr(certificates, "datetime", at(now + certificates.LIFE - timedelta(days=31)))
    assert not own.renew()
    assert serial(own.own) == first
    monkeypatch.setattr(certificates, "datetime", at(now + certificates.LIFE - timedelta(days=29)))
    assert own.renew()
    assert serial(own.own) != first


@pytest.mark.parametrize("change", ["name", "key", "authority", "gone"])
def test_make_a_certificate_anew_that_no_longer_fits(tmp_path: Path, saved: dict[str, str], change: str):
    own = Certificates(tmp_path, saved, [])
    own.prepare()
    first = serial(own.own)
    match change:
        case "name":
            own = Certificates(tmp_path, saved, ["new.example.org"])
        case "key":
            own.own.key.write_text(certify(tmp_path).key.read_text())
        case "authority":
            own = Certificates(tmp_path, generate_authority(), [])
        case _:
            own.own.certificate.unlink()
    assert own.renew()
    assert serial(own.own) != first
    assert not own.renew()


def test_the_authority_is_the_same_after_each_start(tmp_path: Path, saved: dict[str, str]):
    Certificates(tmp_path, saved, []).prepare()
    before = (tmp_path / "tls" / "authority.pem").read_text()
    Certificates(tmp_path, saved, ["other"]).prepare()
    assert (tmp_path / "tls" / "authority.pem").read_text() == before


def test_the_machines_authorities_stay_trusted_once_each(
    tmp_path: Path, saved: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setenv(certificates.TRUSTED, str(certify(other).authority))
    own = Certificates(tmp_path, saved, [])
    own.prepare()
    subjects = [str(each["subject"]) for each in trusting(tmp_path).get_ca_certs()]
    assert sorted("Authority of the tests" in text for text in subjects) == [False, True]


def test_the_operators_files_are_shown_to_who_names_them_the_own_to_others(tmp_path: Path, saved: dict[str, str]):
    files = certify(tmp_path)
    given = Pair(files.chain, files.key)
    both = Certificates(tmp_path, saved, [], given=given)
    both.prepare()
    assert serial(both.shown) == serial(given)
    assert [serial(pair) for pair in both.of_bus] == [serial(both.own), serial(given)]
    assert both.public_host == "localhost"
    assert not both.renew()
    again = certify(tmp_path)
    assert both.renew()
    assert serial(both.shown) == serial(Pair(again.chain, again.key))


async def test_send_new_certificates_to_the_bus_and_report_wrong_ones(
    tmp_path: Path, saved: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(certificates, "LOOK_EACH_S", 0.01)
    files, other = certify(tmp_path), tmp_path / "other"
    other.mkdir()
    new = certify(other)
    both = Certificates(tmp_path, saved, [], given=Pair(files.chain, files.key))
    both.prepare()
    lines: list[str] = []
    reloads: list[int] = []
    renewing = asyncio.create_task(
        certificates.keep_renewed(both, lines.append, lambda: reloads.append(serial(both.shown)))
    )
    shutil.copy(new.chain, files.chain)  # its key comes later

    async def is_reported() -> bool:
        return any("cannot be used for TLS" in line for line in lines)

    async def is_reloaded() -> bool:
        return bool(reloads)

    await until(is_reported)
    assert not reloads
    shutil.copy(new.key, files.key)
    await until(is_reloaded)
    await cancel_all(renewing)
    assert reloads == [serial(Pair(new.chain, new.key))]


def test_half_a_pair_and_files_that_do_not_fit_refuse_the_start(tmp_path: Path, saved: dict[str, str]):
    with pytest.raises(SystemExit, match="go together"):
        find_certificates(Settings(tls_key="x"), tmp_path, {"demo": False, **saved}, place.LOOPBACK, -1)
    files, other = certify(tmp_path), tmp_path / "other"
    other.mkdir()
    wrong = Certificates(tmp_path, saved, [], given=Pair(files.chain, certify(other).key))
    with pytest.raises(SystemExit, match="cannot be used for TLS"):
        wrong.prepare()
    missing = Certificates(tmp_path, saved, [], given=Pair(tmp_path / "none.pem", files.key))
    with pytest.raises(SystemExit, match=r"none\.pem"):
        missing.prepare()


def test_names_come_from_the_addresses_that_the_environment_gives(tmp_path: Path, saved: dict[str, str]):
    settings = Settings(
        public_url="https://clean.example.org/",
        relay_url="https://relay.example.org:8443,https://relay2.example.org",
        mqtt_url="mqtts://bus.example.org:8883",
        hosts="second.example.org, ",
    )
    names = find_certificates(settings, tmp_path, {"demo": False, **saved}, "192.0.2.7", -1).names
    expected = {"192.0.2.7", "clean.example.org", "relay.example.org", "relay2.example.org", "bus.example.org"}
    assert expected | {"second.example.org", "localhost", place.LOOPBACK} <= set(names)


@pytest.fixture
async def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[int, Callable[[], Pair]]]:
    """A port that serves HTTPS, and how its files are made anew."""
    monkeypatch.setattr(tls, "LOOK_EACH_S", 0.01)
    files = certify(tmp_path)
    settings = Settings(tls_certificate=str(files.chain), tls_key=str(files.key))
    listening = socket.create_server((place.LOOPBACK, 0))
    config = uvicorn.Config(Starlette(), log_config=None, lifespan="off")
    serving = asyncio.create_task(tls.serve(config, settings, listening))

    def renew() -> Pair:
        again = certify(tmp_path)
        return Pair(again.chain, again.key)

    yield listening.getsockname()[1], renew
    await cancel_all(serving)
    listening.close()


async def shown_at(port: int) -> int:
    text = await asyncio.to_thread(ssl.get_server_certificate, (place.LOOPBACK, port))
    return x509.load_pem_x509_certificate(text.encode()).serial_number


async def test_a_renewed_certificate_is_shown_without_a_new_start(served: tuple[int, Callable[[], Pair]]):
    port, renew = served
    first, second = await shown_at(port), serial(renew())
    assert first != second

    async def is_shown() -> bool:
        return await shown_at(port) == second

    await until(is_shown)


async def test_a_renewal_that_does_not_fit_leaves_the_old_certificate(
    served: tuple[int, Callable[[], Pair]], tmp_path: Path
):
    port, renew = served
    first = await shown_at(port)
    key = (tmp_path / "server.key").read_text()
    second = serial(renew())
    (tmp_path / "server.key").write_text(key)  # of the first

    with capture_logs() as logged:

        async def is_refused() -> bool:
            return any(line["event"] == "certificate.unusable" for line in logged)

        await until(is_refused)
    assert await shown_at(port) == first
    third = serial(renew())

    async def is_shown() -> bool:
        return await shown_at(port) == third

    await until(is_shown)
    assert second not in {first, third}


async def test_old_versions_of_tls_are_refused(served: tuple[int, Callable[[], Pair]]):
    port, _ = served
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    old.set_ciphers("DEFAULT:@SECLEVEL=0")
    with pytest.raises((ssl.SSLError, ConnectionError)):
        await asyncio.open_connection(place.LOOPBACK, port, ssl=old)
