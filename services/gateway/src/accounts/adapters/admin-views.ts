import type { DeadLetter } from '@parcelway/bus/bus';
import type { ApiKey, CreatedTenant, DeadLetterView, Tenant } from '@parcelway/contracts/admin-api';
import { isoInstant } from '@parcelway/kernel/clock';
import type { KeyRecord } from '../../edge/domain/key.ts';
import type { TenantRecord, WarehouseRecord } from '../domain/records.ts';

const MAX_VALUE_CHARACTERS = 2000;
const MINUTE_MS = 60_000;

const instantOrNull = (ms: number | null): string | null => (ms === null ? null : isoInstant(ms));

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

/** A key as the operator's API shows it, without the key. */
export function viewKey(key: KeyRecord): ApiKey {
  const { holder, rateLimit, lastUsedAt } = key;
  return {
    key_id: key.keyId,
    prefix: key.prefix,
    tenant_id: holder.kind === 'tenant' ? holder.tenantId : null,
    warehouse_code: holder.kind === 'warehouse' ? holder.warehouseCode : null,
    scopes: [...key.scopes],
    rate_limit: rateLimit === null || rateLimit === 'off' ? rateLimit : { per_second: rateLimit.perSecond, burst: rateLimit.burst },
    description: key.description,
    create_time: isoInstant(key.createdAt),
    expire_time: instantOrNull(key.expiresAt),
    revoke_time: instantOrNull(key.revokedAt),
    last_use_time: instantOrNull(lastUsedAt === null ? null : lastUsedAt - (lastUsedAt % MINUTE_MS)),
  };
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
