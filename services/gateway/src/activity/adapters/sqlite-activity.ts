import type { AuditOutcome } from '@parcelway/contracts/audited-routes';
import type { SessionKind } from '@parcelway/contracts/key-api';
import type { ListPosition } from '@parcelway/kernel/list-position';
import type { SqliteDatabase, SqlValue } from '@parcelway/sqlite/database';
import type { AuditRecord } from '../domain/audit-entry.ts';
import type { FailedCallRecord } from '../domain/failed-call.ts';
import type { AuditStore, FailedCallStore, TimeRange } from '../ports.ts';

/** Tables of both logs; one entry of the gateway's migrations. */
export const activitySchema = `CREATE TABLE audit_entries (
    entry_id TEXT PRIMARY KEY,
    tenant_id TEXT,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    actor_type TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    address TEXT,
    resource_type TEXT NOT NULL,
    resource_id TEXT,
    outcome TEXT NOT NULL,
    request_id TEXT NOT NULL,
    -- What acted for the key; NULL when the key itself was sent, and for an operator.
    session TEXT
  ) STRICT;
  CREATE INDEX audit_entries_by_tenant ON audit_entries (tenant_id, at, entry_id);
  CREATE INDEX audit_entries_by_age ON audit_entries (at, entry_id);
  CREATE TABLE failed_calls (
    call_id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    method TEXT NOT NULL,
    route TEXT,
    path TEXT NOT NULL,
    status INTEGER NOT NULL,
    code TEXT,
    message TEXT,
    data TEXT,
    key_id TEXT NOT NULL,
    duration_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX failed_calls_by_tenant ON failed_calls (tenant_id, at, call_id);
  CREATE INDEX failed_calls_by_request ON failed_calls (tenant_id, request_id, at, call_id);
  CREATE INDEX failed_calls_by_age ON failed_calls (at)`;

interface AuditRow {
  readonly entry_id: string;
  readonly tenant_id: string | null;
  readonly at: number;
  readonly action: string;
  readonly actor_type: 'key' | 'operator';
  readonly actor_id: string;
  readonly address: string | null;
  readonly resource_type: string;
  readonly resource_id: string | null;
  readonly outcome: AuditOutcome;
  readonly request_id: string;
  readonly session: SessionKind | null;
}

/** Later than any instant. */
const END = Number.MAX_SAFE_INTEGER;

/** The records behind a position and within a range: the last place that counts, and the first instant. */
function boundsOf({ from, to }: TimeRange, after: ListPosition | undefined): readonly [SqlValue, SqlValue, SqlValue] {
  const end = to ?? END;
  // Of the instant `to` itself there are none: no id is less than the empty text.
  return after === undefined || after.createdAt >= end ? [from ?? 0, end, ''] : [from ?? 0, after.createdAt, after.id];
}

/** The audit log in SQLite. */
export class SqliteAudit implements AuditStore {
  readonly #db: SqliteDatabase;

  /** @param db database whose migrations include {@link activitySchema} */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async add({ entryId, tenantId, at, action, actor, resourceType, resourceId, outcome, requestId }: AuditRecord): Promise<void> {
    await this.#db.transaction(() =>
      this.#db.run(
        'INSERT INTO audit_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        entryId,
        tenantId,
        at,
        action,
        actor.type,
        actor.id,
        actor.address,
        resourceType,
        resourceId,
        outcome,
        requestId,
        actor.session ?? null,
      ),
    );
  }

  async finish({ entryId, outcome, resourceId }: AuditRecord): Promise<void> {
    await this.#db.transaction(() =>
      this.#db.run('UPDATE audit_entries SET outcome = ?, resource_id = ? WHERE entry_id = ?', outcome, resourceId, entryId),
    );
  }

  async remove({ entryId }: AuditRecord): Promise<void> {
    await this.#db.transaction(() => this.#db.run('DELETE FROM audit_entries WHERE entry_id = ?', entryId));
  }

  async list(tenantId: string | undefined, range: TimeRange, limit: number, after: ListPosition | undefined): Promise<AuditRecord[]> {
    const bounds = boundsOf(range, after);
    const end = 'at >= ? AND (at, entry_id) < (?, ?) ORDER BY at DESC, entry_id DESC LIMIT ?';
    const rows =
      tenantId === undefined
        ? this.#db.all<AuditRow>(`SELECT * FROM audit_entries INDEXED BY audit_entries_by_age WHERE ${end}`, ...bounds, limit)
        : this.#db.all<AuditRow>(
            `SELECT * FROM audit_entries INDEXED BY audit_entries_by_tenant WHERE tenant_id = ? AND ${end}`,
            tenantId,
            ...bounds,
            limit,
          );
    return rows.map((row) => ({
      entryId: row.entry_id,
      tenantId: row.tenant_id,
      at: row.at,
      action: row.action,
      actor: { type: row.actor_type, id: row.actor_id, address: row.address, ...(row.session !== null && { session: row.session }) },
      resourceType: row.resource_type,
      resourceId: row.resource_id,
      outcome: row.outcome,
      requestId: row.request_id,
    }));
  }

  deleteBefore(at: number, limit: number): Promise<number> {
    return this.#db.transaction(
      () =>
        this.#db.run(
          `DELETE FROM audit_entries WHERE rowid IN
            (SELECT rowid FROM audit_entries INDEXED BY audit_entries_by_age WHERE at < ? ORDER BY at LIMIT ?)`,
          at,
          limit,
        ).changes,
    );
  }
}

const CALL_COLUMNS = `call_id AS callId, tenant_id AS tenantId, at, request_id AS requestId, method, route, path, status, code, message, data,
  key_id AS keyId, duration_ms AS durationMs`;

/** Failed calls in SQLite. */
export class SqliteFailedCalls implements FailedCallStore {
  readonly #db: SqliteDatabase;

  /** @param db database whose migrations include {@link activitySchema} */
  constructor(db: SqliteDatabase) {
    this.#db = db;
  }

  async add(calls: readonly FailedCallRecord[]): Promise<void> {
    await this.#db.transaction(() => {
      for (const call of calls) {
        this.#db.run(
          'INSERT INTO failed_calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (call_id) DO NOTHING',
          call.callId,
          call.tenantId,
          call.at,
          call.requestId,
          call.method,
          call.route,
          call.path,
          call.status,
          call.code,
          call.message,
          call.data,
          call.keyId,
          call.durationMs,
        );
      }
    });
  }

  async list(tenantId: string, range: TimeRange, limit: number, after: ListPosition | undefined): Promise<FailedCallRecord[]> {
    return this.#db.all<FailedCallRecord>(
      `SELECT ${CALL_COLUMNS} FROM failed_calls INDEXED BY failed_calls_by_tenant WHERE tenant_id = ? AND at >= ? AND (at, call_id) < (?, ?)
        ORDER BY at DESC, call_id DESC LIMIT ?`,
      tenantId,
      ...boundsOf(range, after),
      limit,
    );
  }

  async withRequestId(
    requestId: string,
    tenantId: string,
    range: TimeRange,
    limit: number,
    after: ListPosition | undefined,
  ): Promise<FailedCallRecord[]> {
    return this.#db.all<FailedCallRecord>(
      `SELECT ${CALL_COLUMNS} FROM failed_calls INDEXED BY failed_calls_by_request
        WHERE tenant_id = ? AND request_id = ? AND at >= ? AND (at, call_id) < (?, ?) ORDER BY at DESC, call_id DESC LIMIT ?`,
      tenantId,
      requestId,
      ...boundsOf(range, after),
      limit,
    );
  }

  deleteBefore(at: number, limit: number): Promise<number> {
    return this.#db.transaction(
      () =>
        this.#db.run(
          `DELETE FROM failed_calls WHERE rowid IN
            (SELECT rowid FROM failed_calls INDEXED BY failed_calls_by_age WHERE at < ? ORDER BY at LIMIT ?)`,
          at,
          limit,
        ).changes,
    );
  }
}
