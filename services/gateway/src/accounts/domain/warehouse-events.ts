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
export interface ChangeContext {
  readonly environment: Environment;
  /** Epoch milliseconds. */
  readonly now: number;
}

type WarehouseEventType = 'warehouse.opened' | 'warehouse.renamed' | 'warehouse.closed';

function changeOf<T extends WarehouseEventType>(
  { environment, now }: ChangeContext,
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
export function opened(given: Pick<WarehouseRecord, 'code' | 'name'>, context: ChangeContext): WarehouseChange {
  return announced({ ...given, createdAt: context.now, closedAt: null, version: 0 }, context);
}

/** The first event of a warehouse: of a new one, or of one from a release before these events. */
export function announced(warehouse: WarehouseRecord, context: ChangeContext): WarehouseChange {
  const { name, createdAt } = warehouse;
  return changeOf(context, 'warehouse.opened', { ...warehouse, version: 1 }, { name, opened_at: isoInstant(createdAt) });
}

/** A warehouse under another name; undefined when it has that name. */
export function renamed(warehouse: WarehouseRecord, name: string, context: ChangeContext): WarehouseChange | undefined {
  if (warehouse.name === name) return undefined;
  const next = { ...warehouse, name, version: warehouse.version + 1 };
  return changeOf(context, 'warehouse.renamed', next, { name, renamed_at: isoInstant(context.now) });
}

/** A closed warehouse; undefined when it is closed. */
export function closed(warehouse: WarehouseRecord, context: ChangeContext): WarehouseChange | undefined {
  if (warehouse.closedAt !== null) return undefined;
  const next = { ...warehouse, closedAt: context.now, version: warehouse.version + 1 };
  return changeOf(context, 'warehouse.closed', next, { closed_at: isoInstant(context.now) });
}
