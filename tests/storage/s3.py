"""A bucket of the tests' own, on a real socket: what of S3 a store of files uses, by its own rules.

A request counts by its signature (AWS Signature Version 4, over the body too); parts of an upload are nothing until
it is completed.
"""

import asyncio
import hashlib
import hmac
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timezone
from urllib.parse import unquote
from xml.sax.saxutils import escape, unescape

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

KEY = "lustra-key"
SECRET = "lustra-secret"
REGION = "eu-central-1"
BUCKET = "floors"
METHODS = ["GET", "HEAD", "PUT", "POST", "DELETE"]


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")


def signature(request: Request, day: str, signed: str) -> str:
    """What the request's signature has to be."""
    query = "&".join(sorted(part if "=" in part else f"{part}=" for part in request.url.query.split("&") if part))
    headers = "".join(f"{name}:{request.headers[name].strip()}\n" for name in signed.split(";"))
    body = request.headers["x-amz-content-sha256"]
    canonical = "\n".join([request.method, request.scope["raw_path"].decode(), query, headers, signed, body])
    scope = f"{day}/{REGION}/s3/aws4_request"
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    key = f"AWS4{SECRET}".encode()
    for part in (day, REGION, "s3", "aws4_request"):
        key = _hmac(key, part)
    return _hmac(key, f"AWS4-HMAC-SHA256\n{request.headers['x-amz-date']}\n{scope}\n{digest}").hex()


class Bucket:
    def __init__(self) -> None:
        self.files: dict[str, tuple[bytes, datetime]] = {}
        self.uploads: dict[str, dict[int, bytes]] = {}
        self.refused = 0

    def put(self, name: str, content: bytes) -> Response:
        self.files[name] = (content, datetime.now(timezone.utc))
        return Response(headers={"etag": self.etag(name)})

    def etag(self, name: str) -> str:
        return f'"{hashlib.md5(self.files[name][0], usedforsecurity=False).hexdigest()}"'

    async def answer(self, request: Request) -> Response:
        body = await request.body()
        if not self.is_ours(request, body):
            self.refused += 1
            return Response("<Error><Code>SignatureDoesNotMatch</Code></Error>", 403, media_type="application/xml")
        name, query = request.path_params.get("name", ""), request.query_params
        match request.method:
            case "POST":
                return self.post(name, request, body)
            case "PUT" if "partNumber" in query:
                self.uploads[query["uploadId"]][int(query["partNumber"])] = body
                return Response(headers={"etag": f'"{query["partNumber"]}"'})
            case "PUT":
                return self.copy(name, request) if "x-amz-copy-source" in request.headers else self.put(name, body)
            case "DELETE":
                self.uploads.pop(query["uploadId"])
                return Response(status_code=204)
            case _:
                return self.read(name, request) if name else self.listing(query.get("prefix", ""))

    def post(self, name: str, request: Request, body: bytes) -> Response:
        query = request.query_params
        if "uploads" in query:
            return self.begin(name)
        if "uploadId" in query:
            return self.complete(name, query["uploadId"])
        keys = re.findall(r"<Key>.*?</Key>", body.decode())
        for key in keys:
            self.files.pop(unescape(key.removeprefix("<Key>").removesuffix("</Key>")), None)
        return Response(f"<DeleteResult>{''.join(f'<Deleted>{key}</Deleted>' for key in keys)}</DeleteResult>")

    def is_ours(self, request: Request, body: bytes) -> bool:
        _, _, words = request.headers.get("authorization", "").partition(" ")
        pairs = (word.strip().partition("=") for word in words.split(","))
        values = {name: value for name, _, value in pairs}
        key, day, *_ = values.get("Credential", "/").split("/")
        content = request.headers.get("x-amz-content-sha256", "")
        if key != KEY or content not in ("UNSIGNED-PAYLOAD", hashlib.sha256(body).hexdigest()):
            return False
        return hmac.compare_digest(values["Signature"], signature(request, day, values["SignedHeaders"]))

    def begin(self, name: str) -> Response:
        upload = f"upload{len(self.uploads)}"
        self.uploads[upload] = {}
        answer = f"<InitiateMultipartUploadResult><Bucket>{BUCKET}</Bucket><Key>{escape(name)}</Key>"
        return Response(f"{answer}<UploadId>{upload}</UploadId></InitiateMultipartUploadResult>")

    def complete(self, name: str, upload: str) -> Response:
        parts = self.uploads.pop(upload)
        self.put(name, b"".join(parts[number] for number in sorted(parts)))
        etag = escape(self.etag(name))
        return Response(f"<CompleteMultipartUploadResult><ETag>{etag}</ETag></CompleteMultipartUploadResult>")

    def copy(self, name: str, request: Request) -> Response:
        source = unquote(request.headers["x-amz-copy-source"]).removeprefix("/").removeprefix(f"{BUCKET}/")
        self.put(name, self.files[source][0])
        return Response(f"<CopyObjectResult><ETag>{escape(self.etag(name))}</ETag></CopyObjectResult>")

    def read(self, name: str, request: Request) -> Response:
        if name not in self.files:
            return Response("<Error><Code>NoSuchKey</Code></Error>", 404, media_type="application/xml")
        content, at = self.files[name]
        headers = {"etag": self.etag(name), "last-modified": f"{at:%a, %d %b %Y %H:%M:%S} GMT"}
        if span := request.headers.get("range"):
            first, _, last = span.removeprefix("bytes=").partition("-")
            end = min(int(last) + 1, len(content)) if last else len(content)
            headers["content-range"] = f"bytes {first}-{end - 1}/{len(content)}"
            return Response(content[int(first) : end], 206, headers)
        return Response(content, headers=headers)

    def listing(self, prefix: str) -> Response:
        rows = "".join(
            f"<Contents><Key>{escape(name)}</Key><LastModified>{at:%Y-%m-%dT%H:%M:%S.000Z}</LastModified>"
            f"<ETag>{escape(self.etag(name))}</ETag><Size>{len(content)}</Size></Contents>"
            for name, (content, at) in sorted(self.files.items())
            if name.startswith(prefix)
        )
        return Response(f"<ListBucketResult><IsTruncated>false</IsTruncated>{rows}</ListBucketResult>")


@asynccontextmanager
async def running(port: int) -> AsyncIterator[Bucket]:
    bucket = Bucket()
    routes = [
        Route(f"/{BUCKET}", bucket.answer, methods=METHODS),
        Route(f"/{BUCKET}/{{name:path}}", bucket.answer, methods=METHODS),
    ]
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), port=port, log_config=None, lifespan="off"))
    served = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
        await asyncio.sleep(0.01)
    try:
        yield bucket
    finally:
        server.should_exit = True
        await served
