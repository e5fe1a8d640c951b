import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { Scope } from '@parcelway/contracts/scopes';
import type { ListPosition } from '@parcelway/kernel/list-position';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { type KeyFilter, type KeyGuard, type KeyStore, MAX_GUARDING } from '../keys/ports.ts';
import type { KeyHolder, KeyRecord, KnownKey } from '../proxy/domain/key.ts';

/** A record as stored. */
interface Row extends Omit<KeyRecord, 'holder' | 'scopes' | 'rateLimit' | 'allowedAddresses' | 'isLink'> {
  readonly tenantId: string | null;
  readonly warehouseCode: string | null;
  /** JSON, like the next two. */
  readonly scopes: string;
  readonly rateLimit: string | null;
  readonly allowedAddresses: string;
  /** 1 for the key of a link. */
  readonly isLink: number;
}

const COLUMNS = `key_id AS keyId, prefix, hash, tenant_id AS tenantId, warehouse_code AS warehouseCode, scopes, rate_limit AS rateLimit, description,
  created_at AS createdAt, expires_at AS expiresAt, revoked_at AS revokedAt, last_used_at AS lastUsedAt, allowed_addresses AS allowedAddresses,
  created_by AS createdBy, rotated_from AS rotatedFrom, rotated_to AS rotatedTo, version, is_link AS isLink`;

/** Where a list is read from: the newest come first in each of these indexes. */
const OF_ANYONE = 'INDEXED BY keys_newest WHERE true';
const OF_TENANT = 'INDEXED BY keys_by_tenant WHERE tenant_id = ?';
const OF_WAREHOUSE = 'INDEXED BY keys_by_warehouse WHERE warehouse_code = ?';
/** Keys of a tenant that work. Two lists: those that expire and those that never do are apart in the index. */
const UNREVOKED = 'INDEXED BY keys_working WHERE tenant_id = ? AND revoked_at IS NULL AND is_link = 0';
const UNREVOKED_LINKS = 'INDEXED BY keys_working_links WHERE tenant_id = ? AND revoked_at IS NULL AND is_link = 1';
/** What comes after a position in any of them. */
const BEHIND = 'AND (created_at, key_id) < (?, ?)';

function toRecord({ tenantId, warehouseCode, scopes, rateLimit, allowedAddresses, isLink, ...row }: Row): KeyRecord {
  const holder: KeyHolder = tenantId !== null ? { kind: 'tenant', tenantId } : { kind: 'warehouse', warehouseCode: String(warehouseCode) };
  return {
    ...row,
    holder,
    scopes: JSON.parse(scopes) as Scope[],
    rateLimit: rateLimit === null ? null : (JSON.parse(rateLimit) as KeyRecord['rateLimit']),
    allowedAddresses: JSON.parse(allowedAddresses) as string[],
    ...(isLink === 1 && { isLink: true }),
  };
}

/** Hashes of keys in SQLite. */
export class SqliteKeys implements KeyStore {
  /** One entry of the migrations of the service. Each list runs in the order of an index. */
  static readonly schema = `CREATE TABLE keys (
    key_id TEXT PRIMARY KEY,
    prefix TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    tenant_id TEXT REFERENCES tenants (id),
    warehouse_code TEXT REFERENCES warehouses (code),
    scopes TEXT NOT NULL,
    rate_limit TEXT,
    description TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER,
    allowed_addresses TEXT NOT NULL DEFAULT '[]',
    created_by TEXT,
    rotated_from TEXT,
    rotated_to TEXT,
    version INTEGER NOT NULL DEFAULT 0,
    is_link INTEGER NOT NULL DEFAULT 0,
    CHECK ((tenant_id IS NULL) <> (warehouse_code IS NULL))
  ) STRICT;
  CREATE INDEX keys_by_tenant ON keys (tenant_id, created_at, key_id);
  CREATE INDEX keys_by_warehouse ON keys (warehouse_code, created_at, key_id);
  CREATE INDEX keys_newest ON keys (created_at, key_id);
  CREATE INDEX keys_revoked ON keys (revoked_at) WHERE revoked_at IS NOT NULL;
  CREATE INDEX keys_expiring ON keys (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX keys_working ON keys (tenant_id, expires_at) WHERE revoked_at IS NULL AND is_link = 0;
  CREATE INDEX keys_working_links ON keys (tenant_id, expires_at) WHERE revoked_at IS NULL AND is_link = 1;
  CREATE INDEX keys_ending_links ON keys (expires_at) WHERE is_link = 1;
  CREATE INDEX keys_created ON keys (tenant_id, created_at) WHERE is_link = 0`;

  readonly #db: SqliteDatabase;
  readonly #outbox: SqliteOutbox;
  /** @param outbox over the same database: a revocation and the news of it are one write */
  constructor(db: SqliteDatabase, outbox: SqliteOutbox) {
    this.#db = db;
    this.#outbox = outbox;
  }

  async add(key: KeyRecord): Promise<void> {
    await this.#db.transaction(() => this.#insert(key));
  }

  addWithin(key: KeyRecord, limit: number, now: number): Promise<boolean> {
    return this.#db.transaction(() => {
      const { holder, isLink } = key;
      if (holder.kind === 'tenant') {
        const alive = isLink ? this.#aliveLinks(holder.tenantId, now, limit) : this.#alive(holder.tenantId, now, limit);
        if (alive.length >= limit) return false;
      }
      this.#insert(key);
      return true;
    });
  }

  #insert(key: KeyRecord): void {
    const { holder } = key;
    this.#db.run(
      `INSERT INTO keys (key_id, prefix, hash, tenant_id, warehouse_code, scopes, rate_limit, description, created_at, expires_at, revoked_at,
        last_used_at, allowed_addresses, created_by, rotated_from, rotated_to, version, is_link)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      key.keyId,
      key.prefix,
      key.hash,
      holder.kind === 'tenant' ? holder.tenantId : null,
      holder.kind === 'warehouse' ? holder.warehouseCode : null,
      JSON.stringify(key.scopes),
      key.rateLimit === null ? null : JSON.stringify(key.rateLimit),
      key.description,
      key.createdAt,
      key.expiresAt,
      key.revokedAt,
      key.lastUsedAt,
      JSON.stringify(key.allowedAddresses),
      key.createdBy,
      key.rotatedFrom,
      key.rotatedTo,
      key.version,
      key.isLink ? 1 : 0,
    );
  }

  async findByHash(hash: string): Promise<KnownKey | undefined> {
    const status = '(SELECT status FROM tenants WHERE id = keys.tenant_id) AS tenantStatus';
    const row = this.#db.get<Row & Pick<KnownKey, 'tenantStatus'>>(`SELECT ${COLUMNS}, ${status} FROM keys WHERE hash = ?`, hash);
    if (row === undefined) return undefined;
    const { tenantStatus, ...key } = row;
    return { record: toRecord(key), tenantStatus };
  }

  async find(keyId: string): Promise<KeyRecord | undefined> {
    const row = this.#db.get<Row>(`SELECT ${COLUMNS} FROM keys WHERE key_id = ?`, keyId);
    return row && toRecord(row);
  }

  async list({ tenantId, warehouseCode }: KeyFilter, limit: number, after?: ListPosition): Promise<KeyRecord[]> {
    // A key has one holder.
    if (tenantId !== undefined && warehouseCode !== undefined) return [];
    const holder = tenantId ?? warehouseCode;
    const from = tenantId !== undefined ? OF_TENANT : warehouseCode !== undefined ? OF_WAREHOUSE : OF_ANYONE;
    const behind = after === undefined ? '' : BEHIND;
    const sql = `SELECT ${COLUMNS} FROM keys ${from} ${behind} ORDER BY created_at DESC, key_id DESC LIMIT ?`;
    const values = [...(holder === undefined ? [] : [holder]), ...(after === undefined ? [] : [after.createdAt, after.id])];
    return this.#db.all<Row>(sql, ...values, limit).map(toRecord);
  }

  async alive(tenantId: string, now: number, limit: number): Promise<KeyRecord[]> {
    return this.#alive(tenantId, now, limit).map(toRecord);
  }

  #alive(tenantId: string, now: number, limit: number): Row[] {
    const unending = this.#db.all<Row>(`SELECT ${COLUMNS} FROM keys ${UNREVOKED} AND expires_at IS NULL LIMIT ?`, tenantId, limit);
    const left = limit - unending.length;
    if (left === 0) return unending;
    return [...unending, ...this.#db.all<Row>(`SELECT ${COLUMNS} FROM keys ${UNREVOKED} AND expires_at > ? LIMIT ?`, tenantId, now, left)];
  }

  async aliveLinks(tenantId: string, now: number, limit: number): Promise<KeyRecord[]> {
    return this.#aliveLinks(tenantId, now, limit).map(toRecord);
  }

  #aliveLinks(tenantId: string, now: number, limit: number): Row[] {
    const sql = `SELECT ${COLUMNS} FROM keys ${UNREVOKED_LINKS} AND expires_at > ? ORDER BY expires_at LIMIT ?`;
    return this.#db.all<Row>(sql, tenantId, now, limit);
  }

  async createdAfter(tenantId: string, since: number, limit: number): Promise<number[]> {
    const sql = `SELECT created_at AS createdAt FROM keys INDEXED BY keys_created WHERE tenant_id = ? AND is_link = 0 AND created_at > ?
      ORDER BY created_at DESC LIMIT ?`;
    return this.#db.all<Pick<Row, 'createdAt'>>(sql, tenantId, since, limit).map(({ createdAt }) => createdAt);
  }

  change(key: KeyRecord, guard?: KeyGuard): Promise<boolean> {
    return this.#db.transaction(() => this.#isMet(guard, key.keyId) && this.#change(key));
  }

  #isMet(guard: KeyGuard | undefined, keyId: string): boolean {
    if (guard === undefined) return true;
    return this.#alive(guard.tenantId, guard.now, MAX_GUARDING).some((row) => row.keyId !== keyId && guard.isMetBy(toRecord(row)));
  }

  rotate(former: KeyRecord, key: KeyRecord): Promise<boolean> {
    return this.#db.transaction(() => {
      if (!this.#change(former)) return false;
      this.#insert(key);
      return true;
    });
  }

  #change(key: KeyRecord): boolean {
    const { changes } = this.#db.run(
      `UPDATE keys SET scopes = ?, description = ?, expires_at = ?, allowed_addresses = ?, rotated_to = ?, version = ?
        WHERE key_id = ? AND version = ? AND revoked_at IS NULL`,
      JSON.stringify(key.scopes),
      key.description,
      key.expiresAt,
      JSON.stringify(key.allowedAddresses),
      key.rotatedTo,
      key.version,
      key.keyId,
      key.version - 1,
    );
    return changes === 1;
  }

  deleteDead(before: number, limit: number): Promise<number> {
    return this.#db.transaction(() => {
      const deleted = ['revoked_at', 'expires_at'].map((column) => {
        const index = column === 'revoked_at' ? 'keys_revoked' : 'keys_expiring';
        return this.#db.run(
          `DELETE FROM keys WHERE rowid IN (SELECT rowid FROM keys INDEXED BY ${index} WHERE ${column} < ? ORDER BY ${column} LIMIT ?)`,
          before,
          limit,
        ).changes;
      });
      return deleted.reduce((sum, changes) => sum + changes, 0);
    });
  }

  deleteDeadLinks(before: number, limit: number): Promise<number> {
    const due = 'SELECT rowid FROM keys INDEXED BY keys_ending_links WHERE is_link = 1 AND expires_at < ? ORDER BY expires_at LIMIT ?';
    return this.#db.transaction(() => this.#db.run(`DELETE FROM keys WHERE rowid IN (${due})`, before, limit).changes);
  }

  async revoke(keyId: string, at: number, message: EncodedMessage, guard?: KeyGuard): Promise<KeyRecord | undefined> {
    await this.#db.transaction(() => {
      if (!this.#isMet(guard, keyId)) return;
      const { changes } = this.#db.run('UPDATE keys SET revoked_at = ? WHERE key_id = ? AND revoked_at IS NULL', at, keyId);
      if (changes === 1) this.#outbox.append(message);
    });
    return this.find(keyId);
  }

  async recordUse(uses: ReadonlyMap<string, number>): Promise<void> {
    await this.#db.transaction(() => {
      for (const [keyId, at] of uses) {
        this.#db.run('UPDATE keys SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE key_id = ?', at, keyId);
      }
    });
  }
}
