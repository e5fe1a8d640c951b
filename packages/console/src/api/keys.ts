import type { KeyChange, KeyCreated, KeyCreation, KeyRotated, KeyRotation, OwnAccess, TenantKey } from '@parcelway/contracts/key-api';
import { type Client, pathOf } from '@parcelway/page/api/client';
import type { Page } from './webhooks.ts';

const KEYS = '/open/v1/keys';
const KEY = `${KEYS}/{key_id}`;

/** Keys a page. */
const PAGE_SIZE = 20;

/** Whose key it is and what it may do: needs no scope. @throws ApiFailure 40003 for a key that opens nothing, 40301 for one of a warehouse */
export function getOwnAccess(client: Client): Promise<OwnAccess> {
  return client.call('/open/v1/me');
}

/** A page of keys, newest first, with those that work no more. */
export async function listKeys(client: Client, cursor: string | undefined, signal: AbortSignal): Promise<Page<TenantKey>> {
  const query = { cursor, limit: PAGE_SIZE };
  const found = await client.call<{ keys: TenantKey[]; next_cursor: string | null }>(KEYS, { query, signal });
  return { items: found.keys, next: found.next_cursor };
}

/** Creates a key; the key itself is in this response alone. @param idempotencyKey makes a repeat return the same key */
export function createKey(client: Client, body: KeyCreation, idempotencyKey: string): Promise<KeyCreated> {
  return client.call(KEYS, { method: 'POST', body, idempotencyKey });
}

/** Changes the fields that are given. */
export function updateKey(client: Client, id: string, body: KeyChange): Promise<TenantKey> {
  return client.call(pathOf(KEY, id), { method: 'PATCH', body });
}

/** Replaces a key; the former one works until the overlap ends. @param idempotencyKey makes a repeat return the same key */
export function rotateKey(client: Client, id: string, body: KeyRotation, idempotencyKey: string): Promise<KeyRotated> {
  return client.call(pathOf(`${KEY}/rotate`, id), { method: 'POST', body, idempotencyKey });
}

/** Revokes a key for good. */
export function revokeKey(client: Client, id: string): Promise<TenantKey> {
  return client.call(pathOf(`${KEY}/revoke`, id), { method: 'POST' });
}
