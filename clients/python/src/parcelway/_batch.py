"""Forecasts in batches: what goes up, and what became of each."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from . import types as t
from ._errors import FieldError, field_errors

if sys.version_info >= (3, 12):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired


def batch_of(forecasts: t.ForecastBatch | Sequence[t.ForecastSubmission]) -> object:
    """The body of a batch: as it is, or made of a list of forecasts. Raises TypeError for what is neither."""
    if isinstance(forecasts, Mapping):
        return forecasts
    if isinstance(forecasts, (str, bytes)) or not isinstance(forecasts, Sequence):
        raise TypeError(f"forecasts must be a list of forecasts, or a body with `forecasts`; {forecasts!r} is neither")
    return {"forecasts": list(forecasts)}


class AcceptedForecast(t.ForecastAcceptance):
    """A forecast of a batch that was accepted."""

    replayed: NotRequired[bool]
    """True when this content had been accepted before."""


@dataclass(frozen=True)
class FailedForecast:
    """A forecast of a batch that was refused."""

    index: int
    """Its place in the list that was sent, from 0."""
    code: str
    """Code of the platform, such as `42201`; 50000 and 50301 are worth a repeat."""
    message: str
    """A sentence for people."""
    errors: Sequence[FieldError]
    """Every fault of the forecast at once; empty when the failure is of another kind."""
    data: t.ForecastBatchData
    """What the code says more, such as `fields` and `forecast_no` of 40901."""


def accepted_forecasts(results: t.ForecastBatchResults) -> list[AcceptedForecast]:
    """The forecasts of a submitted batch that were accepted, in their order.

    results: what `forecasts.submit_batch` returned; those of a validation accept nothing.
    """
    done = (result["data"] for result in results["results"] if result["code"] == "0")
    return [cast("AcceptedForecast", data) for data in done if data is not None and "forecast_no" in data]


def failed_forecasts(results: t.ForecastBatchResults) -> list[FailedForecast]:
    """The forecasts of a batch that failed, in their order.

    results: what `forecasts.submit_batch` returned.
    """
    failed = (result for result in results["results"] if result["code"] != "0")
    return [
        FailedForecast(
            index=result["index"],
            code=result["code"],
            message=result["message"],
            errors=field_errors(result["data"]),
            data=result["data"] or {},
        )
        for result in failed
    ]


def validated_forecasts(results: t.ForecastBatchResults) -> list[t.ForecastValidation | None]:
    """The validation of each forecast of a batch, in their order; None for one that could not be validated.

    results: what `forecasts.validate_batch` returned.
    """
    validations = (result["data"] for result in results["results"])
    return [
        cast("t.ForecastValidation", data) if data is not None and "valid" in data else None for data in validations
    ]
