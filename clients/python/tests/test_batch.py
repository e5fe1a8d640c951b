"""What became of the forecasts of a batch."""

from __future__ import annotations

from parcelway import FailedForecast, FieldError, accepted_forecasts, failed_forecasts, types, validated_forecasts

FAULT: types.ForecastBatchError = {"field": "items", "rule": "required", "message": "items is required"}

ACCEPTED: types.ForecastBatchData = {
    "forecast_no": "FC1",
    "po_number": "PO-1",
    "item_count": 1,
    "status": "ACCEPTED",
    "create_time": "2026-11-21T08:00:00Z",
    "warnings": [],
    "replayed": True,
}


def results_of(*results: tuple[str, types.ForecastBatchData | None]) -> types.ForecastBatchResults:
    """The results of a batch."""
    return {
        "results": [
            {"index": index, "code": code, "message": "It is so", "data": data}
            for index, (code, data) in enumerate(results)
        ],
        "accepted": 0,
        "failed": 0,
        "warnings": [],
    }


def test_the_accepted_and_the_failed_forecasts_are_distinguished() -> None:
    results = results_of(("42201", {"errors": [FAULT]}), ("0", ACCEPTED), ("50000", None))
    assert [(each["forecast_no"], each.get("replayed")) for each in accepted_forecasts(results)] == [("FC1", True)]
    fault = FieldError("items", "required", "items is required")
    assert failed_forecasts(results) == [
        FailedForecast(0, "42201", "It is so", (fault,), {"errors": [FAULT]}),
        FailedForecast(2, "50000", "It is so", (), {}),
    ]


def test_the_results_of_a_validation_are_validations() -> None:
    validation: types.ForecastBatchData = {"valid": True, "existing_forecast_no": None, "errors": [], "warnings": []}
    results = results_of(("0", validation), ("50301", None))
    assert validated_forecasts(results) == [validation, None]
    assert accepted_forecasts(results) == []
