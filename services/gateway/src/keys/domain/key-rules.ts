import { type KeyState, MAX_LIFETIME_SECONDS } from '@parcelway/contracts/key-api';
import { defaultTenantScopes, KEYS_SCOPE, type Scope, tenantScopes, warehouseScopes } from '@parcelway/contracts/scopes';
import type { FieldError } from '@parcelway/kernel/app-error';
import { networkText, parseNetwork } from '@parcelway/kernel/networks';
import { compileAllowedAddresses, isDead } from '../../proxy/domain/admission.ts';
import type { KeyHolder, KeyRecord } from '../../proxy/domain/key.ts';

/** What tenants see that the key of a link is for: not which person of the operator has made it. */
export const LINK_DESCRIPTION = 'Link to the console, by the operator';

/** Links to the console of one tenant that work at the same time. They are none of the tenant's own keys, and take none of its room for them. */
export const MAX_LINKS_PER_TENANT = 100;

/** What a change sets; fields that are absent stay. */
export interface KeyChanges {
  readonly scopes?: readonly Scope[];
  readonly description?: string;
  /** Epoch milliseconds; null: never. */
  readonly expiresAt?: number | null;
  /** As {@link canonicalAddresses} writes them. */
  readonly allowedAddresses?: readonly string[];
}

/** What a new key is besides its settings. */
export interface NewIdentity {
  readonly keyId: string;
  readonly prefix: string;
  readonly hash: string;
  readonly createdBy: string | null;
}

/** Whether a key works. A revoked key stays revoked after its expiry. @param now epoch milliseconds */
export function keyState(key: KeyRecord, now: number): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  return isDead(key, now) ? 'expired' : 'active';
}

/** Scopes that a key of the holder has when none are asked for. */
export function defaultScopesOf({ kind }: KeyHolder): readonly Scope[] {
  return kind === 'tenant' ? defaultTenantScopes : warehouseScopes;
}

/** The first scope that a key of the holder cannot have, as the errors of a request; empty when all fit. */
export function foreignScopeErrors(scopes: readonly Scope[], { kind }: KeyHolder): FieldError[] {
  const allowed: readonly Scope[] = kind === 'tenant' ? tenantScopes : warehouseScopes;
  const foreign = scopes.findIndex((scope) => !allowed.includes(scope));
  if (foreign === -1) return [];
  const field = `scopes[${foreign}]`;
  return [{ field, rule: 'enum', message: `${field} must be one of ${allowed.join(', ')} for the key of a ${kind}` }];
}

/** Scopes that a key gives to the keys it creates unless others are asked for: its own, without the one that creates keys. */
export function inheritedScopes({ scopes }: Pick<KeyRecord, 'scopes'>): readonly Scope[] {
  return scopes.filter((scope) => scope !== KEYS_SCOPE);
}

/**
 * Scopes that one key must not give to another: those it does not have itself, or that the other one never had.
 * @param caller the key that makes the request
 * @param changed the key whose scopes are replaced; undefined for a new one
 */
export function grantErrors(
  scopes: readonly Scope[],
  caller: Pick<KeyRecord, 'scopes'>,
  changed?: Pick<KeyRecord, 'scopes'>,
): FieldError[] {
  const allowed = caller.scopes.filter((scope) => changed?.scopes.includes(scope) ?? true);
  const whose = changed === undefined ? 'the calling key' : 'both the calling key and this key';
  return scopes.flatMap((scope, index) => {
    if (allowed.includes(scope)) return [];
    const field = `scopes[${index}]`;
    const message = `${field} must be a scope that ${whose} ${changed === undefined ? 'has' : 'have'}: ${allowed.join(', ') || 'there is none'}`;
    return [{ field, rule: 'enum', message }];
  });
}

/** Errors of the instant at which a key is to expire. @param expiresAt epoch milliseconds, as `now` */
export function expiryErrors(expiresAt: number, now: number): FieldError[] {
  const field = 'expires_at';
  if (expiresAt <= now) return [{ field, rule: 'minimum', message: `${field} must be in the future. To end a key now, revoke it` }];
  if (expiresAt <= now + MAX_LIFETIME_SECONDS * 1000) return [];
  return [{ field, rule: 'maximum', message: `${field} must be at most ten years ahead` }];
}

/** Addresses and networks in their one spelling, each once. @param texts valid ones */
export function canonicalAddresses(texts: readonly string[]): readonly string[] {
  const networks = texts.map(parseNetwork).filter((network) => network !== undefined);
  return [...new Set(networks.map(networkText))];
}

/** Errors of a list of addresses by which a key would shut itself out. @param address that the request comes from */
export function shutOutErrors(allowedAddresses: readonly string[], address: string): FieldError[] {
  if (compileAllowedAddresses(allowedAddresses)?.(address) ?? true) return [];
  const field = 'allowed_addresses';
  const message = `${field} must contain ${address}, the address of this request, because the key changes its own list. Add it, or use another key for this change`;
  return [{ field, rule: 'own_address', message }];
}

/**
 * A key and its successor, which has the same settings and lives as long as the former one was given, but no longer than a new key may.
 * @param overlapMs how long the former one still works, unless it expires before
 */
export function rotated(
  key: KeyRecord,
  overlapMs: number,
  now: number,
  identity: NewIdentity,
): { readonly former: KeyRecord; readonly successor: KeyRecord } {
  const end = now + overlapMs;
  const { expiresAt, createdAt } = key;
  return {
    former: {
      ...key,
      expiresAt: expiresAt === null ? end : Math.min(expiresAt, end),
      rotatedTo: identity.keyId,
      version: key.version + 1,
    },
    successor: {
      ...key,
      ...identity,
      createdAt: now,
      expiresAt: expiresAt === null ? null : now + Math.min(expiresAt - createdAt, MAX_LIFETIME_SECONDS * 1000),
      lastUsedAt: null,
      rotatedFrom: key.keyId,
      rotatedTo: null,
      version: 0,
    },
  };
}
