import type { AuditEntry, AuditLog, FailedCall, FailedCallList, Usage } from '@parcelway/contracts/activity-api';
import type { CarrierConnection, ConnectionChange, ConnectionCreation, ConnectionTest } from '@parcelway/contracts/carrier-connection-api';
import type { ConsoleSession } from '@parcelway/contracts/console-api';
import type { KeyChange, KeyCreated, KeyCreation, KeyRotated, KeyRotation, OwnAccess, TenantKey } from '@parcelway/contracts/key-api';
import { type Client, pathOf } from '@parcelway/page/api/client';
import { startOf } from './forecast-filter.ts';
import type { Page } from './webhooks.ts';

const KEYS = '/open/v1/keys';
const KEY = `${KEYS}/{key_id}`;
const KEYS_A_PAGE = 20;

export function getOwnAccess(client: Client): Promise<OwnAccess> {
  return client.call('/open/v1/me');
}

export async function listKeys(client: Client, cursor: string | undefined, signal: AbortSignal): Promise<Page<TenantKey>> {
  const query = { cursor, limit: KEYS_A_PAGE };
  const found = await client.call<{ keys: TenantKey[]; next_cursor: string | null }>(KEYS, { query, signal });
  return { items: found.keys, next: found.next_cursor };
}

export function createKey(client: Client, body: KeyCreation, idempotencyKey: string): Promise<KeyCreated> {
  return client.call(KEYS, { method: 'POST', body, idempotencyKey });
}

export function updateKey(client: Client, id: string, body: KeyChange): Promise<TenantKey> {
  return client.call(pathOf(KEY, id), { method: 'PATCH', body });
}

export function rotateKey(client: Client, id: string, body: KeyRotation, idempotencyKey: string): Promise<KeyRotated> {
  return client.call(pathOf(`${KEY}/rotate`, id), { method: 'POST', body, idempotencyKey });
}

export function revokeKey(client: Client, id: string): Promise<TenantKey> {
  return client.call(pathOf(`${KEY}/revoke`, id), { method: 'POST' });
}

export const createConsoleSession = (client: Client): Promise<ConsoleSession> =>
  client.call<ConsoleSession>('open/v1/console/sessions', { method: 'POST' });

const CONNECTIONS = '/open/v1/carrier-connections';
const CONNECTION = `${CONNECTIONS}/{connection_id}`;

/** Milliseconds that a test may take: it calls the source. */
const TEST_DEADLINE_MS = 60_000;

export async function listConnections(client: Client, signal: AbortSignal): Promise<readonly CarrierConnection[]> {
  const { connections } = await client.call<{ connections: CarrierConnection[] }>(CONNECTIONS, { signal });
  return connections;
}

export function createConnection(client: Client, body: ConnectionCreation, idempotencyKey: string): Promise<CarrierConnection> {
  return client.call(CONNECTIONS, { method: 'POST', body, idempotencyKey });
}

export function updateConnection(client: Client, id: string, body: ConnectionChange): Promise<CarrierConnection> {
  return client.call(pathOf(CONNECTION, id), { method: 'PATCH', body });
}

export function deleteConnection(client: Client, id: string): Promise<unknown> {
  return client.call(pathOf(CONNECTION, id), { method: 'DELETE' });
}

export function testConnection(client: Client, id: string): Promise<ConnectionTest> {
  return client.call(pathOf(`${CONNECTION}/test`, id), { method: 'POST', deadlineMs: TEST_DEADLINE_MS });
}

const CALLS_A_PAGE = 20;
const MOST_KEY_PAGES = 10;

interface At {
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

export interface FailedCallFilter {
  readonly requestId: string;
  readonly code: string;
  readonly keyId: string;
}

export interface AuditFilter {
  readonly action: string;
  /** Day of the reader, such as `2026-11-21`. */
  readonly day: string;
}

export interface DayRange {
  readonly from: string;
  readonly to: string;
}

const filled = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

export function getUsage(client: Client, { from, to }: DayRange, signal: AbortSignal): Promise<Usage> {
  return client.call('/open/v1/usage', { query: { from_date: from, to_date: to }, signal });
}

/** A page of failed calls, newest first. It may be empty although others follow. */
export async function listFailedCalls(client: Client, filter: FailedCallFilter, { cursor, signal }: At): Promise<Page<FailedCall>> {
  const wanted = filled({ request_id: filter.requestId, code: filter.code, key_id: filter.keyId });
  const found = await client.call<FailedCallList>('/open/v1/requests', { query: { ...wanted, cursor, limit: CALLS_A_PAGE }, signal });
  return { items: found.requests, next: found.next_cursor };
}

/** A page of the audit log, newest first. It may be empty although others follow. */
export async function listAuditLog(client: Client, { action, day }: AuditFilter, { cursor, signal }: At): Promise<Page<AuditEntry>> {
  const days = day === '' ? {} : { created_from: startOf(day, 0), created_to: startOf(day, 1) };
  const query = { ...filled({ action }), ...days, cursor, limit: CALLS_A_PAGE };
  const found = await client.call<AuditLog>('/open/v1/audit-log', { query, signal });
  return { items: found.entries, next: found.next_cursor };
}

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
