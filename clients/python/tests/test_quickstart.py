"""Clients of a sandbox on this machine, and waiting for an import."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from parcelway import AsyncParcelway, Parcelway

from .api_server import ApiServer, Reply, Seen, succeed
from .either import Either, either


def write(folder: Path, content: object) -> Path:
    file = folder / "quickstart.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return file


def test_a_client_reads_address_and_key(server: ApiServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = {"base_url": server.url, "ca_file": None, "tenant": {"api_key": "pf_test_quick"}, "warehouse": {}}
    file = write(tmp_path, content)
    with Parcelway.from_quickstart(file, max_retries=0) as client:
        client.warehouses.list()

    async def call() -> None:
        async with AsyncParcelway.from_quickstart(str(file), timeout=5) as client:
            await client.warehouses.list()

    asyncio.run(call())
    (tmp_path / ".data").mkdir()
    file.rename(tmp_path / ".data" / "quickstart.json")
    monkeypatch.chdir(tmp_path)
    with Parcelway.from_quickstart() as client:
        client.warehouses.list()
    assert [seen.headers["x-api-key"] for seen in server.seen] == ["pf_test_quick"] * 3


def test_the_certificate_is_that_of_the_file(tmp_path: Path) -> None:
    content = {"base_url": "https://localhost", "ca_file": str(tmp_path / "none.pem"), "tenant": {"api_key": "k"}}
    with pytest.raises(FileNotFoundError, match=r"none\.pem"):
        Parcelway.from_quickstart(write(tmp_path, content))


@pytest.mark.parametrize(
    "content", ["{", "[]", "null", {"base_url": "https://localhost"}, {"tenant": {"api_key": "k"}}]
)
def test_a_file_of_another_kind_is_named(tmp_path: Path, content: object) -> None:
    with pytest.raises(ValueError, match=r"quickstart\.json is no quickstart.json of a sandbox"):
        Parcelway.from_quickstart(write(tmp_path, content))


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"start the sandbox, or pass the path of quickstart\.json"):
        Parcelway.from_quickstart(tmp_path / "quickstart.json")


@either
def test_an_import_is_waited_for(server: ApiServer, kind: str) -> None:
    def respond(_seen: Seen, nth: int) -> Reply:
        return succeed({"import_id": "imp_1", "state": "running" if nth < 2 else "done", "accepted": nth})

    server.respond = respond
    looks: list[Any] = []
    done = Either(kind, server.url).call("imports.wait_until_done", "imp_1", on_progress=looks.append)
    assert done["state"] == "done"
    assert [look["accepted"] for look in looks] == [0, 1, 2]


@either
def test_the_wait_for_an_import_ends(server: ApiServer, kind: str) -> None:
    server.respond = lambda _seen, _nth: succeed({"state": "running"})
    with pytest.raises(TimeoutError, match=r"still runs after 0\.1 s"):
        Either(kind, server.url).call("imports.wait_until_done", "imp_1", wait=0.1)
