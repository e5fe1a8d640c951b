import type { ApiKey } from '@parcelway/contracts/admin-api';
import type { OwnAccess, TenantKey } from '@parcelway/contracts/key-api';
import { isoInstant } from '@parcelway/kernel/clock';
import type { KeyRecord } from '../../proxy/domain/key.ts';
import { rateRuleOf } from '../../proxy/domain/rate-limits.ts';
import type { TableRoute } from '../../proxy/domain/route-table.ts';
import { keyState } from '../domain/key-rules.ts';

const MINUTE_MS = 60_000;

const instantOrNull = (ms: number | null): string | null => (ms === null ? null : isoInstant(ms));

/** The minute of the last use: no more than that is stored reliably. */
const lastUse = ({ lastUsedAt }: KeyRecord): string | null =>
  instantOrNull(lastUsedAt === null ? null : lastUsedAt - (lastUsedAt % MINUTE_MS));

/** What everybody sees of a key, without the key. */
function viewCommon(key: KeyRecord) {
  return {
    key_id: key.keyId,
    prefix: key.prefix,
    scopes: [...key.scopes],
    description: key.description,
    allowed_addresses: [...key.allowedAddresses],
    created_by: key.createdBy,
    rotated_from: key.rotatedFrom,
    rotated_to: key.rotatedTo,
    create_time: isoInstant(key.createdAt),
  };
}

/** A key as the operator's API shows it. */
export function viewKey(key: KeyRecord): ApiKey {
  const { holder, rateLimit } = key;
  return {
    ...viewCommon(key),
    tenant_id: holder.kind === 'tenant' ? holder.tenantId : null,
    warehouse_code: holder.kind === 'warehouse' ? holder.warehouseCode : null,
    rate_limit: rateLimit === null || rateLimit === 'off' ? rateLimit : { per_second: rateLimit.perSecond, burst: rateLimit.burst },
    expire_time: instantOrNull(key.expiresAt),
    revoke_time: instantOrNull(key.revokedAt),
    last_use_time: lastUse(key),
  };
}

/** A key as its tenant sees it. @param now epoch milliseconds */
export function viewTenantKey(key: KeyRecord, now: number): TenantKey {
  return {
    ...viewCommon(key),
    state: keyState(key, now),
    expires_at: instantOrNull(key.expiresAt),
    revoked_at: instantOrNull(key.revokedAt),
    last_used_at: lastUse(key),
  };
}

/** The limits of a key for each class of routes. @param limitRates false: no key has a limit */
export function ratesInForce(key: KeyRecord, limitRates: boolean): OwnAccess['rate_limits'] {
  const rate = (rateClass: TableRoute['rateClass']) => {
    const rule = limitRates ? rateRuleOf(key, rateClass) : null;
    return rule && { per_second: rule.perSecond, burst: rule.burst };
  };
  return { standard: rate('standard'), upload: rate('upload'), tracking: rate('tracking'), batch: rate('batch') };
}
