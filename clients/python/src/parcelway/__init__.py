"""The client of the Parcelway API: forecasts, files, weighings, tracking, webhooks and their signatures.

`parcelway.types` has the types of what the API takes and gives.
"""

from . import types
from ._batch import (
    AcceptedForecast,
    FailedForecast,
    accepted_forecasts,
    failed_forecasts,
    validated_forecasts,
)
from ._client import AsyncParcelway, Parcelway
from ._errors import FieldError, ParcelwayConnectionError, ParcelwayError
from ._feed import AsyncEventFeed, EventFeed
from ._files import FileSource
from ._options import CallOptions, CorrectionOptions, CreationOptions, ResponseInfo, RetryNotice
from ._paged import AsyncPaged, Paged
from ._response import Content
from ._stream import AsyncContentStream, ContentStream
from ._version import __version__
from ._webhooks import RefusalReason, WebhookHeaders, WebhookVerificationError, verify_webhook
from .types import WebhookEvent, WebhookEventType

__all__ = [
    "AcceptedForecast",
    "AsyncContentStream",
    "AsyncEventFeed",
    "AsyncPaged",
    "AsyncParcelway",
    "CallOptions",
    "Content",
    "ContentStream",
    "CorrectionOptions",
    "CreationOptions",
    "EventFeed",
    "FailedForecast",
    "FieldError",
    "FileSource",
    "Paged",
    "Parcelway",
    "ParcelwayConnectionError",
    "ParcelwayError",
    "RefusalReason",
    "ResponseInfo",
    "RetryNotice",
    "WebhookEvent",
    "WebhookEventType",
    "WebhookHeaders",
    "WebhookVerificationError",
    "__version__",
    "accepted_forecasts",
    "failed_forecasts",
    "types",
    "validated_forecasts",
    "verify_webhook",
]
