import { afterEach, beforeEach } from '@jest/globals';
import { openSqliteStore } from '@parcelway/platform/open-store';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import type { Store } from '@parcelway/store/store';
import { webhookCollections } from '../collections.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { PlannedDelivery } from '../intake/domain/plan-delivery.ts';
import type { TenantEvent } from '../intake/domain/tenant-event.ts';
import type { AcceptedDelivery } from '../intake/event-writer.ts';
import { openStores, type WebhookStores } from '../stores.ts';
import { acceptIn, endpointFor, eventFor, planned, T0 } from './webhook-fixtures.ts';

/** Opens the stores of a file, as a process does that has it to itself. @param now epoch milliseconds */
export async function openTestStores(path = ':memory:', now = T0) {
  const db = new SqliteDatabase(path);
  const opened = openSqliteStore(db, webhookCollections);
  return { db, documents: opened.store, stores: await openStores(opened, now) };
}

/** The stores of the tests of a file, empty before each of them but for one endpoint of `tnt_one`. Call it outside of the tests. */
export function useStores(): StoresUnderTest {
  const under = new StoresUnderTest();
  beforeEach(() => under.begin());
  afterEach(() => under.end());
  return under;
}

/** The stores of the running test, with one endpoint of `tnt_one`, and what most tests do with them. */
export class StoresUnderTest {
  #db: SqliteDatabase | undefined;
  declare documents: Store;
  declare stores: WebhookStores;
  declare endpoint: Endpoint;

  async begin(): Promise<void> {
    const { db, documents, stores } = await openTestStores();
    this.#db = db;
    Object.assign(this, { documents, stores, endpoint: endpointFor('tnt_one') });
    await stores.endpoints.insert(this.endpoint, 10);
  }

  end(): void {
    this.#db?.close();
  }

  /** Takes an event in at {@link T0}; every endpoint gets a delivery that is due then, unless planned otherwise. */
  readonly accept = (
    event: TenantEvent,
    plan: (endpoint: Endpoint) => PlannedDelivery | null = () => planned(),
  ): Promise<readonly AcceptedDelivery[]> => acceptIn(this.stores.intake, event, T0, plan);

  /** Takes an event in that has one delivery. */
  readonly acceptOne = async (event = eventFor('tnt_one', 'FC1'), plan = planned()): Promise<AcceptedDelivery> =>
    (await this.accept(event, () => plan))[0] as AcceptedDelivery;

  readonly leaseAll = (now: number, leaseUntil: number, count = 100): Promise<readonly LeasedDelivery[]> =>
    this.stores.queue.lease([{ endpointId: this.endpoint.endpointId, count }], now, leaseUntil);

  readonly find = (deliveryId: string) => this.stores.log.get('tnt_one', this.endpoint.endpointId, deliveryId);
}
