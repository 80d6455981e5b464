"""What is handed in to do harm: kept as bytes that no browser runs, or refused; nothing leaves the store's folder."""

import gzip
import io
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lustra.core.errors import Code
from tests.clients import LogIn
from tests.storage.test_files import fetch, png, put

SCRIPT = b"<script>fetch('/api/user/selectUser')</script>"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">' + SCRIPT + b"</svg>"
SHOWN = {"image/png", "image/jpeg", "image/gif", "image/webp"}


def archive(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries:
            file.writestr(name, content)
    return out.getvalue()


def link(name: str, to: str) -> bytes:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return archive((info, to.encode()))


def tar(name: str, kind: bytes = tarfile.REGTYPE, to: str = "") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as file:
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, to
        file.addfile(info)
    return out.getvalue()


def bomb(depth: int) -> bytes:
    content = bytes(1 << 20)
    for _ in range(depth):
        content = archive(("a.zip", content))
    return content


SAMPLES: dict[str, tuple[str, bytes]] = {
    "zip with a way up": ("a.zip", archive(("../../../../tmp/lustra-slip", b"x"))),
    "zip with a Windows way up": ("a.zip", archive(("..\\..\\lustra-slip", b"x"))),
    "zip with an absolute path": ("a.zip", archive(("/tmp/lustra-slip", b"x"))),
    "zip with a drive": ("a.zip", archive(("C:\\lustra-slip", b"x"))),
    "zip with a link to a file": ("a.zip", link("a", "/etc/passwd")),
    "zip with a link to a folder": ("a.zip", link("a", "../..")),
    "zip with the same name twice": ("a.zip", archive(("a", b"1"), ("A", b"2"))),
    "zip with a name of 60,000 letters": ("a.zip", archive(("a" * 60_000, b"x"))),
    "zip in a zip in a zip": ("a.zip", bomb(5)),
    "zip cut in its middle": ("a.zip", archive(("a", b"x" * 999))[:60]),
    "zip with a page before it": ("a.zip", SCRIPT + archive(("a", b"x"))),
    "tar with a way up": ("a.tar.gz", tar("../../lustra-slip")),
    "tar with a hard link": ("a.tar.gz", tar("a", tarfile.LNKTYPE, "/etc/passwd")),
    "tar with a device": ("a.tar.gz", tar("a", tarfile.CHRTYPE)),
    "gzip bomb": ("a.gz", gzip.compress(bytes(32 << 20))),
    "SVG with a script": ("a.svg", SVG),
    "SVG named as a picture": ("a.png", SVG),
    "SVG named as a picture, in another case": ("a.PNG", SVG),
    "page": ("a.html", b"<!doctype html>" + SCRIPT),
    "page without a type": ("a", SCRIPT),
    "page named as a picture": ("a.jpg", SCRIPT),
    "XML with an entity of a file": ("a.xml", b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
    "picture that is a page, too": ("a.png", png() + SCRIPT),
    "picture with a page in its comment": ("a.gif", b"GIF89a\x01\x00\x01\x00\x00\x00\x00!\xfe" + SCRIPT),
    "picture that is a zip, too": ("a.png", png() + archive(("../a", b"x"))),
    "picture that says that it has 65,535 rows": ("a.png", png()[:20] + b"\xff\xff\xff\xff" + png()[24:]),
    "picture whose end is missing": ("a.png", png()[:-20]),
    "JPEG with a program behind it": ("a.jpg", b"\xff\xd8\xff\xe0<?php system($_GET[0]); ?>"),
    "PDF with a script": ("a.pdf", b"%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj"),
    "script by its bytes": ("a.js", b"self.onfetch=()=>{}"),
    "program": ("a.exe", b"MZ\x90\x00"),
    "WebAssembly": ("a.wasm", b"\x00asm\x01\x00\x00\x00"),
}


def slipped(folder: Path) -> list[Path]:
    """What an archive has written where it may not."""
    return [*folder.rglob("*slip*"), *folder.parent.glob("*slip*"), *Path("/tmp").glob("lustra-slip*")]


@pytest.mark.spec("rule.image.format")
async def test_hostile_files_are_refused_or_come_back_as_bytes_that_no_browser_runs(console: LogIn, tmp_path: Path):
    me = await console("dealer")
    assert len(SAMPLES) >= 30
    for sample, (name, content) in SAMPLES.items():
        code = (await put(me, f"files/{name}", content))["message"]["code"]
        assert code in (0, Code.BAD_INPUT), sample
        if code:
            continue
        answer = await fetch(me, f"files/{name}")
        assert answer.content == content, sample
        assert answer.headers["x-content-type-options"] == "nosniff", sample
        assert answer.headers["content-security-policy"] == "sandbox", sample
        shown = answer.headers["content-type"] in SHOWN
        assert shown or answer.headers["content-disposition"].startswith("attachment"), sample
        assert not any(word in answer.headers["content-type"] for word in ("html", "svg", "xml", "script")), sample
    assert slipped(tmp_path) == []


def ways_up() -> Iterator[str]:
    for up in ("..", "%2e%2e", "%252e%252e", "..%00", "．．", "․․", "..;", ".", "..\\..", "%c0%ae%c0%ae"):
        for slash in ("/", "%2f", "\\", "%5c", "／", "∕", "%252f", "//"):
            yield f"{up}{slash}etc{slash}passwd"
    yield from ("file:///etc/passwd", "C:\\boot.ini", "\\\\host\\share", "~/x", "$HOME/x", "`id`/x", "a\x00/x")


@pytest.mark.spec("rule.file.name")
async def test_no_path_in_any_writing_leads_out_of_the_accounts_files(console: LogIn, tmp_path: Path):
    me = await console("dealer")
    await put(me, "a.bin", b"x")
    for path in ways_up():
        for payload in ({"file": "a.bin", "targetPath": path}, {"file": path}):
            code, _ = await me.raw("/oss/upload", **payload)
            assert code == Code.BAD_INPUT, payload
        for call in ("/oss/downloadUrl", "/oss/delete"):
            code, _ = await me.raw(call, savePath=path)
            assert code in (Code.BAD_INPUT, Code.NOT_FOUND), (call, path)
    assert (await fetch(me, "a.bin")).content == b"x"
