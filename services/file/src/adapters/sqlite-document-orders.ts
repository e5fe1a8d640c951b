import { randomUUID } from 'node:crypto';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { DocumentOrder } from '../domain/forecast-documents.ts';
import type { DocumentOrders, LeasedOrder, Postponement } from '../ports.ts';

interface OrderRow {
  readonly forecast_no: string;
  readonly content: string;
  readonly ordered_at: number;
  readonly defects: number;
}

/** Orders of documents in the file service's SQLite file. */
export class SqliteDocumentOrders implements DocumentOrders {
  readonly #db: SqliteDatabase;

  /** @param db migrated with fileMigrations */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async put(order: DocumentOrder, now: number): Promise<void> {
    await this.#put(order, now, now, null);
  }

  async putLeased(order: DocumentOrder, now: number, until: number, lease: string): Promise<LeasedOrder | undefined> {
    return (await this.#put(order, now, until, lease)) ? { order, lease, orderedAt: now, defects: 0 } : undefined;
  }

  async nextTenant(after: string, now: number): Promise<string | undefined> {
    const sql = 'SELECT tenant_id FROM document_orders WHERE tenant_id > ? AND due_at <= ? ORDER BY tenant_id LIMIT 1';
    return this.#db.get<{ tenant_id: string }>(sql, after, now)?.tenant_id;
  }

  lease(tenantId: string, now: number, until: number): Promise<LeasedOrder | undefined> {
    const lease = randomUUID();
    return this.#db.transaction(() => {
      const sql = `SELECT forecast_no, content, ordered_at, defects FROM document_orders WHERE tenant_id = ? AND due_at <= ? ORDER BY due_at LIMIT 1`;
      const row = this.#db.get<OrderRow>(sql, tenantId, now);
      if (row === undefined) return undefined;
      const update = 'UPDATE document_orders SET due_at = ?, lease = ? WHERE tenant_id = ? AND forecast_no = ?';
      this.#db.run(update, until, lease, tenantId, row.forecast_no);
      return { order: JSON.parse(row.content) as DocumentOrder, lease, orderedAt: row.ordered_at, defects: row.defects };
    });
  }

  async postpone({ order: { tenantId, forecastNo }, lease }: LeasedOrder, { dueAt, defects }: Postponement): Promise<void> {
    const sql = 'UPDATE document_orders SET due_at = ?, defects = ? WHERE tenant_id = ? AND forecast_no = ? AND lease = ?';
    await this.#db.transaction(() => this.#db.run(sql, dueAt, defects, tenantId, forecastNo, lease));
  }

  async finish({ order: { tenantId, forecastNo }, lease }: LeasedOrder): Promise<void> {
    const sql = 'DELETE FROM document_orders WHERE tenant_id = ? AND forecast_no = ? AND lease = ?';
    await this.#db.transaction(() => this.#db.run(sql, tenantId, forecastNo, lease));
  }

  /** @returns false when this version, under another lease, or a newer one is there */
  async #put(order: DocumentOrder, now: number, dueAt: number, lease: string | null): Promise<boolean> {
    const { tenantId, forecastNo, version } = order;
    // The last lines are the version check of the rule in domain/forecast-documents.ts.
    const sql = `INSERT INTO document_orders (tenant_id, forecast_no, version, content, ordered_at, due_at, lease) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (tenant_id, forecast_no) DO UPDATE SET version = excluded.version, content = excluded.content, ordered_at = excluded.ordered_at,
         due_at = excluded.due_at, defects = 0, lease = excluded.lease
       WHERE excluded.version > document_orders.version
         OR (excluded.version = document_orders.version AND excluded.lease = document_orders.lease)`;
    const content = JSON.stringify(order);
    const { changes } = await this.#db.transaction(() => this.#db.run(sql, tenantId, forecastNo, version, content, now, dueAt, lease), {
      repeatable: true,
    });
    return changes === 1;
  }

  async count(): Promise<number> {
    return this.#db.get<{ count: number }>('SELECT count(*) AS count FROM document_orders')?.count ?? 0;
  }
}
