import { AppError } from '@parcelway/kernel/app-error';
import type { DomainEvent } from './cloud-event.ts';
import { type DomainEventType, domainEventSchemas, topicOf } from './domain-events.ts';
import { compileValidator, type Validator } from './validator.ts';

/** A message ready for the bus. */
export interface EncodedMessage {
  readonly topic: string;
  readonly key: string;
  /** UTF-8 JSON. */
  readonly value: string;
}

const dataValidators = Object.fromEntries(
  Object.entries(domainEventSchemas).map(([type, schema]) => [type, compileValidator(schema)]),
) as unknown as Readonly<Record<DomainEventType, Validator<unknown>>>;

/** Partition key: one parcel's events stay in order. */
export function partitionKey(event: DomainEvent): string {
  return `${event.tenantid}/${event.subject}`;
}

/**
 * An event as a message on its topic.
 * @throws AppError 50000 when its data violates its schema: a defect of the publisher
 */
export function encodeEvent(event: DomainEvent): EncodedMessage {
  const key = partitionKey(event);
  const errors = dataValidators[event.type].errors(event.data);
  if (errors.length > 0) {
    throw new AppError('50000', `Event ${event.type} violates its schema: ${errors.map((error) => error.message).join('; ')}`);
  }
  return { topic: topicOf[event.type], key, value: JSON.stringify(event) };
}

/**
 * The event in a message.
 * @param value UTF-8 JSON
 * @throws AppError 40001 when it is no JSON, 42201 when it is no known event or violates its schema
 */
export function decodeEvent(value: string): DomainEvent {
  let event: Partial<DomainEvent> | null;
  try {
    event = JSON.parse(value) as Partial<DomainEvent> | null;
  } catch (cause) {
    throw new AppError('40001', 'The message is not well-formed JSON', { cause });
  }
  if (event === null || typeof event !== 'object' || event.specversion !== '1.0' || typeof event.id !== 'string') {
    throw new AppError('42201', 'The message is not a CloudEvents 1.0 event');
  }
  if (typeof event.tenantid !== 'string' || typeof event.subject !== 'string' || typeof event.time !== 'string') {
    throw new AppError('42201', 'The event lacks tenantid, subject or time');
  }
  if (typeof event.type !== 'string' || !Object.hasOwn(dataValidators, event.type)) {
    throw new AppError('42201', `The event type ${String(event.type)} is not known`);
  }
  dataValidators[event.type].parse(event.data);
  return event as DomainEvent;
}
