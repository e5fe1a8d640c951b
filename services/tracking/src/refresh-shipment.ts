import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { Clock } from '@parcelway/kernel/clock';
import { digestNodes } from './domain/history.ts';
import { oldestFirst } from './domain/node-order.ts';
import type { Shipment } from './domain/shipment.ts';
import type { Carriers } from './ports.ts';
import type { RecordFacts } from './record-facts.ts';

/** What a refresh needs. */
export interface RefreshOptions {
  readonly carriers: Carriers;
  readonly record: RecordFacts;
  readonly clock: Clock;
}

/**
 * Asks the carrier of a shipment and adds its response to the history; resolves with the admin_status
 * of the newest node then known (empty when there is none).
 * @param traceparent of what it is refreshed for, for the call of the carrier and the event of a change
 * @throws AppError 50001 when the carrier is out, 50301 when the store is
 */
export type RefreshShipment = (shipment: Shipment, traceparent?: string) => Promise<AdminStatus | ''>;

/**
 * Makes the refresh that all share: callers that ask for a shipment while its carrier is being asked get that response. The call
 * belongs to the trace of the first caller.
 * A caller that asks after news (see Shipment.wakes) starts a new call: the response of the running one may lack the news.
 */
export function createRefreshShipment({ carriers, record, clock }: RefreshOptions): RefreshShipment {
  const inFlight = new Map<string, Promise<AdminStatus | ''>>();

  const refresh = async (shipment: Shipment, traceparent: string | undefined): Promise<AdminStatus | ''> => {
    const nodes = digestNodes(oldestFirst(await carriers.track(shipment, traceparent)));
    const [outcome] = await record([{ type: 'response', shipment, nodes, now: clock.now(), traceparent }]);
    return outcome?.latestStatus ?? '';
  };

  return (shipment, traceparent) => {
    const key = JSON.stringify([shipment.tenantId, shipment.forecastNo, shipment.watch, shipment.wakes]);
    const running = inFlight.get(key);
    if (running) return running;
    const started = refresh(shipment, traceparent).finally(() => inFlight.delete(key));
    inFlight.set(key, started);
    return started;
  };
}
