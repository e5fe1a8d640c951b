import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ListPosition } from '@parcelway/kernel/list-position';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { withOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import { type Model, mongo } from 'mongoose';
import { type KeyFilter, type KeyGuard, type KeyStore, MAX_GUARDING } from '../keys/ports.ts';
import type { KeyHolder, KeyRecord, KnownKey } from '../proxy/domain/key.ts';
import { type KeyDocument, keys, type TenantDocument, tenants } from './mongo-schema.ts';

function holderOf({ tenant_id, warehouse_code }: KeyDocument): KeyHolder {
  return tenant_id === null ? { kind: 'warehouse', warehouseCode: warehouse_code as string } : { kind: 'tenant', tenantId: tenant_id };
}

function toRecord(document: KeyDocument): KeyRecord {
  return {
    keyId: document._id,
    prefix: document.prefix,
    hash: document.hash,
    holder: holderOf(document),
    scopes: document.scopes,
    rateLimit: document.rate_limit,
    description: document.description,
    createdAt: document.created_at,
    expiresAt: document.expires_at,
    revokedAt: document.revoked_at,
    lastUsedAt: document.last_used_at,
    allowedAddresses: document.allowed_addresses,
    createdBy: document.created_by,
    rotatedFrom: document.rotated_from,
    rotatedTo: document.rotated_to,
    version: document.version,
    ...(document.is_link === true && { isLink: true as const }),
  };
}

function toDocument(key: KeyRecord): KeyDocument {
  const { holder } = key;
  return {
    _id: key.keyId,
    prefix: key.prefix,
    hash: key.hash,
    tenant_id: holder.kind === 'tenant' ? holder.tenantId : null,
    warehouse_code: holder.kind === 'warehouse' ? holder.warehouseCode : null,
    scopes: key.scopes,
    rate_limit: key.rateLimit,
    description: key.description,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
    allowed_addresses: key.allowedAddresses,
    created_by: key.createdBy,
    rotated_from: key.rotatedFrom,
    rotated_to: key.rotatedTo,
    version: key.version,
    ...(key.isLink && { is_link: true as const }),
  };
}

/** Server code of a transaction that met another's write (error_codes.yml: WriteConflict). */
const WRITE_CONFLICT = 112;

/** Hashes of keys in MongoDB. A revocation and the news of it are one update of the key's document. */
export class MongoKeys implements KeyStore {
  readonly #database: MongoDatabase;
  readonly #keys: Model<KeyDocument>;
  readonly #tenants: Model<TenantDocument>;

  /** @param database migrated with gatewayCollections */
  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#keys = database.model(keys);
    this.#tenants = database.model(tenants);
  }

  async add(key: KeyRecord): Promise<void> {
    await this.#database.run(() => this.#keys.create(toDocument(key)));
  }

  /** Writes, then counts: of several that write at the same time, none stays beyond the limit. Perhaps fewer stay than could. */
  async addWithin(key: KeyRecord, limit: number, now: number): Promise<boolean> {
    const { holder, isLink } = key;
    const isFull = async (most: number): Promise<boolean> => {
      if (holder.kind !== 'tenant') return false;
      const alive = isLink ? this.aliveLinks(holder.tenantId, now, most + 1) : this.alive(holder.tenantId, now, most + 1);
      return (await alive).length > most;
    };
    if (await isFull(limit - 1)) return false;
    await this.add(key);
    if (!(await isFull(limit))) return true;
    await this.#remove(key.keyId);
    return false;
  }

  async #remove(keyId: string): Promise<void> {
    await this.#database.run(() => this.#keys.deleteOne({ _id: { $eq: keyId } }));
  }

  async findByHash(hash: string): Promise<KnownKey | undefined> {
    return this.#database.run(async () => {
      const document = await this.#keys.findOne({ hash: { $eq: hash } }).lean<KeyDocument>();
      if (document === null) return undefined;
      const record = toRecord(document);
      if (record.holder.kind === 'warehouse') return { record, tenantStatus: null };
      const tenant = await this.#tenants.findOne({ _id: { $eq: record.holder.tenantId } }, { status: 1 }).lean<TenantDocument>();
      return { record, tenantStatus: tenant?.status ?? null };
    });
  }

  async find(keyId: string): Promise<KeyRecord | undefined> {
    const document = await this.#database.run(() => this.#keys.findOne({ _id: { $eq: keyId } }).lean<KeyDocument>());
    return document === null ? undefined : toRecord(document);
  }

  async list({ tenantId, warehouseCode }: KeyFilter, limit: number, after?: ListPosition): Promise<KeyRecord[]> {
    // A key has one holder.
    if (tenantId !== undefined && warehouseCode !== undefined) return [];
    // The first condition has the index begin at the instant of the position, whatever plan the server takes.
    const behind = after && {
      created_at: { $lte: after.createdAt },
      $or: [{ created_at: { $lt: after.createdAt } }, { created_at: { $eq: after.createdAt }, _id: { $lt: after.id } }],
    };
    const filter = {
      ...(tenantId !== undefined && { tenant_id: { $eq: tenantId } }),
      ...(warehouseCode !== undefined && { warehouse_code: { $eq: warehouseCode } }),
      ...behind,
    };
    const index = tenantId !== undefined ? 'by_tenant' : warehouseCode !== undefined ? 'by_warehouse' : 'by_age';
    const documents = await this.#database.run(() =>
      this.#keys.find(filter).sort({ created_at: -1, _id: -1 }).limit(limit).hint(index).lean<KeyDocument[]>(),
    );
    return documents.map(toRecord);
  }

  alive(tenantId: string, now: number, limit: number): Promise<KeyRecord[]> {
    return this.#database.run(() => this.#alive(tenantId, now, limit));
  }

  /** One query after the other: a transaction runs no two at the same time. */
  async #alive(tenantId: string, now: number, limit: number, session: mongo.ClientSession | null = null): Promise<KeyRecord[]> {
    const found: KeyRecord[] = [];
    for (const expires_at of [{ $eq: null }, { $gt: now }]) {
      if (found.length === limit) break;
      const documents = await this.#keys
        .find({ tenant_id: { $eq: tenantId }, is_link: { $eq: null }, revoked_at: { $eq: null }, expires_at })
        .limit(limit - found.length)
        .hint('working')
        .session(session)
        .lean<KeyDocument[]>();
      found.push(...documents.map(toRecord));
    }
    return found;
  }

  async aliveLinks(tenantId: string, now: number, limit: number): Promise<KeyRecord[]> {
    const alive = { tenant_id: { $eq: tenantId }, is_link: { $eq: true as const }, revoked_at: { $eq: null }, expires_at: { $gt: now } };
    const found = await this.#database.run(() =>
      this.#keys.find(alive).sort({ expires_at: 1 }).limit(limit).hint('working').lean<KeyDocument[]>(),
    );
    return found.map(toRecord);
  }

  async createdAfter(tenantId: string, since: number, limit: number): Promise<number[]> {
    const found = await this.#database.run(() =>
      this.#keys
        .find({ tenant_id: { $eq: tenantId }, is_link: { $eq: null }, created_at: { $gt: since } }, { _id: 0, created_at: 1 })
        .sort({ created_at: -1 })
        .limit(limit)
        .hint('created')
        .lean<Pick<KeyDocument, 'created_at'>[]>(),
    );
    return found.map(({ created_at }) => created_at);
  }

  change(key: KeyRecord, guard?: KeyGuard): Promise<boolean> {
    return this.#guarded(key.keyId, guard, (session) => this.#change(key, session));
  }

  async #change(key: KeyRecord, session?: mongo.ClientSession): Promise<boolean> {
    const set = {
      scopes: key.scopes,
      description: key.description,
      expires_at: key.expiresAt,
      allowed_addresses: key.allowedAddresses,
      rotated_to: key.rotatedTo,
      version: key.version,
    };
    const before = { _id: { $eq: key.keyId }, version: { $eq: key.version - 1 }, revoked_at: { $eq: null } };
    const { matchedCount } = await this.#keys.collection.updateOne(before as object, { $set: set }, session && { session });
    return matchedCount === 1;
  }

  #guarded(keyId: string, guard: KeyGuard | undefined, write: (session?: mongo.ClientSession) => Promise<boolean>): Promise<boolean> {
    if (guard === undefined) return this.#database.run(() => write());
    const { tenantId, now, isMetBy } = guard;
    return this.#inTransaction(tenantId, async (session) => {
      const others = await this.#alive(tenantId, now, MAX_GUARDING, session);
      return others.some((key) => key.keyId !== keyId && isMetBy(key)) && write(session);
    });
  }

  /**
   * Runs writes of a tenant's keys as a transaction that changes the document of the tenant, too. So two of them conflict: neither reads as working the
   * key that the other one ends, or has not replaced yet.
   * @param tenantId null for the keys of a warehouse, which nobody guards
   * @param write returns false to keep nothing
   * @returns false as well when it met another's write; nothing is kept then
   */
  #inTransaction(tenantId: string | null, write: (session: mongo.ClientSession) => Promise<boolean>): Promise<boolean> {
    return this.#database.run(async () => {
      const session = await this.#database.connection.startSession();
      try {
        session.startTransaction();
        if (tenantId !== null)
          await this.#tenants.collection.updateOne({ _id: tenantId } as object, { $inc: { guarded_writes: 1 } } as object, { session });
        const isWritten = await write(session);
        if (isWritten) await session.commitTransaction();
        else await session.abortTransaction();
        return isWritten;
      } catch (error) {
        if (error instanceof mongo.MongoServerError && error.code === WRITE_CONFLICT) return false;
        throw error;
      } finally {
        await session.endSession();
      }
    });
  }

  /** One transaction, also for the guards of others: a successor that may yet be taken back would count as a key that works. */
  rotate(former: KeyRecord, key: KeyRecord): Promise<boolean> {
    const successor = toDocument(key);
    return this.#inTransaction(successor.tenant_id, async (session) => {
      if (!(await this.#change(former, session))) return false;
      await this.#keys.create([successor], { session });
      return true;
    });
  }

  deleteDead(before: number, limit: number): Promise<number> {
    const { collection } = this.#keys;
    return this.#database.run(async () => {
      let deleted = 0;
      for (const [field, index] of [
        ['revoked_at', 'revoked'],
        ['expires_at', 'expiring'],
      ] as const) {
        const old = { [field]: { $type: 'number', $lt: before } };
        const found = await collection
          .find(old, { projection: { _id: 1 } })
          .sort({ [field]: 1 })
          .limit(limit)
          .hint(index)
          .toArray();
        if (found.length > 0) deleted += (await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } })).deletedCount;
      }
      return deleted;
    });
  }

  deleteDeadLinks(before: number, limit: number): Promise<number> {
    const { collection } = this.#keys;
    return this.#database.run(async () => {
      // What waits to be published, such as a revocation, lies in its document: it goes first.
      const due = collection.find({ is_link: true, expires_at: { $lt: before }, outbox: { $exists: false } }, { projection: { _id: 1 } });
      const found = await due.sort({ expires_at: 1 }).limit(limit).hint('ending_links').toArray();
      if (found.length === 0) return 0;
      return (await collection.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } })).deletedCount;
    });
  }

  async revoke(keyId: string, at: number, message: EncodedMessage, guard?: KeyGuard): Promise<KeyRecord | undefined> {
    const update = withOutbox({ $set: { revoked_at: at } }, [message], at);
    await this.#guarded(keyId, guard, async (session) => {
      const working = { _id: keyId, revoked_at: null } as object;
      return (await this.#keys.collection.updateOne(working, update as object, session && { session })).matchedCount === 1;
    });
    return this.find(keyId);
  }

  async recordUse(uses: ReadonlyMap<string, number>): Promise<void> {
    if (uses.size === 0) return;
    const updates = [...uses].map(([keyId, at]) => ({
      updateOne: { filter: { _id: keyId } as object, update: { $max: { last_used_at: at } } },
    }));
    await this.#database.run(() => this.#keys.collection.bulkWrite(updates, { ordered: false }));
  }
}
