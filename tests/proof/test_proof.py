"""A proof is what the report says, chained and signed, and no byte of it can be changed unseen."""

import base64
import contextlib
import hashlib
import io
import itertools
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest
from asn1crypto import x509
from cryptography import x509 as certificates
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import async_validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

from lustra.app.commands import verify as command
from lustra.core.errors import Code, Refusal
from lustra.domains.proof import document, envelope, keys, pdf, verify
from lustra.domains.proof.envelope import Altered
from lustra.protocol.bus import Mask
from lustra.protocol.masks import pack_mask
from tests.report.test_cleaned_rooms import keep_rooms, swept
from tests.report.test_not_cleaned import BEYOND, MISSED, keep_run
from tests.world import World

LANGUAGES = ("en", "zh-CN", "ja", "ko", "fr", "de", "es", "nl", "ar")
CLEANED = (6, 2, 20, 18)
FOREIGN = ("rivaluser", "rival")
SINCE = datetime(2026, 11, 1, tzinfo=UTC)
SEALED = "2026-11-23T20:00:00+00:00"
ROBOT = {"deviceSerialNumber": "SC0001", "taskName": "Lobby 机器", "startTime": SEALED, "cleanedArea": 9.5}
WORDS = ("title", "author", "foot", "subtitle", "alt", "caption", "sealTitle", "seal")
DOCUMENT = {
    **dict.fromkeys(WORDS, "清洁 تقرير a"),
    "lang": "en",
    "region": None,
    "rtl": False,
    "tall": 80,
    "colour": "#017465",
    "sealed": SEALED,
    "figures": [["a", "1"]],
    "tables": [{"title": "t", "head": ["k", "l", "m", "n"], "numbers": 1, "rows": [["a", "b", "c", "d"]]}],
    "digests": [],
}


class Proof:
    """`certificate`: of the key that sealed both files. No dataclass: hypothesis would print them whole."""

    def __init__(self, record: bytes, document: bytes, certificate: str) -> None:
        self.record, self.pdf, self.certificate = record, document, certificate


@pytest.fixture(scope="module")
def sealed() -> Proof:
    certificate, private = keys.create_key()
    content = envelope.write_canonical({"position": 1, "sealed": SEALED, "report": ROBOT})
    record = envelope.write(content, envelope.sign(content, private), certificate)
    files = {
        "picture": b"",
        "logo": b"",
        "envelope": record,
        "certificate": certificate.encode(),
        "private": private.encode(),
    }
    return Proof(record, pdf.write(files, DOCUMENT, "en"), certificate)


@pytest.fixture
async def number(world: World) -> int:
    await keep_rooms(world)
    return await keep_run(world, swept(MISSED), beyond=swept(BEYOND), cells=None)


async def prove(world: World, number: int, account: str = "user", **payload: Any) -> bytes:
    answer = await world.post(account, "/taskReport/proof", taskReportId=number, **payload)
    assert answer.headers["content-type"].startswith("application/")
    return answer.content


async def test_the_record_says_what_the_report_says_and_what_was_left(world: World, number: int):
    record, _ = verify.read(await prove(world, number, form="json"))
    detail = await world.call("user", "/taskReport/detail", taskReportId=number)
    assert [
        name for name in ("taskName", "cleanedArea", "coverage", "run") if record["report"][name] != detail[name]
    ] == []
    assert [place["area"] for place in record["notCleaned"]["places"]] == [4.0, 2.0]
    assert (record["position"], record["previous"]) == (1, "")


async def test_a_report_is_sealed_once_and_again_after_a_change_and_the_chain_grows(world: World, number: int):
    first = await prove(world, number, form="json")
    assert await prove(world, number, form="json") == first
    update = (await world.call("user", "/taskReport/detail", taskReportId=number))["updateTime"]
    change = {"taskReportId": number, "cleanedArea": 5.5, "updateTime": update}
    await world.call("user", "/taskReport/editTaskReport", **change)
    record, _ = verify.read(await prove(world, number, form="json"))
    before = json.loads(first)["record"]
    assert (record["position"], record["previous"]) == (2, hashlib.sha256(before.encode()).hexdigest())
    assert (record["report"]["byHand"], record["report"]["cleanedArea"]) == ("edited", 5.5)
    assert verify.read(await prove(world, number))[0] == record


async def test_a_key_is_changed_and_the_former_stays_published(world: World, number: int):
    await prove(world, number, form="json")
    async with world.services.sessions.begin() as db:
        await keys.rotate(db, world.services.settings)
    record, sealer = verify.read(await prove(world, number, form="json"))
    published = (await world.call("user", "/taskReport/proofKeys"))["list"]
    assert record["position"] == 2
    assert published[0]["fingerprint"] == envelope.fingerprint(sealer)
    assert [key["retiredTime"] is None for key in published] == [True, False]
    assert await world.pool.fetchval("select count(*) from proof_key where sealed is not null") == 1


async def test_stock_software_verifies_the_pdf_by_the_published_certificate(world: World, number: int):
    content = await prove(world, number)
    [key] = (await world.call("user", "/taskReport/proofKeys"))["list"]
    root = x509.Certificate.load(pdf.der_of(key["certificate"].encode()))
    [signature] = PdfFileReader(io.BytesIO(content)).embedded_signatures
    status = await async_validate_pdf_signature(signature, ValidationContext(trust_roots=[root]))
    assert (status.intact, status.valid, status.trusted) == (True, True, True)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_pdf_is_made_in_each_language(world: World, number: int, language: str):
    await world.pool.execute("update account set language = $1 where account = 'user'", language)
    assert verify.read(await prove(world, number))[0]["report"]["taskName"] == "Lobby"


async def test_a_file_is_verified_and_a_changed_one_is_not(world: World, number: int, sealed: Proof):
    content = await prove(world, number)
    answer = await world.call("user", "/taskReport/verifyProof", content=base64.b64encode(content).decode())
    assert (answer["intact"], answer["known"], answer["position"], answer["taskName"]) == (True, True, 1, "Lobby")
    changed = base64.b64encode(content.replace(b"Lobby", b"Labby") + b" ").decode()
    answer = await world.call("user", "/taskReport/verifyProof", content=changed)
    assert (answer["intact"], answer["known"], answer["sealedTime"]) == (False, False, None)
    other = base64.b64encode(sealed.record).decode()
    answer = await world.call("user", "/taskReport/verifyProof", content=other)
    assert (answer["intact"], answer["known"]) == (True, False)
    assert (await world.raw("user", "/taskReport/verifyProof", content="a*b"))[0] == Code.BAD_INPUT


async def test_a_run_that_goes_on_is_not_sealed(world: World, number: int):
    await world.pool.execute("update task_report set \"end\" = 'running'")
    assert (await world.raw("user", "/taskReport/proof", taskReportId=number))[0] == Code.BAD_INPUT


async def test_a_foreign_tenant_gets_no_proof(world: World, number: int):
    await prove(world, number, form="json")
    for account in FOREIGN:
        assert (await world.raw(account, "/taskReport/proof", taskReportId=number))[0] == Code.NOT_FOUND


PLACE = st.floats(0, 1, exclude_max=True)
CHANGE = st.integers(1, 255)


async def test_support_seals_nothing_while_the_customer_keeps_it_out(world: World, number: int):
    await world.call("user", "/support/close")
    code, data = await world.raw("dealer", "/taskReport/proof", taskReportId=number)
    assert (code, data["customer"]) == (Code.SUPPORT_CLOSED, "Bright Floors")
    assert await prove(world, number, form="json")


def change(content: bytes, place: int, by: int) -> bytes:
    return content[:place] + bytes([content[place] ^ by]) + content[place + 1 :]


@settings(max_examples=100, deadline=None)
@given(place=PLACE, by=CHANGE)
def test_break_the_seal_of_a_pdf_by_a_changed_byte(sealed: Proof, place: float, by: int):
    with pytest.raises(Altered):
        verify.read(change(sealed.pdf, int(place * len(sealed.pdf)), by))


def test_no_bit_of_a_record_can_be_turned_unseen(sealed: Proof):
    unseen: list[tuple[int, int]] = []
    for place, bit in itertools.product(range(len(sealed.record)), range(8)):
        with contextlib.suppress(Altered):
            verify.read(change(sealed.record, place, 1 << bit))
            unseen.append((place, bit))
    assert unseen == []


@settings(max_examples=100, deadline=None)
@given(place=PLACE, by=CHANGE)
def test_break_the_seal_by_a_changed_byte_of_the_signature(sealed: Proof, place: float, by: int):
    [signature] = PdfFileReader(io.BytesIO(sealed.pdf)).embedded_signatures
    byte_range: Any = signature.byte_range
    _, begin, end, _ = (int(part) for part in byte_range)
    with pytest.raises(Altered):
        verify.read(change(sealed.pdf, begin + int(place * (end - begin)), by))


def test_nothing_stands_behind_a_signature(sealed: Proof):
    [signature] = PdfFileReader(io.BytesIO(sealed.pdf)).embedded_signatures
    byte_range: Any = signature.byte_range
    last = int(byte_range[2]) - 2  # the digit before the end of the place, which is filled up with zeros
    assert sealed.pdf[last : last + 2] == b"0>"
    with pytest.raises(Altered, match="signature"):
        verify.read(change(sealed.pdf, last, ord("0") ^ ord("1")))
    place = next(at for at in range(int(byte_range[1]), last) if sealed.pdf[at] in b"ABCDEF")
    with pytest.raises(Altered, match="signature"):
        verify.read(change(sealed.pdf, place, ord("A") ^ ord("a")))
    with pytest.raises(Altered, match="content"):
        verify.read(change(sealed.pdf, 20, 1))


def test_a_record_in_the_pdf_of_another_key_is_no_proof(sealed: Proof):
    certificate, private = keys.create_key()
    files = {
        "picture": b"",
        "logo": b"",
        "envelope": sealed.record,
        "certificate": certificate.encode(),
        "private": private.encode(),
    }
    with pytest.raises(Altered, match="certificate"):
        verify.read(pdf.write(files, DOCUMENT, "en"))


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7", b"{}", b"[" * 100_000, b"x" * (envelope.LARGEST + 1)])
def test_report_a_file_that_is_no_proof_as_altered(content: bytes):
    with pytest.raises(Altered):
        verify.read(content)


@pytest.mark.parametrize(
    ("language", "families", "package"),
    [("de", set(), "core"), ("ja", {"Noto Sans"}, "cjk"), ("ar", {"Noto Sans"}, "core")],
)
def test_missing_fonts_are_named_with_the_package_that_has_them(language: str, families: set[str], package: str):
    with pytest.raises(Refusal) as refusal:
        pdf.choose_fonts(language, families)
    assert refusal.value.values["package"] == f"fonts-noto-{package}"


def test_of_the_fonts_that_are_there_the_languages_own_goes_first():
    assert pdf.choose_fonts("ja", {"Noto Sans", "Noto Sans CJK JP"}) == ["Noto Sans", "Noto Sans CJK JP"]


def test_refuse_what_is_no_document(sealed: Proof, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("typst.Compiler", lambda *_, **__: SimpleNamespace(compile=lambda **_: [b"a page"]))
    files = {"picture": b"", "logo": b"", "envelope": sealed.record}
    with pytest.raises(TypeError):
        pdf.lay_out(files, DOCUMENT, "en")


async def test_the_floor_of_a_run_is_drawn_with_what_was_cleaned_and_what_was_not(world: World):
    await keep_rooms(world)
    without = await keep_run(world, swept(MISSED), id="without", cells=None)
    number = await keep_run(world, swept(MISSED), beyond=swept(BEYOND), id="with", cells=pack_mask(swept(CLEANED)))
    pictures = [
        len(re.findall(rb"/Subtype */Image", await prove(world, each, form="pdf"))) for each in (without, number)
    ]
    assert pictures == [0, 1]


def test_a_floor_is_painted_where_it_can_be_driven_and_cut_to_what_is_known():
    grid = np.full((10, 10), document.UNKNOWN, np.uint8)
    grid[2:8, 3:9] = 254
    grid[2, 3:9] = 0
    png = io.BytesIO()
    Image.fromarray(grid).save(png, "PNG")
    cells = np.zeros((10, 10), np.bool_)
    cells[2:4, 3:6] = True  # from below
    drawing = document.paint(png.getvalue(), {"missed": msgspec.convert(pack_mask(cells), Mask)}).decode()
    picture = Image.open(io.BytesIO(base64.b64decode(drawing.partition("base64,")[2].partition('"')[0])))
    assert (picture.size, drawing.count('width="6" height="6"')) == ((6, 6), 2)
    assert [picture.getpixel(at) for at in ((0, 0), (0, 1), (0, 5), (5, 5))] == [
        tuple(colour) for colour in (document.WALL, document.FLOOR, document.PAINT["missed"], document.FLOOR)
    ]
    empty = io.BytesIO()
    Image.fromarray(np.full((4, 4), document.UNKNOWN, np.uint8)).save(empty, "PNG")
    assert 'width="4" height="4"' in document.paint(empty.getvalue(), {}).decode()


def test_a_machine_names_the_fonts_that_it_lacks_by_their_package(monkeypatch: pytest.MonkeyPatch):
    fonts = SimpleNamespace(families=lambda: ["Noto Sans", "Noto Sans CJK JP"])
    monkeypatch.setattr("typst.Fonts", lambda: fonts)
    missing = pdf.list_missing_fonts()
    assert missing["fonts-noto-core"] == ["Noto Sans Arabic"]
    assert "Noto Sans CJK JP" not in missing["fonts-noto-cjk"]
    complete = [*fonts.families(), *missing["fonts-noto-core"], *missing["fonts-noto-cjk"]]
    fonts.families = lambda: complete
    assert pdf.list_missing_fonts() == {}


def test_without_the_extra_a_pdf_is_refused_by_name(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pdf, "LIBRARIES", ("typst", "no_such_library"))
    with pytest.raises(Refusal) as refusal:
        pdf.demand_libraries()
    assert (refusal.value.reason, refusal.value.values["names"]) == ("documents_missing", "no_such_library")


def test_the_command_verifies_a_file_without_anything_else(
    sealed: Proof, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    record, document, certificate = sealed.record, sealed.pdf, sealed.certificate
    own, other = tmp_path / "own.pem", tmp_path / "other.pem"
    own.write_text(certificate)
    other.write_text(keys.create_key()[0])
    for name, content, trusted, code in (
        ("proof.pdf", document, own, 0),
        ("record.json", record, None, 0),
        ("proof.pdf", document, other, "NOT TRUSTED"),
        ("record.json", record.replace(b"9.5", b"9.6"), own, "ALTERED"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(SystemExit) as ended:
            command.check(tmp_path / name, trusted)
        assert ended.value.code == code or str(ended.value.code).startswith(str(code))
    assert capsys.readouterr().out.count("INTACT: record 1 of robot SC0001") == 2


def test_a_reader_says_whether_a_file_is_intact(sealed: Proof):
    def check(content: bytes) -> dict[str, Any]:
        return verify.check({"file": base64.b64encode(content)})

    good = check(sealed.record)
    assert (good["intact"], good["record"]["position"], len(good["fingerprint"])) == (True, 1, 64)
    assert check(sealed.record + b" ") == {"intact": False, "part": "form", "fingerprint": "", "record": {}}
    with pytest.raises(Refusal) as refusal:
        verify.check({"file": b"no base64!"})
    assert refusal.value.reason == "format"


def test_another_kind_of_key_seals_nothing():
    private = ed25519.Ed25519PrivateKey.generate()
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with pytest.raises(TypeError):
        envelope.sign("{}", pem.decode())
    name = certificates.Name([certificates.NameAttribute(certificates.NameOID.COMMON_NAME, "Lustra")])
    builder = certificates.CertificateBuilder(name, name, private.public_key(), 1, SINCE, SINCE + timedelta(days=1))
    with pytest.raises(Altered, match="certificate"):
        envelope.verify(builder.sign(private, None), b"", b"")
