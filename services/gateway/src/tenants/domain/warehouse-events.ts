import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData } from '@parcelway/contracts/domain-events';
import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import { isoInstant } from '@parcelway/kernel/clock';
import type { WarehouseRecord } from './records.ts';

/** A warehouse after a change, and the event that reports it; both are written together. */
export interface WarehouseChange {
  readonly warehouse: WarehouseRecord;
  readonly message: EncodedMessage;
}

/** Where and when a change is made. */
export interface ChangeOptions {
  readonly environment: Environment;
  /** Epoch milliseconds. */
  readonly now: number;
}

type WarehouseEventType = 'warehouse.opened' | 'warehouse.renamed' | 'warehouse.closed';

function changeOf<T extends WarehouseEventType>(
  { environment, now }: ChangeOptions,
  type: T,
  warehouse: WarehouseRecord,
  data: Omit<DomainEventData<T>, 'warehouse_code' | 'version'>,
): WarehouseChange {
  const { code, version } = warehouse;
  const event = createDomainEvent({
    type,
    publisher: 'gateway',
    // Events carry a tenant; a warehouse has none.
    tenantId: `warehouse:${code}`,
    environment,
    subject: code,
    time: now,
    data: { warehouse_code: code, version, ...data } as DomainEventData<T>,
  });
  return { warehouse, message: encodeEvent(event) };
}

/** A new warehouse. */
export function opened(given: Pick<WarehouseRecord, 'code' | 'name'>, options: ChangeOptions): WarehouseChange {
  const { code, name } = given;
  const warehouse = { code, name, createdAt: options.now, closedAt: null, version: 1 };
  return changeOf(options, 'warehouse.opened', warehouse, { name, opened_at: isoInstant(options.now) });
}

/** A warehouse under another name; undefined when it has that name. */
export function renamed(warehouse: WarehouseRecord, name: string, options: ChangeOptions): WarehouseChange | undefined {
  if (warehouse.name === name) return undefined;
  const next = { ...warehouse, name, version: warehouse.version + 1 };
  return changeOf(options, 'warehouse.renamed', next, { name, renamed_at: isoInstant(options.now) });
}

/** A closed warehouse; undefined when it is closed. */
export function closed(warehouse: WarehouseRecord, options: ChangeOptions): WarehouseChange | undefined {
  if (warehouse.closedAt !== null) return undefined;
  const next = { ...warehouse, closedAt: options.now, version: warehouse.version + 1 };
  return changeOf(options, 'warehouse.closed', next, { closed_at: isoInstant(options.now) });
}
