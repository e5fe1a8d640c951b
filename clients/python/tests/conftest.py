"""What the tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from parcelway import Parcelway

from .api_server import ApiServer


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def server() -> Iterator[ApiServer]:
    """A platform of a test."""
    server = ApiServer()
    yield server
    server.close()


@pytest.fixture
def client(server: ApiServer) -> Iterator[Parcelway]:
    """A client of it."""
    with Parcelway(api_key="pf_test_key", base_url=server.url, max_retries=2) as client:
        yield client
