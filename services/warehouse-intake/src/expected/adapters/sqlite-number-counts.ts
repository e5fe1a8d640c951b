import type { Clock } from '@parcelway/kernel/clock';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { type CountChange, type DeclaredNumbers, dayOf, firstSeenDay, isSuspect, MAX_UNSUSPECTED } from '../domain/declared-numbers.ts';
import type { NumberCounts } from '../ports.ts';

/** One entry of the migrations of the service. */
export const numberCountsSchema = `CREATE TABLE declared_numbers (
    tenant_id TEXT PRIMARY KEY,
    unseen INTEGER NOT NULL DEFAULT 0,
    -- Set by the operator; NULL for none.
    most INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX declared_numbers_unseen ON declared_numbers (unseen);
  CREATE INDEX declared_numbers_limited ON declared_numbers (tenant_id) WHERE most IS NOT NULL;
  -- Parcels of a tenant that warehouses saw on a day, YYYYMMDD.
  CREATE TABLE seen_parcels (
    tenant_id TEXT NOT NULL,
    day INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, day)
  ) STRICT, WITHOUT ROWID`;

interface Row {
  readonly tenant_id: string;
  readonly unseen: number;
  readonly most: number | null;
}

const COUNTS = 'SELECT tenant_id, unseen, most FROM declared_numbers';

/** Counts in SQLite, changed in the transaction that changes the directory. */
export class SqliteNumberCounts implements NumberCounts {
  readonly #db: SqliteDatabase;
  readonly #clock: Clock;

  /** @param db migrated with intakeMigrations */
  constructor(db: SqliteDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Only in a transaction. */
  add(change: CountChange | undefined): void {
    if (change === undefined) return;
    const { tenantId, unseen, seen } = change;
    const now = this.#clock.now();
    this.#db.run(
      'INSERT INTO declared_numbers (tenant_id, unseen) VALUES (?, ?) ON CONFLICT (tenant_id) DO UPDATE SET unseen = unseen + excluded.unseen',
      tenantId,
      unseen,
    );
    if (seen === 0) return;
    const sql = 'INSERT INTO seen_parcels (tenant_id, day, seen) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET seen = seen + excluded.seen';
    this.#db.run(sql, tenantId, dayOf(now), seen);
    this.#db.run('DELETE FROM seen_parcels WHERE tenant_id = ? AND day < ?', tenantId, firstSeenDay(now));
  }

  /** Those of the tenants that are suspect. */
  suspects(tenantIds: Iterable<string>): ReadonlySet<string> {
    const suspects = new Set<string>();
    for (const tenantId of tenantIds) {
      const row = this.#db.get<Row>(`${COUNTS} WHERE tenant_id = ?`, tenantId);
      if (row !== undefined && row.unseen > MAX_UNSUSPECTED && isSuspect(this.#toCounts(row))) suspects.add(tenantId);
    }
    return suspects;
  }

  async suspectsAmong(tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
    return this.suspects(tenantIds);
  }

  async declaredNumbers(limit: number): Promise<readonly DeclaredNumbers[]> {
    const most = `${COUNTS} INDEXED BY declared_numbers_unseen WHERE unseen > 0 ORDER BY unseen DESC LIMIT ?`;
    return this.#db.all<Row>(most, limit).map((row) => this.#toCounts(row));
  }

  async limitedNumbers(limit: number): Promise<readonly DeclaredNumbers[]> {
    const limited = `${COUNTS} INDEXED BY declared_numbers_limited WHERE most IS NOT NULL LIMIT ?`;
    return this.#db.all<Row>(limited, limit).map((row) => this.#toCounts(row));
  }

  limitNumbers(tenantId: string, limit: number | null): Promise<DeclaredNumbers> {
    return this.#db.transaction(() => {
      const sql = 'INSERT INTO declared_numbers (tenant_id, most) VALUES (?, ?) ON CONFLICT (tenant_id) DO UPDATE SET most = excluded.most';
      this.#db.run(sql, tenantId, limit);
      return this.#toCounts(this.#db.get<Row>(`${COUNTS} WHERE tenant_id = ?`, tenantId) as Row);
    });
  }

  #toCounts({ tenant_id: tenantId, unseen, most: limit }: Row): DeclaredNumbers {
    const sql = 'SELECT seen FROM seen_parcels WHERE tenant_id = ? AND day >= ?';
    const days = this.#db.all<{ seen: number }>(sql, tenantId, firstSeenDay(this.#clock.now()));
    return { tenantId, unseen, limit, seen: days.reduce((sum, { seen }) => sum + seen, 0) };
  }
}
