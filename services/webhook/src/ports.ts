import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { UsageStore } from '@parcelway/kernel/usage-counter';
import type { EndpointStore } from './endpoints/ports.ts';
import type { EventFeed } from './feed/ports.ts';
import type { EventIntake } from './intake/ports.ts';
import type { DeliveryLog, DeliveryQueue, Redelivery } from './queue/ports.ts';
import type { Maintenance } from './retention/ports.ts';

export interface WebhookStores {
  readonly idempotency: IdempotencyStore;
  readonly endpoints: EndpointStore;
  readonly intake: EventIntake;
  readonly queue: DeliveryQueue;
  readonly log: DeliveryLog;
  readonly redelivery: Redelivery;
  readonly feed: EventFeed;
  readonly maintenance: Maintenance;
  readonly tenantData: TenantData;
  readonly usage: UsageStore;
  /** What became of the attempts at each endpoint. */
  readonly deliveryDays: UsageStore;
}
