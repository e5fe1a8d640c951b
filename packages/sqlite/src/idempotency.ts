import type { IdempotencyRecord, IdempotencyScope, IdempotencyStore, RecordedResponse } from '@parcelway/kernel/idempotency-store';
import type { SqliteDatabase } from './database.ts';

interface Row {
  readonly id: number;
  readonly fingerprint: string;
  readonly seed: string;
  readonly claim: string;
  readonly claimed_until: number;
  readonly created_at: number;
  readonly status: number | null;
  readonly body: string | null;
}

function responseOf({ status, body }: Row): RecordedResponse | null {
  return status === null || body === null ? null : { status, body };
}

/** The idempotency keys of a service, in the service's own file. */
export class SqliteIdempotencyStore implements IdempotencyStore {
  /** Table of the keys; one entry of the owner's migration list. */
  static readonly schema = `CREATE TABLE idempotency_keys (
    id INTEGER PRIMARY KEY,
    owner_id TEXT NOT NULL,
    route TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    seed TEXT NOT NULL,
    claim TEXT NOT NULL,
    claimed_until INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    status INTEGER,
    body TEXT,
    UNIQUE (owner_id, route, key)
  ) STRICT;
  CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at)`;

  readonly #db: SqliteDatabase;

  /** @param db database whose migrations include {@link SqliteIdempotencyStore.schema} */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  add(record: IdempotencyRecord): Promise<IdempotencyRecord | undefined> {
    return this.#db.transaction(() => {
      const { ownerId, route, key, fingerprint, seed, claim, claimedUntil, createdAt } = record;
      const { changes } = this.#db.run(
        `INSERT INTO idempotency_keys (owner_id, route, key, fingerprint, seed, claim, claimed_until, created_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
        ownerId,
        route,
        key,
        fingerprint,
        seed,
        claim,
        claimedUntil,
        createdAt,
      );
      const row = changes === 1 ? undefined : this.#find(record);
      if (row === undefined) return undefined;
      const known = { fingerprint: row.fingerprint, seed: row.seed, claim: row.claim };
      return { ownerId, route, key, ...known, claimedUntil: row.claimed_until, createdAt: row.created_at, response: responseOf(row) };
    });
  }

  replace(record: IdempotencyRecord, claim: string): Promise<boolean> {
    return this.#db.transaction(() => {
      const row = this.#find(record);
      if (row?.claim !== claim) return false;
      this.#db.run(
        `UPDATE idempotency_keys SET fingerprint = ?, seed = ?, claim = ?, claimed_until = ?, created_at = ?, status = NULL, body = NULL
          WHERE id = ?`,
        record.fingerprint,
        record.seed,
        record.claim,
        record.claimedUntil,
        record.createdAt,
        row.id,
      );
      return true;
    });
  }

  complete(scope: IdempotencyScope, seed: string, response: RecordedResponse): Promise<RecordedResponse | undefined> {
    return this.#db.transaction(() => {
      const row = this.#find(scope);
      if (row?.seed !== seed) return undefined;
      const recorded = responseOf(row);
      if (recorded !== null) return recorded;
      this.#db.run('UPDATE idempotency_keys SET status = ?, body = ? WHERE id = ?', response.status, response.body, row.id);
      return response;
    });
  }

  release(scope: IdempotencyScope, claim: string): Promise<void> {
    return this.#db.transaction(() => {
      const row = this.#find(scope);
      if (row?.claim !== claim || row.status !== null) return;
      this.#db.run('UPDATE idempotency_keys SET claimed_until = 0 WHERE id = ?', row.id);
    });
  }

  sweep(before: number, limit: number): Promise<number> {
    return this.#db.transaction(() => {
      const { changes } = this.#db.run(
        'DELETE FROM idempotency_keys WHERE id IN (SELECT id FROM idempotency_keys WHERE created_at < ? ORDER BY created_at LIMIT ?)',
        before,
        limit,
      );
      return changes;
    });
  }

  #find({ ownerId, route, key }: IdempotencyScope): Row | undefined {
    return this.#db.get<Row>(
      `SELECT id, fingerprint, seed, claim, claimed_until, created_at, status, body FROM idempotency_keys
        WHERE owner_id = ? AND route = ? AND key = ?`,
      ownerId,
      route,
      key,
    );
  }
}
