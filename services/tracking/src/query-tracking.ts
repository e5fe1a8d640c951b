import { mayBePoNumber } from '@parcelway/contracts/po-number';
import { AppError } from '@parcelway/kernel/app-error';
import { isTerminal, latestStatusOf } from './domain/latest-status.ts';
import type { CarrierNode } from './domain/node.ts';
import { NotNow } from './domain/not-now.ts';
import type { Shipment } from './domain/shipment.ts';
import type { ShipmentReader } from './ports.ts';
import type { RefreshShipment } from './refresh-shipment.ts';

/** What a tracking query needs. */
export interface QueryOptions {
  readonly shipments: ShipmentReader;
  readonly refresh: RefreshShipment;
}

/** The response to a tracking query. */
export interface Tracking {
  readonly poNumber: string;
  /**
   * Always true here: a parcel comes under watch by `forecast.dispatched`, and a forecast with a dispatch is shipped by the rule of the
   * forecast service (services/forecast/src/domain/is-shipped.ts). Services share no code, so this is the result of the rule.
   */
  readonly isShipped: boolean;
  /** Newest first. */
  readonly nodes: readonly CarrierNode[];
  /** When the source last reported the parcel, epoch milliseconds, where it was not asked for this query because of a limit that we keep; otherwise null. */
  readonly asOf: number | null;
}

type History = Pick<Tracking, 'nodes' | 'asOf'>;

/**
 * Asks the carrier, and returns the history. For a parcel with a final status it returns the history when the carrier is out, too
 * (sources/carrier-unavailable.ts).
 */
async function liveHistory({ shipments, refresh }: QueryOptions, shipment: Shipment, traceparent: string | undefined): Promise<History> {
  try {
    await refresh(shipment, 'query', traceparent);
  } catch (error) {
    if (error instanceof NotNow) return storedHistory(shipments, shipment);
    if (!(error instanceof AppError && error.code === '50001')) throw error;
    const stored = await shipments.history(shipment);
    const isUnserved = error.data?.['carrier_code'] !== undefined;
    if (isUnserved && stored.length > 0) return storedHistory(shipments, shipment);
    if (isTerminal(latestStatusOf(stored[0]))) return { nodes: stored, asOf: null };
    throw error;
  }
  // Another parcel may have come under watch while the carrier was asked.
  const current = (await shipments.findShipment(shipment.tenantId, shipment.forecastNo)) ?? shipment;
  return { nodes: await shipments.history(current), asOf: null };
}

/** What is stored, with its age: since the source last reported the parcel, or else since it is under watch. */
async function storedHistory(shipments: ShipmentReader, shipment: Shipment): Promise<History> {
  const current = (await shipments.findShipment(shipment.tenantId, shipment.forecastNo)) ?? shipment;
  return { nodes: await shipments.history(current), asOf: current.askedAt || current.watchedSince };
}

/**
 * The tracking of a forecast, asked live. Only a parcel under watch has a response here: a dispatch is never taken back, and the
 * forecast service knows everything else of a forecast, and before this service does.
 * @param traceparent of the request, for what is asked elsewhere and for the event of a change
 * @returns undefined when no parcel of the forecast is under watch
 * @throws AppError 40401 for a po_number that cannot exist, 50001 when the carrier is out, with the seconds of sources/carrier-unavailable.ts
 */
export async function queryTracking(
  options: QueryOptions,
  tenantId: string,
  poNumber: string,
  traceparent?: string,
): Promise<Tracking | undefined> {
  if (!mayBePoNumber(poNumber)) throw new AppError('40401');
  const found = await options.shipments.findByPoNumber(tenantId, poNumber);
  if (!found?.shipment || found.isCancelled) return undefined;
  return { poNumber, isShipped: true, ...(await liveHistory(options, found.shipment, traceparent)) };
}

/**
 * The tracking of a forecast as it is stored: no carrier is asked.
 * @throws AppError 40403 when no parcel of it was dispatched
 */
export async function storedTracking(
  { shipments }: Pick<QueryOptions, 'shipments'>,
  tenantId: string,
  forecastNo: string,
): Promise<Tracking> {
  const shipment = await shipments.findShipment(tenantId, forecastNo);
  if (!shipment) throw new AppError('40403', `No parcel of the forecast ${JSON.stringify(forecastNo)} is known`);
  return { poNumber: shipment.poNumber, isShipped: true, nodes: await shipments.history(shipment), asOf: null };
}
