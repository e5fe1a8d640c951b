import { hkdfSync, randomBytes } from 'node:crypto';
import type { Scope } from '@parcelway/contracts/scopes';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import { idFromSeed, newId } from '@parcelway/kernel/ids';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import { isDead } from '../proxy/domain/admission.ts';
import { composeKey, hashKey, KEY_RANDOM_BYTES, visiblePrefix } from '../proxy/domain/api-key.ts';
import type { KeyHolder, KeyRecord, RateRule } from '../proxy/domain/key.ts';
import { type Context, eventOf } from '../tenants/context.ts';
import { assertNotErasing, createTenant, findTenant } from '../tenants/tenants.ts';
import { findWarehouse } from '../tenants/warehouses.ts';
import {
  defaultScopesOf,
  foreignScopeErrors,
  type KeyChanges,
  MAX_LINKS_PER_TENANT,
  type NewIdentity,
  rotated,
} from './domain/key-rules.ts';
import { dayBefore, MAX_KEYS_PER_DAY, nextCreationAt } from './domain/own-key-rules.ts';
import type { KeyGuard, KeyStore } from './key-collection.ts';

/*
 * Every change of a key passes through one of the functions of this file, whoever asks for it: issueKey, changeKey, rotateKey, revokeKey. What records who has
 * changed keys belongs here.
 */

/** What is asked for when a key is issued. */
export interface KeyRequest {
  readonly holder: KeyHolder;
  /** Default: all scopes that the holder may have, without the one that makes keys. */
  readonly scopes?: readonly Scope[] | undefined;
  /** Default: never expires. */
  readonly expiresInSeconds?: number | undefined;
  /** The same as an instant, epoch milliseconds. */
  readonly expiresAt?: number | undefined;
  readonly rateLimit?: RateRule | 'off' | null | undefined;
  readonly description?: string | undefined;
  /** As canonicalAddresses writes them. Default: may be used from everywhere. */
  readonly allowedAddresses?: readonly string[] | undefined;
  /** Id of the key that asks for it. Default: the operator. */
  readonly createdBy?: string | undefined;
  /** Most working keys that the tenant may have with it; then it may create only so many a day, too. Default: as many as the operator issues. */
  readonly limit?: number | undefined;
  /** True for the key of a link to the console: it has to expire, and counts among links alone. */
  readonly isLink?: true | undefined;
}

/** A key just made; `key` is known here and nowhere else. */
export interface NewKey {
  readonly key: string;
  readonly record: KeyRecord;
}

/** What issuing and revoking work with. */
export interface KeyContext extends Context {
  readonly keys: KeyStore;
  /** Secrets of the installation, the current one first. */
  readonly fileSecrets: readonly string[];
}

/**
 * The origin of the key that all attempts at one request make.
 * @param seed of the request; undefined makes a new key. The store keeps the seed, so the key also depends on a secret that it does not keep.
 */
function originOf({ fileSecrets }: KeyContext, seed: string | undefined): { readonly keyId: string; readonly random: Uint8Array } {
  if (seed === undefined) return { keyId: newId('key'), random: randomBytes(KEY_RANDOM_BYTES) };
  const random = hkdfSync('sha256', fileSecrets[0] as string, '', `parcelway api key ${seed}`, KEY_RANDOM_BYTES);
  return { keyId: idFromSeed('key', seed), random: new Uint8Array(random) };
}

/** Judges a key, as it is stored, before it changes. @throws AppError when it must not */
export type Judge = (key: KeyRecord) => void | Promise<void>;

/** The guard under which a key changes; undefined when there is none. */
export type GuardOf = (key: KeyRecord) => KeyGuard | undefined;

function scopesFor({ scopes, holder }: KeyRequest): readonly Scope[] {
  const given = scopes ?? defaultScopesOf(holder);
  const errors = foreignScopeErrors(given, holder);
  if (errors.length > 0) throw AppError.validation(errors);
  return given;
}

async function assertHolderExists({ store }: KeyContext, holder: KeyHolder): Promise<void> {
  if (holder.kind === 'warehouse') await findWarehouse(store, holder.warehouseCode);
  else {
    await findTenant(store, holder.tenantId);
    await assertNotErasing(store, holder.tenantId);
  }
}

function identityOf(key: string, keyId: string, createdBy: string | null): NewIdentity {
  return { keyId, prefix: visiblePrefix(key), hash: hashKey(key), createdBy };
}

/** The key that an earlier attempt at a request made. */
async function madeBefore({ keys }: KeyContext, key: string, keyId: string): Promise<NewKey | undefined> {
  const record = await keys.find(keyId);
  return record?.hash === hashKey(key) ? { key, record } : undefined;
}

/** 40902 of a tenant that has as many keys as it may. */
export function tooManyKeys(limit: number): AppError {
  return new AppError('40902', `A tenant has at most ${limit} working keys; revoke one that is no longer used first`);
}

/**
 * @throws AppError 40902 when a tenant has had as many keys within a day as it may create. Those of the operator count, who is not limited. Requests at the same
 * moment do not see each other, so some more may come through.
 */
export async function assertRoomToday({ keys, clock }: KeyContext, tenantId: string): Promise<void> {
  const next = nextCreationAt(await keys.createdAfter(tenantId, dayBefore(clock.now()), MAX_KEYS_PER_DAY));
  if (next === undefined) return;
  throw new AppError(
    '40902',
    `A tenant creates and rotates at most ${MAX_KEYS_PER_DAY} keys in 24 hours; the next one is possible at ${isoInstant(next)}. ` +
      'If you need one before, ask the operator',
  );
}

/** 40902 of a tenant to whose console as many links work as may. */
async function tooManyLinks({ keys, clock }: KeyContext, tenantId: string): Promise<AppError> {
  const now = clock.now();
  const [first] = await keys.alive(tenantId, now, 1, 'link');
  const next = first?.expiresAt ?? now;
  return new AppError(
    '40902',
    `At most ${MAX_LINKS_PER_TENANT} links to the console of a tenant work at the same time; the next one is possible at ${isoInstant(next)}. ` +
      'If you need one before, revoke the key of another link',
  );
}

/** The key with this id. @throws AppError 40403 */
export async function keyWith({ keys }: Pick<KeyContext, 'keys'>, keyId: string): Promise<KeyRecord> {
  const found = await keys.find(keyId);
  if (found === undefined) throw new AppError('40403', 'The key does not exist');
  return found;
}

/**
 * Makes a key and keeps its hash. Done again for the same request, it returns the same key.
 * @throws AppError 40403 when the holder does not exist, 40902 when it is being erased or has as many keys, or links, as it may, or as many keys as a day allows, 42201 when a scope does not fit the holder
 */
export async function issueKey(options: KeyContext, request: KeyRequest, seed?: string): Promise<NewKey> {
  const origin = originOf(options, seed);
  const scopes = scopesFor(request);
  await assertHolderExists(options, request.holder);
  const key = composeKey(options.environment, origin.random);
  const made = await madeBefore(options, key, origin.keyId);
  if (made !== undefined) return made;
  const now = options.clock.now();
  const record: KeyRecord = {
    ...identityOf(key, origin.keyId, request.createdBy ?? null),
    holder: request.holder,
    scopes,
    rateLimit: request.rateLimit ?? null,
    description: request.description ?? '',
    allowedAddresses: request.allowedAddresses ?? [],
    createdAt: now,
    expiresAt: request.expiresAt ?? (request.expiresInSeconds === undefined ? null : now + request.expiresInSeconds * 1000),
    revokedAt: null,
    lastUsedAt: null,
    rotatedFrom: null,
    rotatedTo: null,
    version: 0,
    ...(request.isLink && { isLink: true }),
  };
  const { limit, holder, isLink } = request;
  if (isLink && holder.kind === 'tenant') {
    if (await options.keys.addWithin(record, MAX_LINKS_PER_TENANT, now)) return { key, record };
    throw await tooManyLinks(options, holder.tenantId);
  }
  if (limit !== undefined && holder.kind === 'tenant') await assertRoomToday(options, holder.tenantId);
  if (limit === undefined) await options.keys.add(record);
  else if (!(await options.keys.addWithin(record, limit, now))) throw tooManyKeys(limit);
  return { key, record };
}

function assertChangeable(key: KeyRecord, now: number): void {
  if (isDead(key, now)) throw new AppError('40902', 'The key is revoked or expired, which cannot be undone; create another key');
  if (key.isLink)
    throw new AppError('40902', 'The key belongs to a link to the console, so it can only be revoked; make another link instead');
}

/**
 * Changes a key. Other processes notice within the seconds for which they believe what they have looked up.
 * @throws AppError 40403 when there is no such key, 40902 when it is revoked, expired or that of a link, 42201 when a scope does not fit the holder; what `judge` throws
 */
export function changeKey(
  options: KeyContext,
  keyId: string,
  changes: KeyChanges,
  judge: Judge = () => undefined,
  guardOf: GuardOf = () => undefined,
): Promise<KeyRecord> {
  return untilWritten(async () => {
    const key = await keyWith(options, keyId);
    await judge(key);
    assertChangeable(key, options.clock.now());
    const errors = foreignScopeErrors(changes.scopes ?? [], key.holder);
    if (errors.length > 0) throw AppError.validation(errors);
    const changed = { ...key, ...changes, version: key.version + 1 };
    return (await options.keys.change(changed, guardOf(key))) ? changed : undefined;
  });
}

/**
 * Makes a key with the settings of another, which ends after an overlap. Done again for the same request, it returns the same key.
 * @param createdBy id of the key that asks for it; null for the operator
 * @returns the new key, and the former one as it is then
 * @throws AppError 40403 when there is no such key, 40902 when it is revoked, expired, rotated already or that of a link; what `judge` throws
 */
export function rotateKey(
  options: KeyContext,
  keyId: string,
  { overlapSeconds, createdBy }: { readonly overlapSeconds: number; readonly createdBy: string | null },
  judge: Judge = () => undefined,
  seed?: string,
) {
  const origin = originOf(options, seed);
  const key = composeKey(options.environment, origin.random);
  return untilWritten(async () => {
    const present = await keyWith(options, keyId);
    const made = await madeBefore(options, key, origin.keyId);
    if (made !== undefined && present.rotatedTo === origin.keyId) return { ...made, former: present };
    await judge(present);
    const now = options.clock.now();
    if (present.rotatedTo !== null) {
      throw new AppError('40902', `The key is rotated already; rotate ${present.rotatedTo}, which replaces it, or create another key`);
    }
    assertChangeable(present, now);
    if (present.holder.kind === 'tenant') await assertNotErasing(options.store, present.holder.tenantId);
    const { former, successor } = rotated(present, overlapSeconds * 1000, now, identityOf(key, origin.keyId, createdBy));
    const record = made?.record ?? successor;
    return (await options.keys.rotate(former, record)) ? { key, record, former } : undefined;
  });
}

/**
 * Revokes a key for good and records the event for other services. Doing it again changes nothing.
 * @returns `isRepetition`: true when it was revoked before
 * @throws AppError 40403 when there is no such key; what `judge` throws
 */
export function revokeKey(options: KeyContext, keyId: string, judge: Judge = () => undefined, guardOf: GuardOf = () => undefined) {
  return untilWritten(async () => {
    const known = await keyWith(options, keyId);
    await judge(known);
    const now = options.clock.now();
    const { holder } = known;
    const tenantId = holder.kind === 'tenant' ? holder.tenantId : `warehouse:${holder.warehouseCode}`;
    const message = eventOf(options, 'key.revoked', tenantId, keyId, { key_id: keyId, revoked_at: isoInstant(now) });
    const record = (await options.keys.revoke(keyId, now, message, guardOf(known))) ?? known;
    // Another request may have revoked it at the same moment.
    return { record, isRepetition: known.revokedAt !== null || record.revokedAt !== now };
  });
}

/**
 * Creates a tenant and a key of it with the usual scopes. The tenant comes first. When the process ends in between, the same request finds the tenant, and
 * goes on with the key; when it has both, it gives the same ones.
 * @param seed of the request; undefined for one that is never repeated
 */
export async function createTenantWithKey(options: KeyContext, name: string, seed: string | undefined) {
  const tenant = await createTenant(options, name, seed);
  const holder = { kind: 'tenant', tenantId: tenant.tenantId } as const;
  const key = await issueKey(options, { holder }, seed);
  return { tenant, key };
}
