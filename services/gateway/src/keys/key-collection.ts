import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { KEYS_SCOPE, type Scope } from '@parcelway/contracts/scopes';
import { nullable } from '@parcelway/contracts/text';
import { AppError } from '@parcelway/kernel/app-error';
import { collection } from '@parcelway/store/collection';
import { untilWrittenInTurn } from '@parcelway/store/in-turn';
import type { Store, Stored, Write } from '@parcelway/store/store';
import Type from 'typebox';
import type { Page } from '../activity/read-page.ts';
import type { KeyHolder, KeyRecord, KnownKey } from '../proxy/domain/key.ts';
import type { KeyLookup } from '../proxy/ports.ts';
import { tenants, tenantWith } from '../tenants/tenants.ts';
import { isManager } from './domain/own-key-rules.ts';

const text = nullable(Type.String());
const instant = nullable(Type.Integer());
const closed = { additionalProperties: false } as const;

/** How long the key of a link is listed after its end. The audit log says for longer who has made it. */
export const DEAD_LINKS_KEPT_MS = 3_600_000;

/** How long a key is listed after it was revoked or has expired: more than a year, for those who look into what happened. */
const DEAD_KEYS_KEPT_MS = 400 * 86_400_000;

/** Hashes of keys. The version of a record is what the store has written since the key was new. */
export const keys = collection(
  'keys',
  Type.Object(
    {
      keyId: Type.String(),
      prefix: Type.String(),
      hash: Type.String(),
      /** One of these two. */
      tenantId: Type.Optional(Type.String()),
      warehouseCode: Type.Optional(Type.String()),
      kind: Type.Union([Type.Literal('key'), Type.Literal('link')]),
      scopes: Type.Array(Type.Unsafe<Scope>(Type.String())),
      rateLimit: nullable(Type.Union([Type.Literal('off'), Type.Object({ perSecond: Type.Number(), burst: Type.Number() }, closed)])),
      description: Type.String(),
      allowedAddresses: Type.Array(Type.String()),
      createdAt: Type.Integer(),
      /** Missing for one that does not expire. */
      expiresAt: Type.Optional(Type.Integer()),
      revokedAt: instant,
      lastUsedAt: instant,
      createdBy: text,
      rotatedFrom: text,
      rotatedTo: text,
      /** When it is revoked or expires, whichever comes first; {@link NEVER} for one that does not end. */
      endsAt: Type.Integer(),
    },
    closed,
  ),
  {
    describe: 'Hashes of API keys, and what the keys may do',
    key: ['keyId'],
    // Over all holders: a key is a capability.
    unique: { hash: ['hash'] },
    lists: {
      tenant: ['tenantId', '-createdAt'],
      warehouse: ['warehouseCode', '-createdAt'],
      age: ['-createdAt'],
      created: ['tenantId', 'kind', '-createdAt'],
      working: ['tenantId', 'kind', 'endsAt'],
      // The platform's own work: what is dead for long is deleted.
      ended: ['endsAt'],
      expired: ['kind', 'expiresAt'],
    },
    hasMessages: true,
    tenant: 'tenantId',
    shard: { unsharded: 'a key is found by its hash before its tenant is known' },
    ends: [
      { by: 'ended', keptMs: DEAD_KEYS_KEPT_MS },
      { by: 'expired', within: ['link'], keptMs: DEAD_LINKS_KEPT_MS },
    ],
    copy: {
      record: (key) => ({
        key_id: key.keyId,
        prefix: key.prefix,
        scopes: key.scopes,
        rate_limit: key.rateLimit,
        description: key.description,
        created_at: key.createdAt,
        expires_at: key.expiresAt ?? null,
        revoked_at: key.revokedAt,
        last_used_at: key.lastUsedAt,
        allowed_addresses: key.allowedAddresses,
        created_by: key.createdBy,
        rotated_from: key.rotatedFrom,
        rotated_to: key.rotatedTo,
      }),
    },
  },
);

type Key = NonNullable<(typeof keys)['document']>;

const NEVER = Number.MAX_SAFE_INTEGER;

const endOf = (revokedAt: number | null, expiresAt: number | null): number => Math.min(revokedAt ?? NEVER, expiresAt ?? NEVER);

function documentOf({ version: _version, holder, isLink, expiresAt, ...key }: KeyRecord): Key {
  return {
    ...key,
    ...(holder.kind === 'tenant' ? { tenantId: holder.tenantId } : { warehouseCode: holder.warehouseCode }),
    kind: isLink ? 'link' : 'key',
    scopes: [...key.scopes],
    allowedAddresses: [...key.allowedAddresses],
    ...(expiresAt !== null && { expiresAt }),
    endsAt: endOf(key.revokedAt, expiresAt),
  };
}

function recordOf({ value, version }: Stored<Key>): KeyRecord {
  const { tenantId, warehouseCode = '', kind, endsAt: _end, ...key } = value;
  const holder: KeyHolder = tenantId === undefined ? { kind: 'warehouse', warehouseCode } : { kind: 'tenant', tenantId };
  return { expiresAt: null, ...key, holder, version: version - 1, ...(kind === 'link' && { isLink: true }) };
}

/** What a change of a key sets, onto the version that was read. */
function changeOf(key: KeyRecord): Write<Key> {
  const { scopes, description, allowedAddresses, expiresAt, rotatedTo, endsAt, ...kept } = documentOf(key);
  const set = { scopes, description, allowedAddresses, expiresAt, rotatedTo, endsAt };
  return { in: keys, patch: { value: kept as Key, version: key.version }, set: set as Partial<Key> };
}

/** Narrows a list of keys; empty for all. */
export interface KeyFilter {
  readonly tenantId?: string;
  readonly warehouseCode?: string;
}

/** A write needs another key of the tenant that manages keys (`isManager`). The write itself checks this, so concurrent writes cannot miss each other. */
export interface KeyGuard {
  readonly tenantId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Active keys that the guard reads at most: more than a tenant can create. */
const MAX_GUARDING = 1000;

const lastManager = (): AppError =>
  new AppError(
    '40902',
    `This is the last key with ${KEYS_SCOPE} that works for more than a day, and it would lock you out. ` +
      'Create or rotate a key with this scope first, and use that one for this call',
  );

/** Keeps the hashes of keys. A revocation and the news of it are one write. */
export class KeyStore implements KeyLookup {
  readonly #store: Store;

  /** @param store with {@link keys} and those of tenants */
  constructor(store: Store) {
    this.#store = store;
  }

  async add(key: KeyRecord): Promise<void> {
    await this.#write({ in: keys, insert: documentOf(key) });
  }

  /**
   * Writes a key unless its tenant has as many as it may that work: links are counted by themselves, and so are keys.
   * @param limit of keys, or of links, of the tenant that are neither revoked nor expired
   * @returns false when the tenant has so many; nothing is kept then
   */
  async addWithin(key: KeyRecord, limit: number, now: number): Promise<boolean> {
    const { holder } = key;
    if (holder.kind === 'warehouse') {
      await this.add(key);
      return true;
    }
    const { tenantId } = holder;
    const insert = documentOf(key);
    return untilWrittenInTurn(this.#store, tenantId, async () => {
      const isFull = async () => (await this.alive(tenantId, now, limit, insert.kind)).length >= limit;
      const written = await this.#writeUnless(tenantId, { in: keys, insert }, isFull);
      return written === 'lost' ? undefined : written === 'written';
    });
  }

  async findByHash(hash: string): Promise<KnownKey | undefined> {
    const [stored] = (await this.#store.find(keys.by.hash, { eq: [hash], limit: 1 })).items;
    if (stored === undefined) return undefined;
    const { tenantId } = stored.value;
    const tenant = tenantId === undefined ? undefined : await tenantWith(this.#store, tenantId);
    return { record: recordOf(stored), tenantStatus: tenant?.status ?? null };
  }

  async find(keyId: string): Promise<KeyRecord | undefined> {
    const stored = await this.#store.get(keys, [keyId]);
    return stored && recordOf(stored);
  }

  /** A page, newest first. @param after `next` of the page before */
  async list({ tenantId, warehouseCode }: KeyFilter, limit: number, after?: string): Promise<Page<KeyRecord>> {
    // A key has one holder.
    if (tenantId !== undefined && warehouseCode !== undefined) return { records: [], next: null };
    const { by } = keys;
    const index = tenantId !== undefined ? by.tenant : warehouseCode !== undefined ? by.warehouse : by.age;
    const { items, next } = await this.#store.find(index, { eq: [tenantId ?? warehouseCode ?? []].flat(), limit, after });
    return { records: items.map(recordOf), next };
  }

  /** Active keys of a tenant, or its console links. Those that expire first come first, at most `limit`. */
  async alive(tenantId: string, now: number, limit: number, kind: Key['kind'] = 'key'): Promise<KeyRecord[]> {
    const { items } = await this.#store.find(keys.by.working, { eq: [tenantId, kind], from: now + 1, limit });
    // One that another process has revoked by a clock that is ahead does not work.
    return items.map(recordOf).filter(({ revokedAt }) => revokedAt === null);
  }

  /** When keys of a tenant were created, without those of links, those that are dead too: after `since`, the newest first; at most `limit`. Epoch milliseconds. */
  async createdAfter(tenantId: string, since: number, limit: number): Promise<number[]> {
    const { items } = await this.#store.find(keys.by.created, { eq: [tenantId, 'key'], from: since + 1, limit });
    return items.map(({ value }) => value.createdAt);
  }

  /**
   * Writes a changed key.
   * @returns false when the stored version is not the one before, or the key is revoked; nothing changes then
   * @throws AppError 40902 of the guard
   */
  async change(key: KeyRecord, guard?: KeyGuard): Promise<boolean> {
    return (await this.#writeGuarded(key.keyId, changeOf(key), guard)) === 'written';
  }

  /**
   * Writes a new key and, with it, that and how long it replaces another, in one durable write.
   * @param former the key that is replaced, changed
   * @returns false as {@link change}; nothing is kept then
   */
  async rotate(former: KeyRecord, key: KeyRecord): Promise<boolean> {
    return (await this.#write(changeOf(former), { in: keys, insert: documentOf(key) })) === 'written';
  }

  /**
   * Revokes a key and records `message` to be published, in one durable write. A key that is revoked already stays as it is, and nothing is recorded.
   * @returns the key afterwards; undefined when there is none
   * @throws AppError 40902 of the guard
   */
  async revoke(keyId: string, at: number, message: EncodedMessage, guard?: KeyGuard): Promise<KeyRecord | undefined> {
    const { record } = await untilWrittenInTurn(this.#store, guard?.tenantId ?? keyId, async () => {
      const stored = await this.#store.get(keys, [keyId]);
      const known = stored && recordOf(stored);
      if (stored === undefined || known === undefined || known.revokedAt !== null) return { record: known };
      const set = { revokedAt: at, endsAt: endOf(at, known.expiresAt) };
      const written = await this.#writeGuarded(keyId, { in: keys, patch: stored, set, messages: [message] }, guard);
      return written === 'lost' ? undefined : { record: { ...known, revokedAt: at, version: known.version + 1 } };
    });
    return record;
  }

  async #writeGuarded(keyId: string, write: Write<Key>, guard: KeyGuard | undefined): Promise<'written' | 'lost'> {
    if (guard === undefined) return this.#write(write);
    const { tenantId, now } = guard;
    const isAlone = async () => !(await this.alive(tenantId, now, MAX_GUARDING)).some((key) => key.keyId !== keyId && isManager(key, now));
    const written = await this.#writeUnless(tenantId, write, isAlone);
    if (written === 'forbidden') throw lastManager();
    return written;
  }

  /**
   * Writes a key unless those of its tenant that work forbid it. The write rests on the document of the tenant, which is read before them: so of several at the
   * same time all but one are lost, and none misses another.
   */
  async #writeUnless(tenantId: string, write: Write<Key>, isForbidden: () => Promise<boolean>) {
    const tenant = await this.#store.get(tenants, [tenantId]);
    if (tenant === undefined) throw new AppError('40403', 'The tenant does not exist');
    return (await isForbidden()) ? 'forbidden' : this.#write(write, { in: tenants, touch: tenant });
  }

  /** Writes all or none. @throws Error when a key has the id or the hash of a new one */
  async #write(write: Write<Key>, ...others: readonly Write[]): Promise<'written' | 'lost'> {
    const outcomes = await this.#store.apply([write as Write, ...others], { together: others.length > 0 });
    if (outcomes.some(({ kind }) => kind === 'taken')) throw new Error('There is such a key already');
    return outcomes.every(({ kind }) => kind === 'written') ? 'written' : 'lost';
  }
}
