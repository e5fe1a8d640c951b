import type { DeadLetter } from '@parcelway/bus/bus';
import type { CreatedTenant, DeadLetterView, Tenant } from '@parcelway/contracts/admin-api';
import { isoInstant } from '@parcelway/kernel/clock';
import type { TenantRecord, WarehouseRecord } from '../../tenants/domain/records.ts';

const MAX_VALUE_CHARACTERS = 2000;

/** A tenant as the operator's API shows it. */
export function viewTenant(tenant: TenantRecord): Tenant {
  return { id: tenant.id, name: tenant.name, status: tenant.status, create_time: isoInstant(tenant.createdAt) };
}

/** A tenant that was just created, with a warning when others have its name. */
export function viewCreatedTenant(tenant: TenantRecord, namesakes: readonly TenantRecord[]): CreatedTenant {
  const ids = namesakes.map(({ id }) => id).join(', ');
  const message = `Another tenant has the same name: ${ids}. If you did not want a second one, suspend ${tenant.id}`;
  return { ...viewTenant(tenant), warnings: namesakes.length === 0 ? [] : [{ field: 'name', message }] };
}

/** A warehouse as the operator's API shows it; with `close_time` once it is closed. */
export function viewWarehouse({ code, name, closedAt }: WarehouseRecord): {
  readonly code: string;
  readonly name: string;
  readonly close_time?: string;
} {
  return { code, name, ...(closedAt !== null && { close_time: isoInstant(closedAt) }) };
}

/** A dead letter as the operator's API shows it. */
export function viewDeadLetter(deadLetter: DeadLetter): DeadLetterView {
  const { record } = deadLetter;
  return {
    topic: deadLetter.topic,
    partition: record.partition,
    offset: record.offset,
    key: record.key,
    group: deadLetter.group,
    reason: deadLetter.reason,
    failed_at: deadLetter.failedAt,
    value: record.value === null ? null : Buffer.from(record.value).toString('utf8').slice(0, MAX_VALUE_CHARACTERS),
  };
}
