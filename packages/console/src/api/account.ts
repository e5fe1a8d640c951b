import type { AuditEntry, FailedCall } from '@parcelway/contracts/activity-api';
import type { TenantKey } from '@parcelway/contracts/key-api';
import type { Client } from '@parcelway/page/api/client';
import { startOf } from './forecast-filter.ts';
import { type Page, type PageRequest, pageOf } from './paging.ts';

export const KEYS = '/open/v1/keys';
const KEYS_PER_PAGE = 20;
/** A page of keys, newest first, including revoked and expired ones. */
export const listKeys = (client: Client, at: PageRequest) => pageOf<TenantKey>(client, KEYS, 'keys', { ...at, limit: KEYS_PER_PAGE });

const CALLS_PER_PAGE = 20;
const MOST_KEY_PAGES = 10;

/** Conditions for failed calls; an empty field is no condition. */
export interface FailedCallFilter {
  readonly requestId: string;
  readonly code: string;
  readonly keyId: string;
}

/** Conditions for audit log entries; an empty field is no condition. */
export interface AuditFilter {
  readonly action: string;
  /** Day of the reader, such as `2026-11-21`. */
  readonly day: string;
}

/** A page of failed calls, newest first. It may be empty although others follow. */
export function listFailedCalls(client: Client, { requestId, code, keyId }: FailedCallFilter, at: PageRequest): Promise<Page<FailedCall>> {
  const query = { request_id: requestId, code, key_id: keyId, ...at, limit: CALLS_PER_PAGE };
  return pageOf(client, '/open/v1/requests', 'requests', query);
}

/** A page of the audit log, newest first. It may be empty although others follow. */
export function listAuditLog(client: Client, { action, day }: AuditFilter, at: PageRequest): Promise<Page<AuditEntry>> {
  const days = day === '' ? {} : { created_from: startOf(day, 0), created_to: startOf(day, 1) };
  return pageOf(client, '/open/v1/audit-log', 'entries', { action, ...days, ...at, limit: CALLS_PER_PAGE });
}

/** `key_id` → description of the newest keys, including revoked and expired ones. A key without a description shows its first characters. */
export async function keyNames(client: Client, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_KEY_PAGES; page += 1) {
    const { items, next } = await listKeys(client, { cursor, signal });
    for (const { key_id, description, prefix } of items) names.set(key_id, description || `${prefix}…`);
    if (next === null) break;
    cursor = next;
  }
  return names;
}
