import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { type CarrierNode, instantOf } from './domain/node.ts';
import type { Shipment } from './domain/shipment.ts';
import type { NodeWish } from './domain/simulated-node.ts';
import type { RecordFacts, ShipmentReader, TrackingStore } from './tracking-store.ts';

export interface SimulateOptions {
  readonly shipments: Pick<ShipmentReader, 'findShipments'>;
  readonly parcels: Pick<TrackingStore, 'addSimulatedNode'>;
  readonly record: RecordFacts;
  readonly clock: Clock;
  readonly wake: () => void;
  /** How long a dispatch may take to come here; default 3000 ms. */
  readonly patienceMs?: number;
}

const LOOK_EVERY_MS = 25;
/** A node without a time comes after all others; beyond the year 9999 there would be no way to write that down. */
const LAST_INSTANT = Date.UTC(9999, 0, 1);

/** The parcel that a simulated node is of. Without a number, the one of the forecast that was dispatched last. */
type SimulatedParcel = Pick<Shipment, 'tenantId' | 'forecastNo'> & { readonly trackingNumber: string | undefined };

/** The shipment of a forecast; a dispatch reported a moment ago may still be on its way here. */
async function awaitShipment({ shipments, patienceMs = 3000 }: SimulateOptions, parcel: SimulatedParcel): Promise<Shipment> {
  const { tenantId, forecastNo } = parcel;
  const trackingNumber = parcel.trackingNumber && normaliseTrackingNumber(parcel.trackingNumber);
  // Waiting is measured in the time of the machine, whatever clock the nodes are dated by.
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = await shipments.findShipments(tenantId, forecastNo);
    const shipment = found.findLast((one) => trackingNumber === undefined || one.trackingNumber === trackingNumber);
    if (shipment) return shipment;
    if (performance.now() >= end) throw new AppError('40902', undispatched(trackingNumber));
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

function undispatched(trackingNumber: string | undefined): string {
  if (trackingNumber === undefined) return 'The forecast has not been dispatched: simulate the step dispatch first';
  return `No parcel of the forecast was dispatched under the number ${JSON.stringify(trackingNumber)}: simulate the step dispatch with it first`;
}

function assertReal(wish: NodeWish): void {
  const field = instantOf('2000-01-01 00:00:00', wish.times ?? '(GMT+00:00)') === undefined ? 'times' : 'create_time';
  const instant = instantOf(wish.createTime ?? '2000-01-01 00:00:00', wish.times ?? '(GMT+00:00)');
  if (instant !== undefined && instant < LAST_INSTANT) return;
  const message =
    field === 'times'
      ? 'times must be a zone from (GMT-12:00) to (GMT+14:00)'
      : 'create_time must be a real date and time before the year 9999';
  throw AppError.validation([{ field, rule: 'format', message }]);
}

/**
 * Adds a node to a parcel of the simulated carrier and has the carrier asked at once.
 * @throws AppError 42201 for a time that does not exist, 40902 when the forecast was not dispatched
 */
export async function simulateTracking(options: SimulateOptions, parcel: SimulatedParcel, wish: NodeWish): Promise<CarrierNode> {
  assertReal(wish);
  const shipment = await awaitShipment(options, parcel);
  const now = options.clock.now();
  // In this order: the poll that the news starts finds the node. After a crash in between, the caller simulates again.
  const node = await options.parcels.addSimulatedNode(shipment, wish, now);
  const { tenantId, forecastNo, furtherNumber } = shipment;
  await options.record([{ type: 'news', tenantId, forecastNo, furtherNumber, now }]);
  options.wake();
  return node;
}
