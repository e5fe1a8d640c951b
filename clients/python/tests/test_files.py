"""Uploads, and opening files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from parcelway import Content, Parcelway

from .api_server import ApiServer, Reply, fail
from .either import Either, either

PDF = b"%PDF-1.4\r\n--x\r\n%%EOF"


@either
@pytest.mark.parametrize("source", ["path", "text", "file", "bytes", "memory"])
def test_a_file_is_uploaded(server: ApiServer, kind: str, source: str, tmp_path: Path) -> None:
    path = tmp_path / 'Größe "1".pdf'
    path.write_bytes(PDF)
    options: dict[str, Any] = {"name": path.name} if source in ("bytes", "memory") else {}
    with path.open("rb") as opened:
        sources = {"path": path, "text": str(path), "file": opened, "bytes": PDF, "memory": io.BytesIO(PDF)}
        Either(kind, server.url).call("files.upload_pdf", sources[source], **options)
    (seen,) = server.seen
    boundary = seen.headers["content-type"].removeprefix("multipart/form-data; boundary=").encode()
    head = 'Content-Disposition: form-data; name="file"; filename="Größe %221%22.pdf"'.encode()
    assert seen.body == (
        b"--"
        + boundary
        + b"\r\n"
        + head
        + b"\r\nContent-Type: application/octet-stream\r\n\r\n"
        + PDF
        + b"\r\n--"
        + boundary
        + b"--\r\n"
    )
    assert seen.url == "/open/v1/files/pdf"


@either
def test_failed_rows_have_a_format(server: ApiServer, kind: str) -> None:
    client = Either(kind, server.url)
    client.call("imports.failed_rows", "imp_1")
    client.call("imports.failed_rows", "imp_1", format="xlsx")
    client.call("imports.failed_csv", "imp_1")
    path = "/open/v1/forecasts/import/imp_1/failed-rows"
    assert [seen.url for seen in server.seen] == [path, f"{path}?format=xlsx", f"{path}?format=csv"]


@either
def test_an_upload_has_the_fields_that_are_given(server: ApiServer, kind: str) -> None:
    client = Either(kind, server.url)
    mapping = {"Größe": "po_number", "Note": None}
    client.call("imports.create", b"PO", name="a.csv", mapping=mapping, validate_only=True)
    client.call("imports.preview", b"PO", name="a.csv", mapping={})
    client.call("imports.create", b"PO", name="a.csv")
    client.call("files.upload_pdf", PDF, name="a.pdf", url_expires_in=3600)
    bodies = []
    for seen in server.seen:
        boundary = seen.headers["content-type"].removeprefix("multipart/form-data; boundary=")
        parts = seen.body.decode().split(f"--{boundary}\r\n")[1:]
        bodies.append(
            [part.removeprefix('Content-Disposition: form-data; name="').split("\r\n--")[0] for part in parts]
        )
    fields = [[part.rstrip("\r\n") for part in body[:-1]] for body in bodies]
    assert fields == [
        ['mapping"\r\n\r\n{"Größe": "po_number", "Note": null}', 'validate_only"\r\n\r\ntrue'],
        ['mapping"\r\n\r\n{}'],
        [],
        ['url_expires_in"\r\n\r\n3600'],
    ]
    assert all(body[-1].startswith('file"; filename="a.') for body in bodies)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (PDF, "name must be given with bytes"),
        (io.BytesIO(PDF), "name must be given with a file"),
        (7, "must be a path"),
    ],
)
def test_what_is_no_file_is_a_type_error(client: Parcelway, file: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        client.files.upload_pdf(file)


def test_a_file_that_is_not_there(client: Parcelway, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        client.files.upload_pdf(tmp_path / "none.pdf")


@either
@pytest.mark.parametrize("path", ["/files/x-y.pdf?copies=quantity", "/files/x-y.pdf", "/photos/x.png"])
def test_a_file_is_opened_without_the_key(server: ApiServer, kind: str, path: str) -> None:
    server.respond = lambda _seen, _nth: Reply(200, PDF, {"content-type": "application/pdf"})
    # The key is for the platform alone, and a URL may lead anywhere.
    opened = Either(kind, "https://elsewhere.example").call("files.open", server.url + path)
    assert opened == Content("application/pdf", PDF)
    assert server.seen[0].url == path
    assert "x-api-key" not in server.seen[0].headers


@either
def test_a_file_that_is_too_large_is_refused(server: ApiServer, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parcelway._caller.MAX_RESPONSE_BYTES", 1000)
    monkeypatch.setattr("parcelway._async_caller.MAX_RESPONSE_BYTES", 1000)
    server.respond = lambda _seen, _nth: Reply(200, b"x" * 1001, {})
    with pytest.raises(Exception, match="has more than 1000 bytes"):
        Either(kind, server.url, max_retries=0).call("files.open", f"{server.url}/photos/x.png")


@either
def test_a_file_that_is_gone(server: ApiServer, kind: str) -> None:
    server.respond = lambda _seen, _nth: fail(404, "40403")
    with pytest.raises(Exception, match="40403"):
        Either(kind, server.url).call("files.open", f"{server.url}/photos/x.png")
