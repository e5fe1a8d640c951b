import type { AuditEntry, AuditLog, FailedCall, FailedCallList, Usage } from '@parcelway/contracts/activity-api';
import type { Client } from '@parcelway/page/api/client';
import { startOf } from './forecast-filter.ts';
import { listKeys } from './keys.ts';
import type { Page } from './webhooks.ts';

/** Entries and calls a page. */
const PAGE_SIZE = 20;

/** Pages of keys that are read for their descriptions. */
const MOST_KEY_PAGES = 10;

/** Where a page begins. */
interface At {
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

/** Which failed calls are asked for; empty for no condition. */
export interface FailedCallFilter {
  readonly requestId: string;
  readonly code: string;
  readonly keyId: string;
}

/** Which entries of the audit log are asked for; empty for no condition. */
export interface AuditFilter {
  readonly action: string;
  /** Day of the reader, such as `2026-11-21`. */
  readonly day: string;
}

/** Days, both included; UTC, such as `2026-11-21`. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** Values that are not empty: the API takes no empty ones. */
const filled = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** What was used on each day of a range, oldest first. */
export function getUsage(client: Client, { from, to }: DayRange, signal: AbortSignal): Promise<Usage> {
  return client.call('/open/v1/usage', { query: { from_date: from, to_date: to }, signal });
}

/** A page of failed calls, newest first. It may be empty although others follow. */
export async function listFailedCalls(client: Client, filter: FailedCallFilter, { cursor, signal }: At): Promise<Page<FailedCall>> {
  const wanted = filled({ request_id: filter.requestId, code: filter.code, key_id: filter.keyId });
  const found = await client.call<FailedCallList>('/open/v1/requests', { query: { ...wanted, cursor, limit: PAGE_SIZE }, signal });
  return { items: found.requests, next: found.next_cursor };
}

/** A page of the audit log, newest first. It may be empty although others follow. */
export async function listAuditLog(client: Client, { action, day }: AuditFilter, { cursor, signal }: At): Promise<Page<AuditEntry>> {
  const days = day === '' ? {} : { created_from: startOf(day, 0), created_to: startOf(day, 1) };
  const query = { ...filled({ action }), ...days, cursor, limit: PAGE_SIZE };
  const found = await client.call<AuditLog>('/open/v1/audit-log', { query, signal });
  return { items: found.entries, next: found.next_cursor };
}

/** `key_id` → description of the newest keys, those too that work no more. What has no description has the first characters of the key. */
export async function keyNames(client: Client, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_KEY_PAGES; page += 1) {
    const { items, next } = await listKeys(client, cursor, signal);
    for (const { key_id, description, prefix } of items) names.set(key_id, description || `${prefix}…`);
    if (next === null) break;
    cursor = next;
  }
  return names;
}
