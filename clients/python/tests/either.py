"""Runs the same call with the client that waits and with the one for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest

from parcelway import AsyncParcelway, Parcelway


class Either:
    """A client of one of the two kinds, called as if it was the one that waits."""

    def __init__(self, kind: str, base_url: str, **settings: Any) -> None:
        self._settings = {"api_key": "pf_test_key", "base_url": base_url, "max_retries": 2, **settings}
        self._kind = kind

    def call(self, path: str, *args: Any, **options: Any) -> Any:
        """The result of a method such as `forecasts.submit`; of a list, its elements."""
        resource, method = path.split(".")
        if self._kind == "sync":
            with Parcelway(**self._settings) as client:
                result = getattr(getattr(client, resource), method)(*args, **options)
                return list(result) if isinstance(result, Iterable) and not isinstance(result, dict) else result
        return asyncio.run(self._call(resource, method, args, options))

    async def _call(self, resource: str, method: str, args: Any, options: Any) -> Any:
        async with AsyncParcelway(**self._settings) as client:
            result = getattr(getattr(client, resource), method)(*args, **options)
            if hasattr(result, "__aiter__"):
                return [item async for item in result]
            return await result


either = pytest.mark.parametrize("kind", ["sync", "async"])
