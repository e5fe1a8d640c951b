import Type, { type Static } from 'typebox';
import { allowedAddresses, MAX_LIFETIME_SECONDS } from './key-api.ts';
import { object } from './object.ts';
import { scopes } from './scopes.ts';
import {
  CODE_PATTERN,
  cursorInQuery,
  INTEGER_TO_1000_PATTERN,
  INTEGER_TO_9999_PATTERN,
  identifier,
  instant,
  integerInQuery,
  nullable,
  OFFSET_PATTERN,
  oneOf,
  text,
} from './text.ts';
import { Warning } from './warnings.ts';

/*
 * The operator's API, on a port of its own that is never public. Bearer token, whose role says which calls it may make. Spoken by parcelctl.
 * docs/operations.md lists its calls.
 *
 * The lists of tenants and of keys have pages when `limit` or `cursor` is given. Without both, the response is the whole list, up to 10,000 entries, without
 * `next_cursor`. Use pages: a whole list costs more with each tenant and each key.
 *
 * Parameters of a query that are not known are ignored and named in `warnings`, as in the merchant's API.
 */

const rateLimit = Type.Union([
  Type.Literal('off'),
  Type.Object({
    per_second: Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }),
    burst: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
  }),
]);

/** Body that creates a tenant. */
export const TenantCreation = object('TenantCreation', {
  name: identifier(1, 200, 'Name of the merchant'),
  with_key: Type.Optional(Type.Boolean({ description: 'Issues a key with the usual scopes, too. Send an Idempotency-Key with it' })),
});
/** Body that renames a tenant. */
export const TenantRenaming = object('TenantRenaming', { name: identifier(1, 200, 'Name of the merchant') });
/** A tenant. */
export const Tenant = object('Tenant', {
  id: Type.String(),
  name: Type.String(),
  status: oneOf(['active', 'suspended'], 'State'),
  create_time: instant('Creation'),
});
export type Tenant = Static<typeof Tenant>;

/** Days that data of a tenant is kept; null for the time of the installation. */
const keptDays = (what: string) =>
  nullable(Type.Integer({ minimum: 7, maximum: 3650, description: `${what}, 7 to 3650; null: as the installation` }));

/** Body that sets how long data of a tenant is kept. A field that is absent stays as it is. */
export const RetentionChange = Type.Object(
  {
    forecast_days: Type.Optional(keptDays('Days that a forecast is kept after its completion or cancellation')),
    file_days: Type.Optional(keptDays('Days that its PDFs and photos are kept, no longer than the forecast')),
  },
  { $id: 'RetentionChange', additionalProperties: false },
);

/** How long data of a tenant is kept. */
export const TenantRetention = object('TenantRetention', {
  tenant_id: Type.String(),
  forecast_days: keptDays('Days that a forecast is kept after its completion or cancellation'),
  file_days: keptDays('Days that its PDFs and photos are kept'),
});
export type TenantRetention = Static<typeof TenantRetention>;

const keyScopes = (description: string) =>
  Type.Array(oneOf(scopes, 'Scope'), { minItems: 1, maxItems: 20, uniqueItems: true, description });
const lifetime = { minimum: 1, maximum: MAX_LIFETIME_SECONDS };

/** Body that issues a key to a tenant or a warehouse. */
export const KeyIssue = Type.Object(
  {
    tenant_id: Type.Optional(text(1, 100, 'Tenant; give either this or warehouse_code')),
    warehouse_code: Type.Optional(text(1, 32, 'Warehouse; give either this or tenant_id')),
    scopes: Type.Optional(keyScopes('Default: all scopes that the holder may have, without `keys:manage`')),
    expires_in_seconds: Type.Optional(Type.Integer({ ...lifetime, description: 'Default: never expires' })),
    rate_limit: Type.Optional(rateLimit),
    description: Type.Optional(text(0, 200, 'For people')),
    allowed_addresses: Type.Optional(allowedAddresses),
  },
  { $id: 'KeyIssue', oneOf: [{ required: ['tenant_id'] }, { required: ['warehouse_code'] }] },
);
export type KeyIssue = Static<typeof KeyIssue>;

/** Body by which the operator changes a key: only the fields given. */
export const OperatorKeyChange = Type.Object(
  {
    scopes: Type.Optional(keyScopes('Replaces the current scopes; any that the holder may have')),
    expires_in_seconds: Type.Optional(nullable(Type.Integer({ ...lifetime, description: 'From now on; null: never expires' }))),
    description: Type.Optional(text(0, 200, 'For people')),
    allowed_addresses: Type.Optional(allowedAddresses),
  },
  { $id: 'OperatorKeyChange', additionalProperties: false, minProperties: 1 },
);

/** A key without the key itself. */
export const ApiKey = object('ApiKey', {
  key_id: Type.String(),
  prefix: Type.String({ description: 'First characters of the key, to recognise it' }),
  tenant_id: nullable(Type.String()),
  warehouse_code: nullable(Type.String()),
  scopes: Type.Array(Type.String()),
  rate_limit: nullable(rateLimit),
  description: Type.String(),
  allowed_addresses: Type.Array(Type.String(), { description: 'Addresses and networks that may use the key; empty: all' }),
  created_by: nullable(Type.String({ description: 'Key that made it; null: the operator' })),
  rotated_from: nullable(Type.String({ description: 'Key that it replaces' })),
  rotated_to: nullable(Type.String({ description: 'Key that replaces it' })),
  create_time: instant('Issue'),
  expire_time: nullable(instant('Expiry')),
  revoke_time: nullable(instant('Revocation')),
  last_use_time: nullable(instant('Last use, to the minute')),
});
export type ApiKey = Static<typeof ApiKey>;

/** A key just issued. */
export const IssuedKey = object('IssuedKey', { ...ApiKey.properties, key: Type.String({ description: 'Shown once' }) });
export type IssuedKey = Static<typeof IssuedKey>;

/** A tenant that was just created or renamed. */
export const CreatedTenant = object('CreatedTenant', {
  ...Tenant.properties,
  warnings: Type.Array(Warning, { description: 'Says when another tenant has the same name' }),
  key: Type.Optional(IssuedKey),
});
export type CreatedTenant = Static<typeof CreatedTenant>;

/** Body that adds a warehouse. */
export const WarehouseCreation = object('WarehouseCreation', {
  code: Type.String({ minLength: 1, maxLength: 32, pattern: CODE_PATTERN, description: 'Code' }),
  name: identifier(1, 200, 'Name'),
});

/** Body of a change of a warehouse. */
export const WarehouseRenaming = object('WarehouseRenaming', { name: identifier(1, 200, 'Name') });

/** Body of a redrive. */
export const RedriveRequest = object('RedriveRequest', {
  topic: text(1, 200, 'Topic that the messages came from'),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
});

/** Most dead letters that one call discards. */
export const MAX_DISCARDED = 1000;

/** Body that gives dead letters up: exactly those that are named, by where they are in the dead-letter topic. */
export const DiscardRequest = object('DiscardRequest', {
  topic: text(1, 200, 'Topic that the messages came from'),
  dead_letters: Type.Array(
    Type.Object({
      partition: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Partition, as listed' }),
      offset: Type.String({ maxLength: 19, pattern: OFFSET_PATTERN, description: 'Offset, as listed' }),
    }),
    { minItems: 1, maxItems: MAX_DISCARDED, uniqueItems: true, description: 'The oldest dead letters of each partition' },
  ),
});

/** A dead letter as the operator sees it. */
export const DeadLetterView = object('DeadLetterView', {
  topic: Type.String(),
  partition: Type.Integer(),
  offset: Type.String(),
  key: nullable(Type.String()),
  group: Type.String(),
  reason: Type.String(),
  failed_at: Type.String(),
  value: nullable(Type.String({ description: 'First 2,000 characters' })),
});
export type DeadLetterView = Static<typeof DeadLetterView>;

const rowLimit = Type.Optional(integerInQuery(INTEGER_TO_9999_PATTERN, 100, 'Maximum number of rows, 1 to 9999; default 100'));

const pageFields = {
  limit: Type.Optional(
    Type.String({
      pattern: INTEGER_TO_1000_PATTERN,
      description: 'Page size, 1 to 1000; default 100 with a cursor; without limit and cursor, the list is whole, up to 10,000',
    }),
  ),
  cursor: cursorInQuery('`next_cursor` of the previous page'),
};

/** Query of the list of tenants. */
export const TenantListQuery = object('TenantListQuery', {
  search: Type.Optional(
    text(1, 200, 'Tenant id or beginning of the name (case-sensitive). Finds up to 100 tenants, sorted by name, without pages'),
  ),
  ...pageFields,
});
export type TenantListQuery = Static<typeof TenantListQuery>;
/** Query of the list of keys; both filters may be absent. */
export const KeyListQuery = object('KeyListQuery', {
  tenant_id: Type.Optional(text(0, 100, 'Only keys of this tenant')),
  warehouse_code: Type.Optional(text(0, 32, 'Only keys of this warehouse')),
  ...pageFields,
});
/** Query of the list of dead letters. */
export const DeadLetterQuery = Type.Object({ topic: text(0, 200, 'Topic that the messages came from'), limit: rowLimit });

/** What quickstart.json must hold for its keys to be used again at the next start. */
export const QuickstartKeys = Type.Object({
  tenant: Type.Object({ id: Type.String(), name: Type.String(), api_key: Type.String() }),
  warehouse: Type.Object({ code: Type.String(), api_key: Type.String() }),
});
export type QuickstartKeys = Static<typeof QuickstartKeys>;
