import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { PlannedDelivery } from '../intake/domain/plan-delivery.ts';
import type { TenantEvent } from '../intake/domain/tenant-event.ts';
import type { AcceptedDelivery } from '../intake/ports.ts';
import type { WebhookStores } from '../ports.ts';
import { acceptIn, endpointFor, eventFor, planned, T0 } from './webhook-fixtures.ts';

/** Stores as a driver opens them. */
export interface OpenedStores {
  readonly stores: WebhookStores;
  close(): Promise<void>;
}

/** The stores of the running test, with one endpoint of `tnt_one`, and what most tests do with them. */
export class StoresUnderTest {
  readonly #open: () => Promise<OpenedStores>;
  #opened: OpenedStores | undefined;
  #endpoint: Endpoint | undefined;

  constructor(open: () => Promise<OpenedStores>) {
    this.#open = open;
  }

  async begin(): Promise<void> {
    this.#opened = await this.#open();
    this.#endpoint = endpointFor('tnt_one');
    await this.stores.endpoints.insert(this.#endpoint, 10);
  }

  async end(): Promise<void> {
    await this.#opened?.close();
  }

  get stores(): WebhookStores {
    if (this.#opened === undefined) throw new Error('The stores are not open');
    return this.#opened.stores;
  }

  get endpoint(): Endpoint {
    if (this.#endpoint === undefined) throw new Error('The stores are not open');
    return this.#endpoint;
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
