import { isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { mayBePoNumber } from '@parcelway/contracts/forecast-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { CarrierNode } from './domain/node.ts';
import type { Shipment } from './domain/shipment.ts';
import type { ForecastLookup, FoundForecast, ShipmentReader } from './ports.ts';
import type { RefreshShipment } from './refresh-shipment.ts';

/** What a tracking query needs. */
export interface QueryDeps {
  readonly shipments: ShipmentReader;
  readonly lookup: ForecastLookup;
  readonly refresh: RefreshShipment;
}

/** The answer to a tracking query. */
export interface Tracking {
  readonly poNumber: string;
  readonly isShipped: boolean;
  /** Newest first. */
  readonly nodes: readonly CarrierNode[];
}

function isTerminal(nodes: readonly CarrierNode[]): boolean {
  return nodes[0] !== undefined && isTerminalAdminStatus(nodes[0].adminStatus);
}

/** Who asks for which parcel. */
interface Question {
  readonly tenantId: string;
  readonly poNumber: string;
  readonly traceparent: string | undefined;
}

/** Asks the carrier, and answers the history. A way that has ended is answered from the history when the carrier is out. */
async function liveHistory({ shipments, refresh }: QueryDeps, shipment: Shipment, traceparent: string | undefined): Promise<CarrierNode[]> {
  try {
    await refresh(shipment, traceparent);
  } catch (error) {
    if (!(error instanceof AppError && error.code === '50001')) throw error;
    const stored = await shipments.history(shipment);
    if (isTerminal(stored)) return stored;
    throw error;
  }
  // Another parcel may have come under watch while the carrier was asked.
  return shipments.history((await shipments.findShipment(shipment.tenantId, shipment.forecastNo)) ?? shipment);
}

/**
 * What the owner of the forecast knows. It knows a forecast and its dispatch before the events reach this service: a tenant that
 * has seen status 5 in the weighing query sees `is_shipped` here.
 */
async function askOwner(deps: QueryDeps, question: Question, found: FoundForecast | undefined): Promise<Tracking> {
  const { tenantId, poNumber, traceparent } = question;
  const forecast = await deps.lookup.lookUp(tenantId, poNumber, traceparent);
  if (!forecast && !found) throw new AppError('40401');
  return { poNumber, isShipped: forecast?.isShipped ?? false, nodes: [] };
}

/**
 * The tracking of a forecast, asked live. Only a parcel under watch is answered from here alone: a dispatch is never taken back.
 * @param traceparent of the request, for what is asked elsewhere and for the event that tells of a change
 * @throws AppError 40401 for a po_number that the tenant does not have, 50001 when the carrier is out, 50301 when the owner of a
 * forecast without a parcel under watch is: "not shipped" may be wrong then
 */
export async function queryTracking(deps: QueryDeps, tenantId: string, poNumber: string, traceparent?: string): Promise<Tracking> {
  if (!mayBePoNumber(poNumber)) throw new AppError('40401');
  const found = await deps.shipments.findByPoNumber(tenantId, poNumber);
  if (!found?.shipment || found.isCancelled) return askOwner(deps, { tenantId, poNumber, traceparent }, found);
  return { poNumber, isShipped: true, nodes: await liveHistory(deps, found.shipment, traceparent) };
}

/**
 * The tracking of a forecast as it is stored: no carrier is asked.
 * @throws AppError 40403 when no parcel of it was dispatched
 */
export async function storedTracking({ shipments }: Pick<QueryDeps, 'shipments'>, tenantId: string, forecastNo: string): Promise<Tracking> {
  const shipment = await shipments.findShipment(tenantId, forecastNo);
  if (!shipment) throw new AppError('40403', `No parcel of the forecast ${JSON.stringify(forecastNo)} is known`);
  return { poNumber: shipment.poNumber, isShipped: true, nodes: await shipments.history(shipment) };
}
