import { randomBytes } from 'node:crypto';
import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import { type Scope, tenantScopes, warehouseScopes } from '@parcelway/contracts/scopes';
import { AppError } from '@parcelway/kernel/app-error';
import { type Clock, isoInstant } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import { composeKey, hashKey, KEY_RANDOM_BYTES, visiblePrefix } from '../edge/domain/api-key.ts';
import type { KeyHolder, KeyRecord, RateRule } from '../edge/domain/key.ts';
import { assertNotErasing } from './manage-tenants.ts';
import type { GatewayStores } from './ports.ts';

/** What is asked for when a key is issued. */
export interface KeyRequest {
  readonly holder: KeyHolder;
  /** Default: all scopes that the holder may have. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Default: never expires. */
  readonly expiresInSeconds?: number | undefined;
  readonly rateLimit?: RateRule | 'off' | undefined;
  readonly description?: string | undefined;
}

/** A key just made; `key` is known here and nowhere else. */
export interface NewKey {
  readonly key: string;
  readonly record: KeyRecord;
}

/** What issuing and revoking work with. */
export interface ManageKeysOptions {
  readonly environment: Environment;
  readonly stores: Pick<GatewayStores, 'keys' | 'tenants' | 'warehouses' | 'erasures'>;
  readonly clock: Clock;
}

function scopesFor(request: KeyRequest): readonly Scope[] {
  const allowed: readonly Scope[] = request.holder.kind === 'tenant' ? tenantScopes : warehouseScopes;
  const scopes = request.scopes ?? allowed;
  const foreign = scopes.findIndex((scope) => !allowed.includes(scope));
  if (foreign !== -1) {
    const field = `scopes[${foreign}]`;
    throw AppError.validation([
      { field, rule: 'enum', message: `${field} must be one of ${allowed.join(', ')} for the key of a ${request.holder.kind}` },
    ]);
  }
  return scopes;
}

async function assertHolderExists(stores: ManageKeysOptions['stores'], holder: KeyHolder): Promise<void> {
  const found = holder.kind === 'tenant' ? await stores.tenants.find(holder.tenantId) : await stores.warehouses.find(holder.warehouseCode);
  if (found === undefined) throw new AppError('40403', `The ${holder.kind} does not exist`);
  if (holder.kind === 'tenant') await assertNotErasing(stores, holder.tenantId);
}

/**
 * Makes a key and keeps its hash.
 * @throws AppError 40403 when the holder does not exist, 40902 when it is being erased, 42201 when a scope does not fit the holder
 */
export async function issueKey(options: ManageKeysOptions, request: KeyRequest): Promise<NewKey> {
  const scopes = scopesFor(request);
  await assertHolderExists(options.stores, request.holder);
  const key = composeKey(options.environment, randomBytes(KEY_RANDOM_BYTES));
  const now = options.clock.now();
  const record: KeyRecord = {
    keyId: newId('key'),
    prefix: visiblePrefix(key),
    hash: hashKey(key),
    holder: request.holder,
    scopes,
    rateLimit: request.rateLimit ?? null,
    description: request.description ?? '',
    createdAt: now,
    expiresAt: request.expiresInSeconds === undefined ? null : now + request.expiresInSeconds * 1000,
    revokedAt: null,
    lastUsedAt: null,
  };
  await options.stores.keys.add(record);
  return { key, record };
}

/**
 * Revokes a key for good and records the news for every replica. Doing it again changes nothing.
 * @throws AppError 40403 when there is no such key
 */
export async function revokeKey(options: ManageKeysOptions, keyId: string): Promise<KeyRecord> {
  const known = await options.stores.keys.find(keyId);
  if (known === undefined) throw new AppError('40403', 'The key does not exist');
  const now = options.clock.now();
  const { holder } = known;
  const event = createDomainEvent({
    type: 'key.revoked',
    publisher: 'gateway',
    // Events carry a tenant; a warehouse's key has none, so the event carries its holder instead.
    tenantId: holder.kind === 'tenant' ? holder.tenantId : `warehouse:${holder.warehouseCode}`,
    environment: options.environment,
    subject: keyId,
    time: now,
    data: { key_id: keyId, revoked_at: isoInstant(now) },
  });
  const revoked = await options.stores.keys.revoke(keyId, now, encodeEvent(event));
  return revoked ?? known;
}
