import { isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
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

/** Read your writes: the events of a forecast accepted a moment ago may not have come here yet, so its owner is asked. */
async function isKnownElsewhere(deps: QueryDeps, question: Question, found: FoundForecast | undefined): Promise<Tracking> {
  const { tenantId, poNumber, traceparent } = question;
  const forecast = await deps.lookup.lookUp(tenantId, poNumber, traceparent);
  if (!forecast && !found) throw new AppError('40401');
  return { poNumber, isShipped: forecast?.isShipped ?? false, nodes: [] };
}

/**
 * The tracking of a forecast, asked live.
 * @param traceparent of the request, for what is asked elsewhere and for the event that tells of a change
 * @throws AppError 40401 for a po_number that the tenant does not have, 50001 when the carrier is out
 */
export async function queryTracking(deps: QueryDeps, tenantId: string, poNumber: string, traceparent?: string): Promise<Tracking> {
  const found = await deps.shipments.findByPoNumber(tenantId, poNumber);
  if (!found || found.isCancelled) return isKnownElsewhere(deps, { tenantId, poNumber, traceparent }, found);
  if (!found.shipment) return { poNumber, isShipped: false, nodes: [] };
  return { poNumber, isShipped: true, nodes: await liveHistory(deps, found.shipment, traceparent) };
}
