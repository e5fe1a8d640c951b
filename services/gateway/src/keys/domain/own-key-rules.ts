import { KEYS_SCOPE, type Scope } from '@parcelway/contracts/scopes';
import { isWithin, parseNetwork } from '@parcelway/kernel/networks';
import type { KeyRecord } from '../../proxy/domain/key.ts';
import { DEFAULT_RATES, rateRuleOf } from '../../proxy/domain/rate-limits.ts';
import type { KeyChanges } from './key-rules.ts';

/** What a key that manages keys may do with another one of its tenant. */

const DAY_MS = 86_400_000;

/** Keys that a tenant may create within 24 hours, with those that replace others: each stays in the store for more than a year. */
export const MAX_KEYS_PER_DAY = 200;

/** How often within 24 hours a key and its successors are replaced at once whatever else the tenant has created. */
export const MAX_URGENT_ROTATIONS = 3;

const rateClasses = Object.keys(DEFAULT_RATES) as (keyof typeof DEFAULT_RATES)[];

/** Scopes of a key that the calling one does not have. */
export function lackedScopes(key: Pick<KeyRecord, 'scopes'>, caller: Pick<KeyRecord, 'scopes'>): readonly Scope[] {
  return key.scopes.filter((scope) => !caller.scopes.includes(scope));
}

/** True when a key may send more than the calling one, of whatever requests: more a second, or more at once. */
export function hasHigherRate(key: Pick<KeyRecord, 'rateLimit'>, caller: Pick<KeyRecord, 'rateLimit'>): boolean {
  return rateClasses.some((rateClass) => {
    const [rule, most] = [rateRuleOf(key, rateClass), rateRuleOf(caller, rateClass)];
    if (rule === null || most === null) return most !== null;
    return rule.perSecond > most.perSecond || rule.burst > most.burst;
  });
}

/** True when a key would work longer than now. @param expiresAt epoch milliseconds; null: for ever; undefined: as now */
export function isLater(expiresAt: number | null | undefined, key: Pick<KeyRecord, 'expiresAt'>): boolean {
  if (expiresAt === undefined || key.expiresAt === null) return false;
  return expiresAt === null || expiresAt > key.expiresAt;
}

/** True when each of the addresses and networks lies in one of the others; an empty list is every address. */
function areWithin(addresses: readonly string[], others: readonly string[]): boolean {
  if (others.length === 0) return true;
  const around = others.map(parseNetwork);
  const isInside = (text: string): boolean => {
    const network = parseNetwork(text);
    return network !== undefined && around.some((one) => one !== undefined && network[1] >= one[1] && isWithin(network[0], one));
  };
  return addresses.length > 0 && addresses.every(isInside);
}

/**
 * What of a change does more than tighten a key, as the names of the fields: a later expiry, addresses that it could not be used from, scopes that it does
 * not have, another description. Empty when the key can only do less afterwards.
 */
export function looseningFields(changes: KeyChanges, key: KeyRecord): readonly string[] {
  const { scopes = [], expiresAt, allowedAddresses = key.allowedAddresses, description = key.description } = changes;
  return [
    ...(scopes.every((scope) => key.scopes.includes(scope)) ? [] : ['scopes']),
    ...(isLater(expiresAt, key) ? ['expires_at'] : []),
    ...(areWithin(allowedAddresses, key.allowedAddresses) ? [] : ['allowed_addresses']),
    ...(description === key.description ? [] : ['description']),
  ];
}

/** True when a key works for more than a day from now. */
function isLasting({ expiresAt }: Pick<KeyRecord, 'expiresAt'>, now: number): boolean {
  return expiresAt === null || expiresAt > now + DAY_MS;
}

/** True of a working key by which its tenant can go on to manage keys: it has the right for more than a day. @param now epoch milliseconds */
export function isManager(key: Pick<KeyRecord, 'scopes' | 'expiresAt'>, now: number): boolean {
  return key.scopes.includes(KEYS_SCOPE) && isLasting(key, now);
}

/** True when a key that changes itself ends its right to manage keys, at once or within a day. @param now epoch milliseconds */
export function endsManaging({ scopes, expiresAt }: KeyChanges, key: KeyRecord, now: number): boolean {
  if (scopes !== undefined && !scopes.includes(KEYS_SCOPE)) return true;
  if (expiresAt === undefined || expiresAt === null || isLasting({ expiresAt }, now)) return false;
  return key.expiresAt === null || expiresAt < key.expiresAt;
}

/** After when the keys count that were created within a day. @param now epoch milliseconds */
export function dayBefore(now: number): number {
  return now - DAY_MS;
}

/**
 * From when on a tenant may create a key again; undefined when it may now.
 * @param created when its keys were created after {@link dayBefore}, the newest first, at most {@link MAX_KEYS_PER_DAY}; epoch milliseconds
 */
export function nextCreationAt(created: readonly number[]): number | undefined {
  const oldest = created[MAX_KEYS_PER_DAY - 1];
  return oldest === undefined ? undefined : oldest + DAY_MS;
}
