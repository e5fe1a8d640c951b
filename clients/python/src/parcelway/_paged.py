"""Lists in pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

Item = TypeVar("Item")
Page = TypeVar("Page")


def _next_cursor(page: object, former: str | None) -> str | None:
    """The cursor of the next page; None on the last one."""
    cursor = cast("Mapping[str, Any]", page)["next_cursor"]
    if cursor is not None and cursor == former:
        raise RuntimeError("The platform returned the same cursor again; the list would never end")
    return cast("str | None", cursor)


def _items(page: object, key: str) -> Sequence[Any]:
    return cast("Mapping[str, Sequence[Any]]", page)[key]


class Paged(Generic[Item, Page]):
    """A list in pages. In a `for` loop it is all its items, page after page, each asked for when needed."""

    def __init__(self, fetch: Callable[[str | None], Page], key: str, cursor: str | None) -> None:
        self._fetch = fetch
        self._key = key
        self._cursor = cursor

    def first_page(self) -> Page:
        """The first page alone."""
        return self._fetch(self._cursor)

    def pages(self) -> Iterator[Page]:
        """Page after page. Raises ParcelwayError as the calls do."""
        cursor = self._cursor
        while True:
            page = self._fetch(cursor)
            yield page
            cursor = _next_cursor(page, cursor)
            if cursor is None:
                return

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from _items(page, self._key)


class AsyncPaged(Generic[Item, Page]):
    """A list in pages. In an `async for` loop it is all its items, page after page, each asked for when needed."""

    def __init__(self, fetch: Callable[[str | None], Awaitable[Page]], key: str, cursor: str | None) -> None:
        self._fetch = fetch
        self._key = key
        self._cursor = cursor

    async def first_page(self) -> Page:
        """The first page alone."""
        return await self._fetch(self._cursor)

    async def pages(self) -> AsyncIterator[Page]:
        """Page after page. Raises ParcelwayError as the calls do."""
        cursor = self._cursor
        while True:
            page = await self._fetch(cursor)
            yield page
            cursor = _next_cursor(page, cursor)
            if cursor is None:
                return

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in _items(page, self._key):
                yield item
