import { isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { mayBePoNumber } from '@parcelway/contracts/po-number';
import type { TrackingNode, TrackingResult, TrackingShipment } from '@parcelway/contracts/tracking-api';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import { inPool } from '@parcelway/kernel/in-pool';
import { type CarrierNode, MAX_NODES, newestFirst } from './domain/node.ts';
import { keyText, type Shipment } from './domain/shipment.ts';
import { NotNow } from './domain/sources.ts';
import type { RefreshShipment } from './refresh-shipment.ts';
import type { ShipmentReader } from './tracking-store.ts';

/** A node as the API shows it. */
export function nodeResponse(node: CarrierNode): TrackingNode {
  return {
    order_no: node.orderNo,
    address: node.address,
    content: node.content,
    status: node.status,
    create_time: node.createTime,
    times: node.times,
    admin_status: node.adminStatus,
    ...(node.timeAssumed && { time_assumed: true }),
  };
}

/**
 * What the API shows of the parcels of a forecast together: the nodes newest first by instant; of one instant, those of the parcel that was dispatched later
 * come first.
 * @param histories one of each parcel, in the order of the dispatches; each newest first
 */
export function mergedResponse(histories: readonly (readonly CarrierNode[])[]) {
  const nodes = histories.length === 1 ? (histories[0] ?? []) : newestFirst([...histories].reverse().flat());
  return {
    is_terminal: histories.length > 0 && histories.every(([newest]) => isTerminalAdminStatus(newest?.adminStatus ?? '')),
    latest_status: nodes[0]?.adminStatus ?? ('' as const),
    nodes: nodes.map(nodeResponse),
  };
}

const age = (asOf: number | null) => asOf !== null && { as_of: isoInstant(asOf) };

/** A parcel with its nodes as the API shows it. */
export function shipmentResponse({ shipment, nodes, asOf }: TrackedShipment): TrackingShipment {
  return {
    carrier_code: shipment.carrierCode,
    tracking_number: shipment.trackingNumber,
    dispatched_at: isoInstant(shipment.dispatchedAt),
    ...mergedResponse([nodes]),
    ...age(asOf),
  };
}

/** The tracking of a forecast as the API shows it. Its age is that of the oldest of the parcels. @param shipments in the order of the dispatches */
function trackingResponse(poNumber: string, shipments: readonly TrackedShipment[]): TrackingResult {
  const ages = shipments.flatMap(({ asOf }) => asOf ?? []);
  return {
    po_number: poNumber,
    // A parcel comes under watch by `forecast.dispatched`, and a forecast with a dispatch is shipped by the rule of the forecast service
    // (services/forecast/src/lists/domain/is-shipped.ts). Services share no code, so this is the result of the rule.
    is_shipped: true,
    ...mergedResponse(shipments.map(({ nodes }) => nodes)),
    ...age(ages.length === 0 ? null : Math.min(...ages)),
    shipments: shipments.map(shipmentResponse),
  };
}

export interface QueryOptions {
  readonly shipments: ShipmentReader;
  readonly refresh: RefreshShipment;
}

/** A parcel in the response to a tracking query. */
export interface TrackedShipment {
  readonly shipment: Shipment;
  /** Newest first. */
  readonly nodes: readonly CarrierNode[];
  /** When the source last reported the parcel, epoch milliseconds, where this query did not ask it, or asked it in vain; null where it responded. */
  readonly asOf: number | null;
}

/** What became of asking for a parcel. */
type Asked = { readonly kind: 'asked' | 'not now' | 'ended' } | { readonly kind: 'unavailable'; readonly error: AppError };

/**
 * Asks the source of a parcel. A source that is out matters to neither a parcel with a final status (accounts/adapters/circuit.ts) nor
 * one that no connection serves any more and whose history is known.
 */
async function ask({ refresh }: QueryOptions, shipment: Shipment, traceparent: string | undefined): Promise<Asked> {
  try {
    await refresh(shipment, 'query', traceparent);
    return { kind: 'asked' };
  } catch (error) {
    if (error instanceof NotNow) return { kind: 'not now' };
    if (!(error instanceof AppError && error.code === '50001')) throw error;
    // It is that of the newest node.
    const { publishedStatus } = shipment;
    const isUnserved = error.data?.['carrier_code'] !== undefined;
    if (isUnserved && publishedStatus !== '') return { kind: 'not now' };
    return isTerminalAdminStatus(publishedStatus) ? { kind: 'ended' } : { kind: 'unavailable', error };
  }
}

/**
 * Asks for all parcels at once. Where the sources of some are out, what is stored of these is part of the response, with its age.
 * @throws AppError 50001 when the sources of all are out
 */
async function liveShipments(
  options: QueryOptions,
  found: readonly Shipment[],
  traceparent: string | undefined,
): Promise<readonly TrackedShipment[]> {
  const responses = await Promise.all(found.map((shipment) => ask(options, shipment, traceparent)));
  const failures = responses.flatMap((response) => (response.kind === 'unavailable' ? [response.error] : []));
  const [failure] = failures;
  if (failure !== undefined && failures.length === responses.length) throw failure;
  const kinds = new Map(found.map((shipment, index) => [keyText(shipment), responses[index]?.kind]));
  const [first] = found;
  // Another parcel may have come under watch while the sources were asked.
  const current = first === undefined ? [] : await options.shipments.findShipments(first.tenantId, first.forecastNo);
  const shown = current.length === 0 ? found : current;
  return withHistories(options, shown, (shipment) => {
    const kind = kinds.get(keyText(shipment));
    const isLive = kind === 'asked' || kind === 'ended';
    return isLive ? null : shipment.reportedAt || shipment.watchedSince;
  });
}

/** Shipments with what is shown of their nodes. One after the other: a history may have megabytes, of which a response shows a part. */
async function withHistories(
  { shipments }: Pick<QueryOptions, 'shipments'>,
  found: readonly Shipment[],
  asOf: (shipment: Shipment) => number | null,
): Promise<readonly TrackedShipment[]> {
  const tracked: TrackedShipment[] = [];
  for (const shipment of found)
    tracked.push({ shipment, nodes: await shipments.history(shipment, shownNodes(found.length)), asOf: asOf(shipment) });
  return tracked;
}

/** Several parcels share the nodes that a response shows, so that it does not grow with their number: it has the newest ones of each. */
function shownNodes(parcels: number): number {
  return Math.floor(MAX_NODES / parcels);
}

/**
 * The tracking of a forecast, asked live. Only a parcel under watch has a response here: a dispatch is never taken back, and the
 * forecast service knows everything else of a forecast, and before this service does.
 * @param traceparent of the request, for what is asked elsewhere and for the event of a change
 * @returns undefined when no parcel of the forecast is under watch
 * @throws AppError 40401 for a po_number that cannot exist, 50001 when the carrier is out, with the seconds of accounts/adapters/circuit.ts
 */
export async function queryTracking(
  options: QueryOptions,
  tenantId: string,
  poNumber: string,
  traceparent?: string,
): Promise<TrackingResult | undefined> {
  if (!mayBePoNumber(poNumber)) throw new AppError('40401');
  const found = await options.shipments.findByPoNumber(tenantId, poNumber);
  return found.length === 0 ? undefined : trackingResponse(poNumber, await liveShipments(options, found, traceparent));
}

/**
 * The tracking of a forecast as it is stored: no carrier is asked.
 * @throws AppError 40403 when no parcel of it was dispatched
 */
export async function storedTracking(
  options: Pick<QueryOptions, 'shipments'>,
  tenantId: string,
  forecastNo: string,
): Promise<TrackingResult> {
  const found = await options.shipments.findShipments(tenantId, forecastNo);
  if (found.length === 0) throw new AppError('40403', `No parcel of the forecast ${JSON.stringify(forecastNo)} is known`);
  return storedOf(options, found, () => null);
}

/** So many forecasts are read at the same time. */
const READ_AT_ONCE = 10;

/**
 * The tracking of many forecasts as it is stored, with its age.
 * @returns by forecast_no; those of which no parcel is under watch are missing
 */
export async function storedTrackings(
  options: Pick<QueryOptions, 'shipments'>,
  tenantId: string,
  forecastNos: readonly string[],
): Promise<ReadonlyMap<string, TrackingResult>> {
  const read = await inPool(forecastNos, READ_AT_ONCE, async (forecastNo): Promise<[string, TrackingResult][]> => {
    const found = await options.shipments.findShipments(tenantId, forecastNo);
    if (found.length === 0) return [];
    return [[forecastNo, await storedOf(options, found, ({ reportedAt, watchedSince }) => reportedAt || watchedSince)]];
  });
  return new Map((await Promise.all(read)).flat());
}

async function storedOf(
  options: Pick<QueryOptions, 'shipments'>,
  found: readonly Shipment[],
  asOf: (shipment: Shipment) => number | null,
): Promise<TrackingResult> {
  return trackingResponse((found[0] as Shipment).poNumber, await withHistories(options, found, asOf));
}
