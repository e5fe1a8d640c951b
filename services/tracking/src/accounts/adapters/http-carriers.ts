import {
  type CarrierDetection,
  CarrierDetectionQuery,
  type CarrierList,
  MAX_CARRIERS_LISTED,
  type WarehouseCarriers,
} from '@parcelway/contracts/carrier-api';
import { checkDigitWarning, detectCarriers } from '@parcelway/contracts/carrier-detection/detect';
import type { Environment } from '@parcelway/contracts/environment';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { compileValidator } from '@parcelway/contracts/validator';
import { tenantOf, warehouseOf } from '@parcelway/http/app';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import type { Router } from 'express';
import type { FindConnections } from '../find-connections.ts';
import { listCarriers, listOperatorCarriers, type ServedCarriers } from '../list-carriers.ts';

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

function listResponse({ carriers, servesAll }: ServedCarriers, environment: Environment): CarrierList {
  return {
    carriers: carriers.slice(0, MAX_CARRIERS_LISTED).map(({ carrierCode, servedBy, source }) => ({
      carrier_code: carrierCode,
      served_by: servedBy,
      source,
    })),
    serves_all: servesAll,
    ...(environment === 'sandbox' && { simulated: true as const }),
  };
}

/** The routes of carriers. Detection is computed from the number alone: it reads no store, calls no vendor and keeps nothing. */
export function carrierRoutes(router: Router, connections: FindConnections, environment: Environment): void {
  router.get('/open/v1/carriers', async (req, res) => {
    sendOk(res, listResponse(await listCarriers(connections, tenantOf(req)), environment));
  });
  router.get('/warehouse/v1/carriers', async (req, res) => {
    warehouseOf(req);
    const carriers = (await listOperatorCarriers(connections)).slice(0, MAX_CARRIERS_LISTED);
    sendOk(res, { carriers } satisfies WarehouseCarriers);
  });
  router.get('/open/v1/carriers/detect', (req, res) => {
    tenantOf(req);
    const { tracking_number } = parseQuery(req, detectionValidator);
    sendOk(res, detectionResponse(normaliseTrackingNumber(tracking_number)));
  });
}
