import { newId } from '@parcelway/kernel/ids';
import type { DomainEventData, DomainEventType } from './domain-events.ts';
import type { Environment } from './environment.ts';
import type { ServiceName } from './service-name.ts';

/** A domain event in its envelope: CloudEvents 1.0 in JSON, with the extension attributes `tenantid` and `environment`. */
export interface DomainEvent<T extends DomainEventType = DomainEventType> {
  readonly specversion: '1.0';
  /** `evt_…`; the same for every copy of the event, so consumers can recognise a repeat. */
  readonly id: string;
  /** `/services/<name>` of the publisher. */
  readonly source: string;
  readonly type: T;
  /** Forecast number; for events of the gateway the id of the key or the code of the warehouse. */
  readonly subject: string;
  /** ISO 8601. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly tenantid: string;
  readonly environment: Environment;
  /** W3C trace context of the request that caused it, when there was one. */
  readonly traceparent?: string;
  readonly data: DomainEventData<T>;
}

/** What a publisher says of a new event; the rest follows. */
export interface NewDomainEvent<T extends DomainEventType> {
  readonly type: T;
  readonly publisher: ServiceName;
  readonly tenantId: string;
  readonly environment: Environment;
  readonly subject: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly data: DomainEventData<T>;
  /** Given when the id must be the same on every try; otherwise a new one is made. */
  readonly id?: string;
  /** `traceparent` of what caused it, when that is known. */
  readonly traceparent?: string | undefined;
}

/** A new event in its envelope. */
export function createDomainEvent<T extends DomainEventType>(event: NewDomainEvent<T>): DomainEvent<T> {
  return {
    specversion: '1.0',
    id: event.id ?? newId('evt'),
    source: `/services/${event.publisher}`,
    type: event.type,
    subject: event.subject,
    time: new Date(event.time).toISOString(),
    datacontenttype: 'application/json',
    tenantid: event.tenantId,
    environment: event.environment,
    ...(event.traceparent === undefined ? {} : { traceparent: event.traceparent }),
    data: event.data,
  };
}
