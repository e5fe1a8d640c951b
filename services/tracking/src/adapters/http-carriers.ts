import { type CarrierDetection, CarrierDetectionQuery } from '@parcelway/contracts/carrier-api';
import { checkDigitWarning } from '@parcelway/contracts/carrier-detection/check-digit-warning';
import { detectCarriers } from '@parcelway/contracts/carrier-detection/detect';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { compileValidator } from '@parcelway/contracts/validator';
import { tenantOf } from '@parcelway/http/app';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import type { Router } from 'express';

const detectionValidator = compileValidator(CarrierDetectionQuery);

/** @param trackingNumber normalised */
function detectionResponse(trackingNumber: string): CarrierDetection {
  const warning = checkDigitWarning('tracking_number', trackingNumber);
  return {
    tracking_number: trackingNumber,
    candidates: detectCarriers(trackingNumber).map(({ carrierCode, carrierName, confidence, reason }) => ({
      carrier_code: carrierCode,
      carrier_name: carrierName,
      confidence,
      reason,
    })),
    ...(warning !== undefined && { warnings: [warning] }),
  };
}

/** The routes of carriers. Detection is computed from the number alone: it reads no store, asks nobody, and keeps nothing. */
export function carrierRoutes(router: Router): void {
  router.get('/open/v1/carriers/detect', (req, res) => {
    tenantOf(req);
    const { tracking_number } = parseQuery(req, detectionValidator);
    sendOk(res, detectionResponse(normaliseTrackingNumber(tracking_number)));
  });
}
