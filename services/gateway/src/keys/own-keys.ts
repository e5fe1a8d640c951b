import { MAX_KEYS_PER_TENANT } from '@parcelway/contracts/key-api';
import { KEYS_SCOPE } from '@parcelway/contracts/scopes';
import { AppError } from '@parcelway/kernel/app-error';
import type { Page } from '../activity/read-page.ts';
import { isDead } from '../proxy/domain/admission.ts';
import type { KeyRecord } from '../proxy/domain/key.ts';
import { expiryErrors, grantErrors, inheritedScopes, type KeyChanges, shutOutErrors } from './domain/key-rules.ts';
import {
  dayBefore,
  endsManaging,
  hasHigherRate,
  isLater,
  isManager,
  lackedScopes,
  looseningFields,
  MAX_URGENT_ROTATIONS,
} from './domain/own-key-rules.ts';
import type { KeyGuard } from './key-collection.ts';
import {
  assertRoomToday,
  changeKey,
  issueKey,
  type KeyContext,
  type KeyRequest,
  keyWith,
  type NewKey,
  revokeKey,
  rotateKey,
  tooManyKeys,
} from './manage-keys.ts';

/** Who manages keys: a key of the tenant. */
export interface KeyCaller {
  readonly tenantId: string;
  readonly keyId: string;
  /** That the request comes from. */
  readonly address: string;
}

/** What a tenant asks for when it creates a key. Default scopes: those of the calling key, without the one that makes keys. */
export type OwnKeyRequest = Pick<KeyRequest, 'scopes' | 'expiresInSeconds' | 'expiresAt' | 'allowedAddresses'> & {
  readonly description: string;
};

/** What the keys of tenants are managed with. */
export interface OwnKeysOptions extends KeyContext {
  /** Called after a key has changed, so that this process no longer believes what it knew of it. */
  readonly onChanged: (key: KeyRecord) => void;
}

/**
 * The keys of one tenant, managed with one of them. A key never gives away more than it has. Every method throws AppError 40403 for a key that the tenant does
 * not have.
 */
export class OwnKeys {
  readonly #options: OwnKeysOptions;

  constructor(options: OwnKeysOptions) {
    this.#options = options;
  }

  /** A page, newest first. @param after where it begins; undefined to begin with the newest */
  list({ tenantId }: KeyCaller, limit: number, after: string | undefined): Promise<Page<KeyRecord>> {
    return this.#options.keys.list({ tenantId }, limit, after);
  }

  async get({ tenantId }: KeyCaller, keyId: string): Promise<KeyRecord> {
    const key = await keyWith(this.#options, keyId);
    assertOwn(key, tenantId);
    return key;
  }

  /**
   * A new key with the rate limit of the calling one.
   * @param seed of the request, which makes one key however often it is called
   * @throws AppError 42201 for a scope that the calling key lacks, 40902 when the tenant has as many keys as it may, or as a day allows
   */
  async create(by: KeyCaller, request: OwnKeyRequest, seed: string | undefined): Promise<NewKey> {
    const caller = await this.#caller(by);
    const scopes = request.scopes ?? inheritedScopes(caller);
    const errors = [
      ...grantErrors(scopes, caller),
      ...(request.expiresAt === undefined ? [] : expiryErrors(request.expiresAt, this.#options.clock.now())),
    ];
    if (scopes.length === 0)
      errors.push({ field: 'scopes', rule: 'required', message: 'scopes is required: the calling key has only keys:manage' });
    if (errors.length > 0) throw AppError.validation(errors);
    const holder = { kind: 'tenant', tenantId: by.tenantId } as const;
    const given = { ...request, holder, scopes, rateLimit: caller.rateLimit, createdBy: by.keyId, limit: MAX_KEYS_PER_TENANT };
    return issueKey(this.#options, given, seed);
  }

  /**
   * @throws AppError 42201 when scopes grow, the expiry is past, or the key shuts itself out; 40301 when the key has scopes that the calling one lacks, and the
   * change does more than tighten it; 40902 when it is dead, rotated and to end later, or the last that manages keys
   */
  async change(by: KeyCaller, keyId: string, changes: KeyChanges): Promise<KeyRecord> {
    const { scopes, expiresAt, allowedAddresses } = changes;
    const judge = async (key: KeyRecord): Promise<void> => {
      const caller = await this.#caller(by);
      assertOwn(key, by.tenantId);
      const errors = [
        ...(scopes === undefined ? [] : grantErrors(scopes, caller, key)),
        ...(expiresAt === null || expiresAt === undefined ? [] : expiryErrors(expiresAt, this.#options.clock.now())),
        ...(allowedAddresses === undefined || keyId !== by.keyId ? [] : shutOutErrors(allowedAddresses, by.address)),
      ];
      if (errors.length > 0) throw AppError.validation(errors);
      assertMayChange(key, changes, caller);
    };
    const changed = await changeKey(this.#options, keyId, changes, judge, (key) =>
      endsManaging(changes, key, this.#options.clock.now()) ? this.#guardOf(by, key) : undefined,
    );
    this.#options.onChanged(changed);
    return changed;
  }

  /**
   * A key that replaces another.
   * @param seed of the request, which makes one key however often it is called
   * @throws AppError 40301 for a key with more scopes or a higher rate limit than the calling one, 40902 when it cannot be rotated, or the tenant has as many keys as it may, or as a day allows
   */
  async rotate(by: KeyCaller, keyId: string, overlapSeconds: number, seed: string | undefined) {
    const caller = await this.#caller(by);
    const judge = async (key: KeyRecord): Promise<void> => {
      assertOwn(key, by.tenantId);
      assertMayReceive(key, caller);
      // One that ends at once makes room for its successor.
      if (overlapSeconds === 0) return this.#assertUrgentRoom(by, key);
      await assertRoomToday(this.#options, by.tenantId);
      const alive = await this.#options.keys.alive(by.tenantId, this.#options.clock.now(), MAX_KEYS_PER_TENANT);
      if (alive.length >= MAX_KEYS_PER_TENANT) throw tooManyKeys(MAX_KEYS_PER_TENANT);
    };
    const keys = await rotateKey(this.#options, keyId, { overlapSeconds, createdBy: by.keyId }, judge, seed);
    this.#options.onChanged(keys.former);
    return keys;
  }

  /** Revokes a key for good; doing it again changes nothing. @throws AppError 40902 when no other one manages keys for more than a day, and it is the calling key or does so itself */
  async revoke(by: KeyCaller, keyId: string) {
    const judge = async (key: KeyRecord): Promise<void> => {
      await this.#caller(by);
      assertOwn(key, by.tenantId);
    };
    const revoked = await revokeKey(this.#options, keyId, judge, (key) => this.#guardOf(by, key));
    this.#options.onChanged(revoked.record);
    return revoked;
  }

  /** The calling key as it is stored: what it may give away must not be some seconds old. @throws AppError 40003, 40301 */
  async #caller({ keyId }: KeyCaller): Promise<KeyRecord> {
    const caller = await this.#options.keys.find(keyId);
    if (caller === undefined || isDead(caller, this.#options.clock.now())) throw new AppError('40003');
    if (!caller.scopes.includes(KEYS_SCOPE)) throw new AppError('40301', `The API key lacks the scope ${KEYS_SCOPE}`);
    return caller;
  }

  /**
   * Whoever has stolen a key that manages keys can use up what the tenant creates in a day, so a key that ends at once is replaced all the same, some times.
   * The bound is that of the key and the keys that it replaces, which a thief uses up only by losing the key.
   */
  async #assertUrgentRoom({ tenantId }: KeyCaller, key: KeyRecord): Promise<void> {
    const { keys, clock } = this.#options;
    const since = dayBefore(clock.now());
    let one: KeyRecord | undefined = key;
    for (let rotations = 0; rotations < MAX_URGENT_ROTATIONS; rotations += 1) {
      if (one === undefined || one.rotatedFrom === null || one.createdAt <= since) return;
      one = await keys.find(one.rotatedFrom);
    }
    await assertRoomToday(this.#options, tenantId);
  }

  /** The calling key, and one that manages keys for more than a day, must leave another one that does when their right ends. */
  #guardOf(by: KeyCaller, ended: KeyRecord): KeyGuard | undefined {
    const now = this.#options.clock.now();
    const isMissed = ended.keyId === by.keyId || (!isDead(ended, now) && isManager(ended, now));
    return isMissed ? { tenantId: by.tenantId, now } : undefined;
  }
}

/** A key that can do more than the calling one may be tightened by it, and no more; one that was rotated ends when it was to end, if not before. */
function assertMayChange(key: KeyRecord, changes: KeyChanges, caller: KeyRecord): void {
  const lacking = lackedScopes(key, caller);
  const loosened = lacking.length === 0 ? [] : looseningFields(changes, key);
  if (loosened.length > 0) {
    throw new AppError(
      '40301',
      `The calling key lacks ${lacking.join(', ')}, so it can only tighten this key: end it earlier, limit its addresses further or take scopes away. ` +
        `It cannot change ${loosened.join(', ')} this way; use a key with these scopes, or revoke this key`,
    );
  }
  if (key.rotatedTo === null || !isLater(changes.expiresAt, key)) return;
  throw new AppError(
    '40902',
    `The key is rotated, so it cannot expire later; use ${key.rotatedTo}, which replaces it, or create another key`,
  );
}

/** Whoever rotates a key receives its successor, which must not do more than the calling key. */
function assertMayReceive(key: KeyRecord, caller: KeyRecord): void {
  const lacking = lackedScopes(key, caller);
  if (lacking.length > 0) {
    throw new AppError('40301', `The calling key cannot rotate a key with more scopes than its own; it lacks ${lacking.join(', ')}`);
  }
  if (!hasHigherRate(key, caller)) return;
  throw new AppError(
    '40301',
    'The calling key cannot rotate a key with a higher rate limit than its own; use that key itself, or ask the operator',
  );
}

/** A key of somebody else looks like one that does not exist. */
function assertOwn({ holder }: KeyRecord, tenantId: string): void {
  if (holder.kind !== 'tenant' || holder.tenantId !== tenantId) throw new AppError('40403', 'The key does not exist');
}
