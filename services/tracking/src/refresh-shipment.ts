import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { Clock } from '@parcelway/kernel/clock';
import { oldestFirst } from './domain/node.ts';
import type { Shipment } from './domain/shipment.ts';
import type { Carriers, NodeRecorder } from './ports.ts';

/** What a refresh needs. */
export interface RefreshDeps {
  readonly carriers: Carriers;
  readonly recorder: NodeRecorder;
  readonly clock: Clock;
  /** Says that messages were written to the outbox. */
  readonly notify: () => void;
}

/**
 * Asks the carrier of a shipment and adds its answer to the history; resolves with the admin_status
 * of the newest node then known (empty when there is none).
 * @param traceparent of what it is refreshed for, for the question to the carrier and the event that tells of a change
 * @throws AppError 50001 when the carrier is out, 50301 when the store is
 */
export type RefreshShipment = (shipment: Shipment, traceparent?: string) => Promise<AdminStatus | ''>;

/**
 * Makes the refresh that all share: who asks for a shipment while the carrier is being asked for it, gets that answer, which
 * belongs to the trace of who asked first.
 * Who asks after news (see Shipment.wakes) does not: the answer under way may not have them yet.
 */
export function createRefreshShipment({ carriers, recorder, clock, notify }: RefreshDeps): RefreshShipment {
  const underWay = new Map<string, Promise<AdminStatus | ''>>();

  const refresh = async (shipment: Shipment, traceparent: string | undefined): Promise<AdminStatus | ''> => {
    const nodes = oldestFirst(await carriers.track(shipment, traceparent));
    const { change, latestStatus } = await recorder.record(shipment, nodes, clock.now(), traceparent);
    if (change) notify();
    return latestStatus;
  };

  return (shipment, traceparent) => {
    const key = JSON.stringify([shipment.tenantId, shipment.forecastNo, shipment.watch, shipment.wakes]);
    const running = underWay.get(key);
    if (running) return running;
    const started = refresh(shipment, traceparent).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  };
}
