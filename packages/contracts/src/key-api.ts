import Type, { type Static } from 'typebox';
import { environments } from './environment.ts';
import { object } from './object.ts';
import { pageOf } from './page.ts';
import { tenantScopes } from './scopes.ts';
import { instant, nullable, oneOf, pageQuery, visibleText } from './text.ts';
import { inputWarnings } from './warnings.ts';

/** Keys that work of one tenant: neither revoked nor expired. The operator may issue more. */
export const MAX_KEYS_PER_TENANT = 100;
/** Addresses and networks that one key may name. */
export const MAX_ALLOWED_ADDRESSES = 50;
/** Longest life of a key that expires; seconds, ten years. */
export const MAX_LIFETIME_SECONDS = 315_360_000;
/** How long a rotated key still works; seconds. */
export const OVERLAP_SECONDS = { standard: 86_400, most: 2_592_000 } as const;

/** Whether a key works. */
export const keyStates = ['active', 'revoked', 'expired'] as const;
export type KeyState = (typeof keyStates)[number];

/** Kinds of sessions of the console. */
export const sessionKinds = ['session', 'link'] as const;
export type SessionKind = (typeof sessionKinds)[number];

/** State of a tenant. */
export const tenantStatuses = ['active', 'suspended'] as const;

/** Where a key may be used; a part of several bodies. */
export const allowedAddresses = Type.Array(Type.String({ minLength: 1, maxLength: 64, format: 'ip-network' }), {
  maxItems: MAX_ALLOWED_ADDRESSES,
  description:
    'IPv4 and IPv6 addresses, and networks in CIDR notation, that may use the key. Empty: all. The key is refused elsewhere with 40301',
});

const description = visibleText(100, 'What the key is for');
const expiresAt = (what: string) => instant(`${what}; in the future, at most ten years ahead`);
const scopesGiven = (what: string) =>
  Type.Array(oneOf(tenantScopes, 'Scope'), { minItems: 1, maxItems: 20, uniqueItems: true, description: what });

/** A key of the tenant, without the key itself. */
export const TenantKey = object('TenantKey', {
  key_id: Type.String(),
  prefix: Type.String({ description: 'First characters of the key, to recognise it' }),
  description: Type.String(),
  scopes: Type.Array(Type.String(), { description: 'What the key may do' }),
  allowed_addresses: Type.Array(Type.String(), { description: 'Addresses and networks that may use the key; empty: all' }),
  state: oneOf(keyStates, 'active: the key works; revoked and expired keys never work again'),
  create_time: instant('When it was created'),
  expires_at: nullable(instant('When it expires; null: never')),
  revoked_at: nullable(instant('When it was revoked; null: it is not')),
  last_used_at: nullable(instant('Minute of its last use; null: never used')),
  created_by: nullable(Type.String({ description: '`key_id` of the key that created it; null: the operator issued it' })),
  rotated_from: nullable(Type.String({ description: '`key_id` of the key that it replaces' })),
  rotated_to: nullable(Type.String({ description: '`key_id` of the key that replaces it' })),
});
export type TenantKey = Static<typeof TenantKey>;

/** Query of the list of keys. */
export const TenantKeyListQuery = object('TenantKeyListQuery', {
  ...pageQuery(20),
});

/** A page of keys, newest first. */
export const TenantKeyList = pageOf('TenantKeyList', 'keys', TenantKey);
export type TenantKeyList = Static<typeof TenantKeyList>;

/** Body that creates a key. */
export const KeyCreation = object('KeyCreation', {
  description,
  scopes: Type.Optional(
    scopesGiven('What the key may do: only scopes of the calling key. Default: the scopes of the calling key without `keys:manage`'),
  ),
  expires_in_seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIFETIME_SECONDS,
      description: 'Life of the key. Give this or `expires_at`. Default: it never expires',
    }),
  ),
  expires_at: Type.Optional(expiresAt('When the key expires. Give this or `expires_in_seconds`')),
  allowed_addresses: Type.Optional(allowedAddresses),
});
export type KeyCreation = Static<typeof KeyCreation>;

/** Body that changes a key: only the fields given. */
export const KeyChange = Type.Object(
  {
    description: Type.Optional(description),
    scopes: Type.Optional(
      scopesGiven('Replaces the current scopes. Only scopes that both this key and the calling key have: scopes never grow'),
    ),
    expires_at: Type.Optional(nullable(expiresAt('When the key expires; null: never'))),
    allowed_addresses: Type.Optional(allowedAddresses),
  },
  { $id: 'KeyChange', minProperties: 1 },
);
export type KeyChange = Static<typeof KeyChange>;

/** Body of a rotation. */
export const KeyRotation = object('KeyRotation', {
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OVERLAP_SECONDS.most,
      description: 'How long the former key still works. Default 86400, one day; 0: not at all, for example because it has leaked',
    }),
  ),
});
export type KeyRotation = Static<typeof KeyRotation>;

const key = Type.String({ description: 'The key; only in this response' });

/** `data` of a creation. */
export const KeyCreated = object('KeyCreated', { ...TenantKey.properties, key, warnings: inputWarnings });
export type KeyCreated = Static<typeof KeyCreated>;

/** `data` of a change. */
export const KeyChanged = object('KeyChanged', { ...TenantKey.properties, warnings: inputWarnings });

/** `data` of a rotation: the new key. */
export const KeyRotated = object('KeyRotated', {
  ...TenantKey.properties,
  key,
  former_expires_at: instant('When the former key, `rotated_from`, expires'),
  warnings: inputWarnings,
});
export type KeyRotated = Static<typeof KeyRotated>;

/** A token bucket. */
export const RateInForce = object('RateInForce', {
  per_second: Type.Number({ description: 'Requests a second' }),
  burst: Type.Integer({ description: 'Requests at once' }),
});

/** Limits of a key for each class of routes. */
export const RateLimitsInForce = Type.Object(
  {
    standard: nullable(RateInForce),
    upload: nullable(RateInForce),
    tracking: nullable(RateInForce),
    batch: nullable(RateInForce),
  },
  { $id: 'RateLimitsInForce', description: 'Limits of the key for each class of routes; null: no limit' },
);

/** The tenant of a key. */
export const OwnTenant = object('OwnTenant', {
  id: Type.String(),
  name: Type.String(),
  status: oneOf(tenantStatuses, 'State of the tenant'),
});

/** How a session of the console says that it acts for a key: `scopes` of the key are those of the session then. */
export const AccessSession = Type.Object(
  {
    kind: oneOf(sessionKinds, '`session`: somebody signed in with the key. `link`: opened by a link'),
    expires_at: instant('When it ends'),
  },
  { $id: 'AccessSession', description: 'The session of the console that calls instead of the key; null for the key itself' },
);

/** `data` of the route that says who calls. */
export const OwnAccess = object('OwnAccess', {
  tenant: OwnTenant,
  environment: oneOf(environments, 'Environment of the key'),
  key: TenantKey,
  session: nullable(AccessSession),
  rate_limits: RateLimitsInForce,
  server_time: instant('Clock of the platform'),
});
export type OwnAccess = Static<typeof OwnAccess>;
