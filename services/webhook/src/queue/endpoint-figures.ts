import { type EndpointFiguresQuery, MAX_FIGURE_DAYS } from '@parcelway/contracts/webhook-figures-api';
import type { Clock } from '@parcelway/kernel/clock';
import { dayRange } from '@parcelway/kernel/day-range';
import type { UsageCounter, UsageStore } from '@parcelway/kernel/usage-counter';
import type { EndpointManager } from '../endpoints/manage-endpoints.ts';
import type { AttemptResult } from './domain/attempt.ts';
import { amountsOf, figuresOf, prefixOf } from './domain/delivery-figures.ts';

/** Reads what became of the attempts at an endpoint. */
export type EndpointFiguresReader = ReturnType<typeof createEndpointFigures>;

/** Counts an attempt; tests are none. */
export function countAttempt(counter: Pick<UsageCounter, 'add'>, { leased: { delivery }, attempt }: AttemptResult): void {
  if (delivery.test) return;
  for (const name of amountsOf(delivery.endpointId, attempt)) counter.add(delivery.tenantId, name);
}

/**
 * The figures of an endpoint.
 * @throws AppError 40403 when there is no such endpoint, 42201 for a range that is not allowed
 */
export function createEndpointFigures(endpoints: Pick<EndpointManager, 'get'>, store: Pick<UsageStore, 'days'>, clock: Clock) {
  return async (tenantId: string, endpointId: string, asked: EndpointFiguresQuery) => {
    const range = dayRange(asked, clock.now(), MAX_FIGURE_DAYS);
    await endpoints.get(tenantId, endpointId);
    return figuresOf(endpointId, range, await store.days(tenantId, range.from, range.to, prefixOf(endpointId)));
  };
}
