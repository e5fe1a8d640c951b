import { MAX_ENDPOINTS_PER_TENANT } from '@parcelway/contracts/webhook-endpoint-limits';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { Upkeep, type UpkeepStep } from '@parcelway/kernel/upkeep';
import type { Index } from '@parcelway/store/collection';
import type { FindOptions, Page, Store, Stored, Write } from '@parcelway/store/store';
import { upsert } from '@parcelway/store/upsert';
import { disable, disablingPublished, isPauseOver, MAX_PAUSE_MS } from '../endpoints/domain/disabling.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import { type EndpointDocument, endpointOf, endpoints } from '../endpoints/endpoints-collection.ts';
import type { EndpointObserver } from '../endpoints/manage-endpoints.ts';
import type { EventAcceptance } from '../intake/accept-events.ts';
import { deliveries } from '../intake/deliveries-collection.ts';
import { type EventDocument, events, sequences } from '../intake/event-collections.ts';
import { holdPending } from '../queue/hold-pending.ts';

/** Rows in one transaction: some milliseconds, so that deliveries between two batches do not notice. */
const BATCH = 200;
/** Pause after a batch, in which only deliveries use the store. */
const PAUSE_MS = 20;
/** What has failed is tried again after this long. */
const RETRY_MS = 30_000;
const HOUR_MS = 3_600_000;

type StoredEvent = Stored<EventDocument>;

const keyOfParcel = ({ tenantId, parcel }: EventDocument): readonly [string, string] => [tenantId, parcel as string];

/** Keeps the numbers of events that are about to be deleted. */
async function keepNumbers(store: Store, leaving: readonly StoredEvent[]): Promise<void> {
  const numbered = leaving.map(({ value }) => value).filter(({ parcel }) => parcel !== undefined);
  const parcels = new Map(numbered.map((event) => [keyOfParcel(event).join(' '), keyOfParcel(event)]));
  const keys = [...parcels.values()];
  await upsert(store, sequences, keys, (before, place) => {
    const [tenantId, parcel] = keys[place] as (typeof keys)[number];
    const own = numbered.filter((event) => event.tenantId === tenantId && event.parcel === parcel);
    const last = Math.max(before?.last ?? 0, ...own.map(({ seq = 0 }) => seq));
    return { tenantId, parcel, last, updatedAt: Math.max(before?.updatedAt ?? 0, ...own.map(({ createdAt }) => createdAt)) };
  });
}

/** Those of some events that have a delivery: at an endpoint that there is, or that waits for its deletion. */
async function usedOf(store: Store, page: readonly StoredEvent[]): Promise<ReadonlySet<string>> {
  const tenants = [...new Set(page.map(({ value }) => value.tenantId))];
  const byTenant = new Map(tenants.map((tenantId): [string, string[]] => [tenantId, []]));
  const options = { eq: [], any: tenants, limit: 2 * MAX_ENDPOINTS_PER_TENANT * tenants.length };
  for (let after: string | null = ''; after !== null; ) {
    const found: Page<EndpointDocument> = await store.find(endpoints.by.owned, { ...options, ...(after !== '' && { after }) });
    for (const { value } of found.items) byTenant.get(value.tenantId)?.push(value.endpointId);
    after = found.next;
  }
  const keys = page.flatMap(({ value: { eventId, tenantId } }) => {
    return (byTenant.get(tenantId) ?? []).map((endpointId) => [eventId, tenantId, endpointId]);
  });
  const found = await store.read(deliveries, keys);
  return new Set(found.map(({ value: { eventId, tenantId } }) => `${eventId} ${tenantId}`));
}

/** Deletes events that were stored before an instant and that nothing refers to, from the old end on. @returns true while more may be left */
export function createEventExpiry(store: Store): (before: number, limit: number) => Promise<boolean> {
  // Events that must stay are passed over; the walk starts again when it has come to young ones. Only spares this process work.
  let after: string | null = null;
  return async (before, limit) => {
    const { items, next } = await store.find(events.by.age, { eq: [], to: before * 1000, ...(after !== null && { after }), limit });
    const used = await usedOf(store, items);
    const leaving = items.filter(({ value: { eventId, tenantId } }) => !used.has(`${eventId} ${tenantId}`));
    if (leaving.length > 0) {
      await keepNumbers(store, leaving);
      await store.apply(leaving.map((stored): Write => ({ in: events, delete: stored })));
    }
    after = next;
    return next !== null;
  };
}

const firstToSweep = async (store: Store, sweep: 'hold' | 'purge') =>
  (await store.find(endpoints.by.sweep, { eq: [sweep], limit: 1 })).items[0];

/** Turns pending deliveries of disabled endpoints into held ones. @returns true while more may be left */
export async function holdDisabled(store: Store, limit: number): Promise<boolean> {
  let left = limit;
  while (left > 0) {
    const endpoint = await firstToSweep(store, 'hold');
    if (endpoint === undefined) return false;
    const count = await holdPending(store, endpoint, left);
    // Changed meanwhile: the next batch sees how it is now.
    if (count === undefined) return true;
    if (count === 0) await store.apply([{ in: endpoints, patch: endpoint, set: { sweep: undefined } as object }]);
    left -= count;
  }
  return true;
}

/** Deletes deliveries of deleted endpoints, and at last the endpoints. @returns true while more may be left */
export async function purgeDeleted(store: Store, limit: number): Promise<boolean> {
  const endpoint = await firstToSweep(store, 'purge');
  if (endpoint === undefined) return false;
  const { tenantId, endpointId } = endpoint.value;
  const its = { eq: [tenantId, endpointId] };
  const count = await store.deleteRange(deliveries.by.endpoint, { ...its, limit });
  // None was deleted when an attempt has just changed all that were found: they are there.
  const isLeft = count > 0 || (await store.find(deliveries.by.endpoint, { ...its, limit: 1 })).items.length > 0;
  if (!isLeft) await store.apply([{ in: endpoints, delete: endpoint }]);
  return true;
}

/** Deletes settled deliveries that were made before an instant, with their attempts. @returns true while more may be left */
export async function expireDeliveries(store: Store, before: number, limit: number): Promise<boolean> {
  return (await store.deleteRange(deliveries.by.settled, { eq: [], to: before, limit })) === limit;
}

export interface MaintenanceOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retentionMs: number;
  readonly eventRetentionMs: number;
  readonly endpoints: Pick<EndpointStore, 'update'>;
  readonly acceptance: Pick<EventAcceptance, 'publishDisabled'>;
  readonly runner: Pick<EndpointObserver, 'endpointChanged'>;
}

/**
 * The slow work of the service: publishing disablings, holding, deleting, forgetting. Done hourly for what another process has left behind, and to be woken for
 * what was just disabled or deleted. Several processes may do it at the same time.
 *
 * Crashes and races: all of it is found by the state of the documents, and every write is onto the version that was read, so what ends half-way is found
 * again, and what has changed since is left alone. An endpoint keeps its mark until no delivery of it was found; what comes later is left to the queue.
 */
export function createMaintenance(options: MaintenanceOptions): Upkeep {
  const { store, clock, logger, retentionMs, eventRetentionMs } = options;
  const expireEvents = createEventExpiry(store);
  /** Works on each of the endpoints that an index finds. */
  const each = (
    what: string,
    by: Index<EndpointDocument>,
    range: () => Pick<FindOptions<EndpointDocument>, 'to'>,
    work: (options: MaintenanceOptions, endpoint: Endpoint) => Promise<void>,
  ): UpkeepStep => ({
    what,
    async run() {
      const { items } = await store.find(by, { eq: [], ...range(), limit: BATCH });
      for (const { value } of items) await work(options, endpointOf(value));
      return items.length > 0;
    },
  });
  const steps = [
    each('Ending pauses of webhook endpoints', endpoints.by.paused, () => ({ to: clock.now() - MAX_PAUSE_MS }), endPause),
    each('Publishing that webhook endpoints were disabled', endpoints.by.unpublished, () => ({}), publish),
    { what: 'Holding deliveries of disabled endpoints', run: () => holdDisabled(store, BATCH) },
    { what: 'Deleting what deleted endpoints had', run: () => purgeDeleted(store, BATCH) },
    { what: 'Deleting old deliveries', run: () => expireDeliveries(store, clock.now() - retentionMs, BATCH) },
    { what: 'Deleting old events', run: () => expireEvents(clock.now() - eventRetentionMs, BATCH) },
  ];
  return new Upkeep({ steps, everyMs: HOUR_MS, retryMs: RETRY_MS, pauseMs: PAUSE_MS, logger });
}

/** Publishes a disabling to the tenant's other endpoints, then notes that it is published. After a crash between the two it is published again, as the same event. */
async function publish({ endpoints, acceptance }: MaintenanceOptions, endpoint: Endpoint): Promise<void> {
  const { tenantId, endpointId, disablingToPublish } = endpoint;
  await acceptance.publishDisabled(endpoint);
  await endpoints.update(tenantId, endpointId, (current) =>
    current.disablingToPublish === disablingToPublish ? disablingPublished(current) : current,
  );
}

/** Disables an endpoint whose pause has lasted too long, unless the pause has ended since it was read. */
async function endPause({ endpoints, runner, clock }: MaintenanceOptions, { tenantId, endpointId }: Endpoint): Promise<void> {
  const now = clock.now();
  const changed = await endpoints.update(tenantId, endpointId, (current) =>
    isPauseOver(current, now) ? disable(current, 'pause_expired', now) : current,
  );
  if (changed) runner.endpointChanged(changed);
}
