"""What a call that failed raises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

ConnectionFailure = Literal["unreachable", "untrusted_certificate", "connection_lost", "timeout"]


@dataclass(frozen=True)
class FieldError:
    """A fault of one field of a request."""

    field: str
    """Path of the field, such as `items[0].sku_code`."""
    rule: str
    """Rule that it breaks, such as `required`."""
    message: str
    """A sentence for people."""


def field_errors(data: Mapping[str, Any] | None) -> tuple[FieldError, ...]:
    """The faults that `data` of a failure lists; none when it lists none."""
    errors = data.get("errors") if data is not None else None
    if not isinstance(errors, list):
        return ()
    return tuple(
        FieldError(str(each.get("field", "")), str(each.get("rule", "")), str(each.get("message", "")))
        for each in errors
        if isinstance(each, dict)
    )


class ParcelwayError(Exception):
    """A call that failed: what the platform responded, or a ParcelwayConnectionError when it did not respond."""

    code: str
    """Code of the platform, such as `42201`; `unexpected_answer` when the response is not from a Parcelway platform."""
    http_status: int | None
    """None when there was no response."""
    errors: Sequence[FieldError]
    """Every fault of the body or query at once; empty when the failure is of another kind."""
    data: Mapping[str, Any] | None
    """What the code says more, such as `fields` and `forecast_no` of 40901; None when nothing."""
    request_id: str | None
    """The id of the request, for the operator of the platform; None when there was no response."""
    retry_after: float | None
    """Seconds after which the platform asks to be called again; None when it does not say."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        http_status: int | None = None,
        data: Mapping[str, Any] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.code = code
        self.http_status = http_status
        self.errors = field_errors(data)
        self.data = data
        self.request_id = request_id
        self.retry_after = retry_after
        named = code if request_id is None else f"{code}, request {request_id}"
        self.message = "".join([f"{message} ({named})", *(f"\n  - {error.message}" for error in self.errors)])
        super().__init__(self.message)

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are rebuilt from their arguments otherwise, of which this one has others: process pools copy them.
        return (_rebuild, (type(self), self.message, self.__dict__))

    @property
    def is_passing(self) -> bool:
        """True when the same call may succeed later: too many requests, a part of the platform is out, no response."""
        return self.http_status in (429, 502, 503, 504)


class ParcelwayConnectionError(ParcelwayError):
    """A call without a response.

    `code` says why. Whether the platform acted on the call is known for `unreachable` and `untrusted_certificate`
    alone: it did not.
    """

    def __init__(self, code: ConnectionFailure, message: str) -> None:
        super().__init__(code, message)

    @property
    def is_passing(self) -> bool:
        return self.code != "untrusted_certificate"


def _rebuild(cls: type[ParcelwayError], message: str, state: dict[str, Any]) -> ParcelwayError:
    error = cls.__new__(cls)
    Exception.__init__(error, message)
    error.__dict__.update(state)
    return error
