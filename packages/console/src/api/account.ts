import type { TenantKey } from '@parcelway/contracts/key-api';
import type { Client } from '@parcelway/page/api/client';
import { pageOf } from '@parcelway/page/data/paging';
import { startOf } from './forecast-filter.ts';

export const KEYS = '/open/v1/keys';
export const KEYS_PER_PAGE = 20;
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

export const REQUESTS = '/open/v1/requests';
export const failedCallQuery = ({ requestId, code, keyId }: FailedCallFilter) => ({
  request_id: requestId,
  code,
  key_id: keyId,
  limit: CALLS_PER_PAGE,
});

export const auditQuery = ({ action, day }: AuditFilter) => ({
  action,
  limit: CALLS_PER_PAGE,
  ...(day === '' ? {} : { created_from: startOf(day, 0), created_to: startOf(day, 1) }),
});

/** `key_id` → description of the newest keys, including revoked and expired ones. A key without a description shows its first characters. */
export async function keyNames(client: Client, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  let cursor: string | undefined;
  for (let page = 0; page < MOST_KEY_PAGES; page += 1) {
    const { items, next } = await pageOf<TenantKey>(client, KEYS, 'keys', { cursor, signal, limit: KEYS_PER_PAGE });
    for (const { key_id, description, prefix } of items) names.set(key_id, description || `${prefix}…`);
    if (next === null) break;
    cursor = next;
  }
  return names;
}
