import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData, DomainEventType } from '@parcelway/contracts/domain-events';
import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import type { Clock } from '@parcelway/kernel/clock';
import type { Store } from '@parcelway/store/store';

/** What use cases decide with, and where they keep it. */
export interface Context {
  readonly environment: Environment;
  readonly clock: Clock;
  /** With the collections of the gateway. */
  readonly store: Store;
}

/**
 * An event of the gateway, to be written together with the change that it reports.
 * @param tenantId events carry a tenant; one that concerns none carries `warehouse:` with its code
 */
export function eventOf<T extends DomainEventType>(
  { environment, clock }: Context,
  type: T,
  tenantId: string,
  subject: string,
  data: DomainEventData<T>,
): EncodedMessage {
  return encodeEvent(createDomainEvent({ type, publisher: 'gateway', tenantId, environment, subject, time: clock.now(), data }));
}
