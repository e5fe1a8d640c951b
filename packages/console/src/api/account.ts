import type { AuditEntry, FailedCall, Usage } from '@parcelway/contracts/activity-api';
import type { CarrierConnection, ConnectionChange, ConnectionCreation, ConnectionTest } from '@parcelway/contracts/carrier-connection-api';
import type { ConsoleSession } from '@parcelway/contracts/console-api';
import type { KeyChange, KeyCreated, KeyCreation, KeyRotated, KeyRotation, OwnAccess, TenantKey } from '@parcelway/contracts/key-api';
import { type Client, pathOf } from '@parcelway/page/api/client';
import { startOf } from './forecast-filter.ts';
import { listOf, type Page, type PageRequest, pageOf } from './paging.ts';

const KEYS = '/open/v1/keys';
const KEY = `${KEYS}/{key_id}`;
const KEYS_PER_PAGE = 20;
/** Whose key it is and what it may do: needs no scope. @throws ApiFailure 40003 for a key that opens nothing, 40301 for one of a warehouse */
export const getOwnAccess = (client: Client) => client.call<OwnAccess>('/open/v1/me');
/** A page of keys, newest first, including revoked and expired ones. */
export const listKeys = (client: Client, at: PageRequest) => pageOf<TenantKey>(client, KEYS, 'keys', { ...at, limit: KEYS_PER_PAGE });

/** Creates a key; the key itself is in this response alone. @param idempotencyKey makes a repeat return the same key */
export const createKey = (client: Client, body: KeyCreation, idempotencyKey: string) =>
  client.call<KeyCreated>(KEYS, { method: 'POST', body, idempotencyKey });

export const updateKey = (client: Client, id: string, body: KeyChange) =>
  client.call<TenantKey>(pathOf(KEY, id), { method: 'PATCH', body });

/** Replaces a key; the former one works until the overlap ends. @param idempotencyKey makes a repeat return the same key */
export const rotateKey = (client: Client, id: string, body: KeyRotation, idempotencyKey: string) =>
  client.call<KeyRotated>(pathOf(`${KEY}/rotate`, id), { method: 'POST', body, idempotencyKey });

export const revokeKey = (client: Client, id: string) => client.call<TenantKey>(pathOf(`${KEY}/revoke`, id), { method: 'POST' });

/** Begins a session of the console with the key of the client. @throws ApiFailure when the key opens nothing here */
export const createConsoleSession = (client: Client): Promise<ConsoleSession> =>
  client.call<ConsoleSession>('open/v1/console/sessions', { method: 'POST' });

const CONNECTIONS = '/open/v1/carrier-connections';
const CONNECTION = `${CONNECTIONS}/{connection_id}`;
/** Milliseconds that a test may take: it calls the source. */
const TEST_DEADLINE_MS = 60_000;

/** Every connection of the tenant, oldest first. */
export const listConnections = (client: Client, signal: AbortSignal) =>
  listOf<CarrierConnection>(client, CONNECTIONS, 'connections', { signal });

/** Connects an account. @param idempotencyKey makes a repeat return the same connection */
export const createConnection = (client: Client, body: ConnectionCreation, idempotencyKey: string) =>
  client.call<CarrierConnection>(CONNECTIONS, { method: 'POST', body, idempotencyKey });

export const updateConnection = (client: Client, id: string, body: ConnectionChange) =>
  client.call<CarrierConnection>(pathOf(CONNECTION, id), { method: 'PATCH', body });

export const deleteConnection = (client: Client, id: string) => client.call<unknown>(pathOf(CONNECTION, id), { method: 'DELETE' });

export const testConnection = (client: Client, id: string) =>
  client.call<ConnectionTest>(pathOf(`${CONNECTION}/test`, id), { method: 'POST', deadlineMs: TEST_DEADLINE_MS });

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

/** Days, both included; UTC, such as `2026-11-21`. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** What was used on each day of a range, oldest first. */
export const getUsage = (client: Client, { from, to }: DayRange, signal: AbortSignal) =>
  client.call<Usage>('/open/v1/usage', { query: { from_date: from, to_date: to }, signal });

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
