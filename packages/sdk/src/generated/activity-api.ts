// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

/** Audit actor */
export interface AuditActor {
  /** key: a key of the tenant; operator: the operator of the platform */
  readonly type: 'key' | 'operator';
  /** `key_id` of the key; null for an operator */
  readonly id: string | null;
  /** IP address of the client; null for an operator */
  readonly address: string | null;
  /** What acted for the key. session: a session of the console; link: a link to the console. Absent: the key itself, or an operator */
  readonly session?: 'session' | 'link';
}

/** Audit entry */
export interface AuditEntry {
  readonly entry_id: string;
  /** When the request came */
  readonly time: string;
  /** What was done */
  readonly action: 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'console_link.created' | 'console_session.created' | 'forecast.corrected' | 'forecast.cancelled' | 'forecast.image_added' | 'forecast.image_removed' | 'import.started' | 'import.cancelled' | 'endpoint.created' | 'endpoint.updated' | 'endpoint.deleted' | 'endpoint.secret_rotated' | 'connection.created' | 'connection.updated' | 'connection.deleted' | 'file.deleted' | 'file.url_created' | 'tenant.renamed' | 'tenant.suspended' | 'tenant.resumed' | 'tenant.retention_changed' | 'tenant.numbers_limited' | 'tenant.exported';
  readonly actor: AuditActor;
  readonly resource: AuditResource;
  /** success: the change was made. unknown: the platform failed or was interrupted, so the change may have been made or not. Refused requests are no entries; see the failed calls */
  readonly outcome: 'success' | 'unknown';
  /** `X-Request-Id` of the response */
  readonly request_id: string;
}

/** Audit log */
export interface AuditLog {
  readonly entries: readonly AuditEntry[];
  /** null on the last page */
  readonly next_cursor: string | null;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Audit log query */
export interface AuditLogQuery {
  /** Page size, 1 to 100; default 20 */
  readonly limit?: number;
  /** `next_cursor` of the previous page */
  readonly cursor?: string;
  /** Only entries of this action */
  readonly action?: 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked' | 'console_link.created' | 'console_session.created' | 'forecast.corrected' | 'forecast.cancelled' | 'forecast.image_added' | 'forecast.image_removed' | 'import.started' | 'import.cancelled' | 'endpoint.created' | 'endpoint.updated' | 'endpoint.deleted' | 'endpoint.secret_rotated' | 'connection.created' | 'connection.updated' | 'connection.deleted' | 'file.deleted' | 'file.url_created' | 'tenant.renamed' | 'tenant.suspended' | 'tenant.resumed' | 'tenant.retention_changed' | 'tenant.numbers_limited' | 'tenant.exported';
  /** Only entries at or after this instant */
  readonly created_from?: string;
  /** Only entries before this instant */
  readonly created_to?: string;
}

/** Audit resource */
export interface AuditResource {
  /** Kind of the resource */
  readonly type: 'key' | 'forecast' | 'import' | 'endpoint' | 'connection' | 'file' | 'tenant';
  /** Such as a key_id, a po_number or an endpoint_id; null: not known, for example because the outcome is unknown */
  readonly id: string | null;
}

/** Failed call */
export interface FailedCall {
  /** `X-Request-Id` of the response */
  readonly request_id: string;
  /** When the request came */
  readonly time: string;
  readonly method: string;
  /** Route of the reference, such as `/open/v1/forecasts/{po_number}`; null: there is no such route */
  readonly route: string | null;
  /** Path without the query, at most 500 characters */
  readonly path: string;
  /** HTTP status; 499: you closed the connection before the response */
  readonly status: number;
  /** `code` of the response; null: there was none */
  readonly code: string | null;
  /** `message` of the response */
  readonly message: string | null;
  /** `data` of the response, such as the fields with errors; null when there was none or it is larger than 4 kB */
  readonly data: Readonly<Record<string, unknown>> | null;
  /** The key that made the call */
  readonly key_id: string;
  readonly duration_ms: number;
}

/** Failed call list */
export interface FailedCallList {
  readonly requests: readonly FailedCall[];
  /** null on the last page */
  readonly next_cursor: string | null;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Failed calls query */
export interface FailedCallsQuery {
  /** Page size, 1 to 100; default 20 */
  readonly limit?: number;
  /** `next_cursor` of the previous page */
  readonly cursor?: string;
  /** Only calls with this `X-Request-Id`; begins and ends with a visible character */
  readonly request_id?: string;
  /** Only calls with this key; begins and ends with a visible character */
  readonly key_id?: string;
  /** Only calls with this `code` */
  readonly code?: '40001' | '40002' | '40003' | '40101' | '40301' | '40302' | '40401' | '40402' | '40403' | '40501' | '40901' | '40902' | '41201' | '41301' | '41501' | '42201' | '42202' | '42203' | '42204' | '42205' | '42206' | '42207' | '42901' | '50000' | '50001' | '50301';
  /** Only calls at or after this instant */
  readonly created_from?: string;
  /** Only calls before this instant */
  readonly created_to?: string;
}

/** Usage */
export interface Usage {
  readonly days: readonly UsageDay[];
  readonly total: UsageTotal;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Usage day */
export interface UsageDay {
  /** Day, UTC */
  readonly date: string;
  /** Requests with a key of yours */
  readonly calls: number;
  /** Those with a status of 400 or more */
  readonly failed_calls: number;
  /** Forecasts that were accepted */
  readonly parcels: number;
  /** Events that happened for your webhooks */
  readonly events: number;
  /** Files and images that were uploaded */
  readonly files: number;
  /** Their size; bytes. What is deleted later stays counted: `storage` says what is kept */
  readonly stored_bytes: number;
  /** What was stored when the day was measured, which is once, soon after it begins. null: not measured in that day, such as the day of your first upload */
  readonly storage: UsageStorage | null;
}

/** Usage query */
export interface UsageQuery {
  /** First day, UTC; default: 30 days before `to_date` */
  readonly from_date?: string;
  /** Last day, UTC, at most 91 days after `from_date`; default: today */
  readonly to_date?: string;
}

/** Usage storage */
export interface UsageStorage {
  /** PDFs and images of yours, without those that you or the platform have deleted */
  readonly files: number;
  /** Their size; bytes */
  readonly bytes: number;
}

/** Usage total */
export interface UsageTotal {
  /** Requests with a key of yours */
  readonly calls: number;
  /** Those with a status of 400 or more */
  readonly failed_calls: number;
  /** Forecasts that were accepted */
  readonly parcels: number;
  /** Events that happened for your webhooks */
  readonly events: number;
  /** Files and images that were uploaded */
  readonly files: number;
  /** Their size; bytes. What is deleted later stays counted: `storage` says what is kept */
  readonly stored_bytes: number;
  /** The latest measurement in these days, no sum. null: none of them was measured */
  readonly storage: UsageStorage | null;
}
