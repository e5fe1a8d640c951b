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
import type { Connections } from '../connections.ts';
import { ANY_CARRIER, type Connection } from '../domain/connection.ts';

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

type Server = Omit<CarrierList['carriers'][number], 'carrier_code'>;

/**
 * The carriers that are served, each with what is asked for its parcels first: whatever a tenant connects comes before what the operator connects.
 * @param own connections of the tenant
 * @param operators connections of the operator
 */
export function servedCarriers(own: readonly Connection[], operators: readonly Connection[]): CarrierList {
  const served = new Map<string, Server>();
  const add = (code: string, server: Server): void => {
    if (code !== ANY_CARRIER && !served.has(code)) served.set(code, server);
  };
  for (const { carriers, source } of own) for (const code of carriers) add(code, { served_by: 'own', source });
  const ownForAll = own.find(({ carriers }) => carriers.includes(ANY_CARRIER));
  for (const { carriers, source } of operators)
    for (const code of carriers)
      add(code, ownForAll === undefined ? { served_by: 'platform', source } : { served_by: 'own', source: ownForAll.source });
  const carriers = [...served].map(([carrier_code, server]) => ({ carrier_code, ...server }));
  return {
    carriers: carriers.sort((a, b) => (a.carrier_code < b.carrier_code ? -1 : 1)).slice(0, MAX_CARRIERS_LISTED),
    serves_all: [...own, ...operators].some((connection) => connection.carriers.includes(ANY_CARRIER)),
  };
}

/** The routes of carriers. Detection is computed from the number alone: it reads no store, calls no vendor and keeps nothing. */
export function carrierRoutes(router: Router, connections: Pick<Connections, 'ofOwner'>, environment: Environment): void {
  router.get('/open/v1/carriers', async (req, res) => {
    const [own, operators] = await Promise.all([connections.ofOwner(tenantOf(req)), connections.ofOwner(null)]);
    sendOk(res, { ...servedCarriers(own, operators), ...(environment === 'sandbox' && { simulated: true }) } satisfies CarrierList);
  });
  router.get('/warehouse/v1/carriers', async (req, res) => {
    warehouseOf(req);
    // Those of the operator's connections: what a tenant names is nobody else's business.
    const named = (await connections.ofOwner(null)).flatMap(({ carriers }) => carriers);
    const carriers = [...new Set(named)].filter((code) => code !== ANY_CARRIER).slice(0, MAX_CARRIERS_LISTED);
    sendOk(res, { carriers } satisfies WarehouseCarriers);
  });
  router.get('/open/v1/carriers/detect', (req, res) => {
    tenantOf(req);
    const { tracking_number } = parseQuery(req, detectionValidator);
    sendOk(res, detectionResponse(normaliseTrackingNumber(tracking_number)));
  });
}
