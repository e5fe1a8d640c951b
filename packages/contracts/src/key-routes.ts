import {
  KeyChange,
  KeyChanged,
  KeyCreated,
  KeyCreation,
  KeyRotated,
  KeyRotation,
  MAX_KEYS_PER_TENANT,
  OwnAccess,
  TenantKey,
  TenantKeyList,
  TenantKeyListQuery,
} from './key-api.ts';
import { type RouteDefinition, routesWith } from './route.ts';
import { KEYS_SCOPE } from './scopes.ts';

const route = routesWith({ path: '/open/v1/keys', service: 'gateway', scopes: [KEYS_SCOPE], tag: 'Keys' });

/** Routes by which a tenant manages its keys, and sees who it is. */
export const keyRoutes: readonly RouteDefinition[] = [
  route({
    id: 'getOwnAccess',
    path: '/open/v1/me',
    scopes: [],
    summary: 'Read who calls',
    description: 'The tenant, the calling key with its scopes, and the rate limits in force. Verifies a key.',
    data: OwnAccess,
  }),
  route({
    id: 'listKeys',
    summary: 'List keys',
    description: 'Newest first, in pages, with the revoked and expired ones. No response shows a key itself again.',
    query: TenantKeyListQuery,
    data: TenantKeyList,
  }),
  route({
    id: 'createKey',
    method: 'POST',
    summary: 'Create a key',
    description: `The response shows the key, this once. It never has more scopes than the calling key, and has the same rate limit. At most ${MAX_KEYS_PER_TENANT} working keys a tenant.`,
    body: KeyCreation,
    repeat: 'Creates another key.',
    idempotencyKey: true,
    data: KeyCreated,
    errors: ['40902'],
  }),
  route({ id: 'getKey', below: '/{key_id}', summary: 'Read a key', data: TenantKey }),
  route({
    id: 'updateKey',
    method: 'PATCH',
    below: '/{key_id}',
    summary: 'Change a key',
    description:
      'Only the fields given; `scopes` and `allowed_addresses` are replaced as a whole. Takes effect within 5 seconds. A key that is revoked or expired cannot be changed.',
    body: KeyChange,
    repeat: 'Sets the same values again.',
    data: KeyChanged,
    errors: ['40902'],
  }),
  route({
    id: 'rotateKey',
    method: 'POST',
    below: '/{key_id}/rotate',
    summary: 'Rotate a key',
    description:
      'Creates a key with the same scopes, description, addresses, rate limit and length of life. The former key works until the overlap ends. A key with `keys:manage` may rotate itself, too. A key with more scopes than the calling key is refused with 40301.',
    body: KeyRotation,
    bodyOptional: true,
    repeat: 'Returns 40902: the key is rotated already.',
    idempotencyKey: true,
    data: KeyRotated,
    errors: ['40902'],
  }),
  route({
    id: 'revokeKey',
    method: 'POST',
    below: '/{key_id}/revoke',
    summary: 'Revoke a key',
    description: 'For good, within 5 seconds. The last key that has `keys:manage` for more than a day cannot be revoked.',
    data: TenantKey,
    repeat: 'Returns the first revocation, with `Idempotent-Replayed: true`.',
    errors: ['40902'],
  }),
];
