import { type DayRange, daysIn } from '@parcelway/kernel/day-range';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { UsageBatch, UsageOfDay, UsageStore } from '@parcelway/kernel/usage-counter';
import type { SqliteDatabase } from './database.ts';
import { sqliteKind, TENANT_BATCH } from './tenant-data.ts';

interface Row {
  readonly tenant_id: string;
  readonly day: string;
  readonly what: string;
  readonly amount: number;
}

/** A table of amounts: what tenants use, or another count of their days. */
export type UsageTable = 'usage_days' | 'delivery_days';

/** What tenants use in a day, in a service's own file. */
export class SqliteUsage implements UsageStore {
  readonly #db: SqliteDatabase;
  readonly #table: UsageTable;

  /** @param db database whose migrations include {@link SqliteUsage.schema} of the table */
  constructor(db: SqliteDatabase, table: UsageTable = 'usage_days') {
    this.#db = db;
    this.#table = table;
  }

  /** Table of the amounts; one entry of the owner's migration list. */
  static schema(table: UsageTable = 'usage_days'): string {
    return `CREATE TABLE ${table} (
    tenant_id TEXT NOT NULL,
    day TEXT NOT NULL,
    what TEXT NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, day, what)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX ${table}_by_day ON ${table} (day)`;
  }

  /** One transaction: a batch that has failed has left nothing. */
  async add({ records }: UsageBatch): Promise<void> {
    await this.#db.transaction(() => {
      for (const { tenantId, day, amounts } of records) {
        for (const [what, amount] of Object.entries(amounts)) {
          this.#db.run(
            `INSERT INTO ${this.#table} (tenant_id, day, what, amount) VALUES (?, ?, ?, ?)
              ON CONFLICT (tenant_id, day, what) DO UPDATE SET amount = amount + excluded.amount`,
            tenantId,
            day,
            what,
            amount,
          );
        }
      }
    });
  }

  async set({ tenantId, day, amounts }: UsageOfDay): Promise<void> {
    await this.#db.transaction(() => {
      for (const [what, amount] of Object.entries(amounts)) {
        this.#db.run(
          `INSERT INTO ${this.#table} (tenant_id, day, what, amount) VALUES (?, ?, ?, ?)
            ON CONFLICT (tenant_id, day, what) DO UPDATE SET amount = excluded.amount`,
          tenantId,
          day,
          what,
          amount,
        );
      }
    });
  }

  async days(tenantId: string, from: string, to: string, prefix?: string): Promise<readonly UsageOfDay[]> {
    if (prefix !== undefined) return this.#daysWith(tenantId, { from, to }, prefix);
    const rows = this.#db.all<Row>(
      `SELECT tenant_id, day, what, amount FROM ${this.#table} WHERE tenant_id = ? AND day BETWEEN ? AND ? ORDER BY day, what`,
      tenantId,
      from,
      to,
    );
    const days = new Map<string, Record<string, number>>();
    for (const { day, what, amount } of rows) {
      const amounts = days.get(day) ?? {};
      amounts[what] = amount;
      days.set(day, amounts);
    }
    return [...days].map(([day, amounts]) => ({ tenantId, day, amounts }));
  }

  /** Of each day what begins so, and nothing else: others may have many names. */
  #daysWith(tenantId: string, range: DayRange, prefix: string): readonly UsageOfDay[] {
    return daysIn(range).flatMap((day) => {
      const rows = this.#db.all<Row>(
        `SELECT tenant_id, day, what, amount FROM ${this.#table} WHERE tenant_id = ? AND day = ? AND what >= ? AND what < ?`,
        tenantId,
        day,
        prefix,
        `${prefix}\u{10FFFF}`,
      );
      return rows.length === 0 ? [] : [{ tenantId, day, amounts: Object.fromEntries(rows.map(({ what, amount }) => [what, amount])) }];
    });
  }

  deleteBefore(day: string, limit: number): Promise<number> {
    return this.#db.transaction(
      () =>
        this.#db.run(
          `DELETE FROM ${this.#table} WHERE (tenant_id, day, what) IN
            (SELECT tenant_id, day, what FROM ${this.#table} INDEXED BY ${this.#table}_by_day WHERE day < ? ORDER BY day LIMIT ?)`,
          day,
          limit,
        ).changes,
    );
  }
}

/**
 * What was counted of a tenant in each day.
 * @param db database whose migrations include {@link SqliteUsage.schema} of the table
 * @param name of the kind
 */
export function usageKind(db: SqliteDatabase, name = 'usage', table: UsageTable = 'usage_days'): TenantDataKind {
  return sqliteKind(db, {
    name,
    list(tenantId, after) {
      const [day, what] = after === null ? ['', ''] : (JSON.parse(after) as [string, string]);
      return db
        .all<Row>(
          `SELECT day, what, amount FROM ${table} WHERE tenant_id = ? AND (day, what) > (?, ?) ORDER BY day, what LIMIT ?`,
          tenantId,
          day,
          what,
          TENANT_BATCH,
        )
        .map((row) => ({ cursor: JSON.stringify([row.day, row.what]), record: { ...row } }));
    },
    erase: (tenantId) =>
      db.run(
        `DELETE FROM ${table} WHERE tenant_id = ? AND (day, what) IN (SELECT day, what FROM ${table} WHERE tenant_id = ? LIMIT ?)`,
        tenantId,
        tenantId,
        TENANT_BATCH,
      ).changes,
  });
}
