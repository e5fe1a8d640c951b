import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import { AppError } from '@parcelway/kernel/app-error';
import type { KeyRecord, KnownKey, RateRule } from './key.ts';
import type { TableRoute } from './route-table.ts';

/** Limits that a key has unless it has its own: requests a second, and how many at once. */
export const DEFAULT_RATES: Readonly<Record<TableRoute['rateClass'], RateRule>> = {
  standard: { perSecond: 20, burst: 200 },
  upload: { perSecond: 5, burst: 50 },
  tracking: { perSecond: 10, burst: 100 },
};

/** True when a key no longer opens anything. `now`: epoch milliseconds. */
export function isDead(record: KeyRecord, now: number): boolean {
  return record.revokedAt !== null || (record.expiresAt !== null && now >= record.expiresAt);
}

/**
 * Why a key does not open a route, or undefined when it does. In this order: no longer valid (40003), tenant suspended
 * (40302), held by the wrong kind of holder or without a scope of the route (40301).
 */
export function refusalOf(known: KnownKey, route: TableRoute, now: number): AppError | undefined {
  const { record } = known;
  if (isDead(record, now)) return new AppError('40003');
  if (known.tenantStatus === 'suspended') return new AppError('40302');
  if (record.holder.kind !== route.access) return new AppError('40301', `This endpoint needs the key of a ${route.access}`);
  const { scopes } = route;
  if (scopes.length > 0 && !scopes.some((scope) => record.scopes.includes(scope))) {
    return new AppError('40301', `The API key lacks the scope ${scopes.join(' or ')}`);
  }
  return undefined;
}

/** Who calls, in the terms of the services. */
export function principalOfKey(record: KeyRecord, environment: Environment): Principal {
  const { holder } = record;
  return {
    kind: holder.kind,
    tenantId: holder.kind === 'tenant' ? holder.tenantId : null,
    warehouseCode: holder.kind === 'warehouse' ? holder.warehouseCode : null,
    keyId: record.keyId,
    scopes: record.scopes,
    environment,
  };
}

/** The bucket of a key for a class of routes; null when it has no limit. A limit of its own holds for every class. */
export function rateRuleOf(record: KeyRecord, rateClass: TableRoute['rateClass']): RateRule | null {
  if (record.rateLimit === 'off') return null;
  return record.rateLimit ?? DEFAULT_RATES[rateClass];
}
