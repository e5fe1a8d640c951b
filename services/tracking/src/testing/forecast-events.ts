import { eventContent } from '@parcelway/contracts/testing/event-content';
import { isoInstant } from '@parcelway/kernel/clock';

/** Data of `forecast.accepted`, now. */
export const accepted = (forecastNo: string, poNumber: string, forecastId = 1) => ({
  forecast_no: forecastNo,
  po_number: poNumber,
  forecast_id: forecastId,
  forecast_type: 2,
  warehouse_code: 'WH1',
  tracking_numbers: [],
  accepted_at: isoInstant(Date.now()),
  ...eventContent,
});

/** Data of `forecast.dispatched`, now. */
export const dispatched = (forecastNo: string, poNumber: string, trackingNumber: string, carrierCode = 'dhl') => ({
  forecast_no: forecastNo,
  po_number: poNumber,
  status: 5,
  carrier_code: carrierCode,
  tracking_number: trackingNumber,
  dispatched_at: isoInstant(Date.now()),
});
