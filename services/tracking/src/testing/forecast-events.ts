import { isoInstant } from '@parcelway/kernel/clock';

/** Data of `forecast.dispatched`, now. */
export const dispatched = (forecastNo: string, poNumber: string, trackingNumber: string, carrierCode = 'dhl') => ({
  forecast_no: forecastNo,
  po_number: poNumber,
  status: 5,
  carrier_code: carrierCode,
  tracking_number: trackingNumber,
  dispatched_at: isoInstant(Date.now()),
});
