import type { Delivery } from '@parcelway/contracts/webhook-delivery-api';

/** How many deliveries have a status. */
export interface Share {
  readonly status: string;
  readonly count: number;
}

/** Statuses in the order in which they are drawn. */
const ORDER = ['succeeded', 'failed', 'pending', 'held'];

/** How many deliveries have each status; those that none has are left out. Test events do not count. */
export function sharesOf(deliveries: readonly Delivery[]): readonly Share[] {
  const real = deliveries.filter(({ test }) => !test);
  return ORDER.map((status) => ({ status, count: real.filter((delivery) => delivery.status === status).length })).filter(
    ({ count }) => count > 0,
  );
}

/** Of the deliveries with a result, the part that succeeded, 0 to 1; undefined while there is no result. */
export function successRate(shares: readonly Share[]): number | undefined {
  const countOf = (wanted: string): number => shares.find(({ status }) => status === wanted)?.count ?? 0;
  const [succeeded, failed] = [countOf('succeeded'), countOf('failed')];
  return succeeded + failed === 0 ? undefined : succeeded / (succeeded + failed);
}
