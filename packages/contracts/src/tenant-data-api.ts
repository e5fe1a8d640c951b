import Type, { type Static } from 'typebox';
import { object } from './object.ts';
import { type ServiceName, serviceNames } from './service-name.ts';
import { instant, nullable, oneOf } from './text.ts';

/*
 * What the platform stores about a tenant: copied for the tenant, and erased. The operator's API offers it, and the services offer their part of it to
 * the gateway.
 */

const tenantId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' });

/** Which page of a kind. */
export const TenantDataQuery = Type.Object({ tenant_id: tenantId, after: Type.Optional(Type.String({ maxLength: 1000 })) });

/** Which page of an export: the `Next-After` of the page before. It holds a place of at most 1000 characters. */
export const TenantExportQuery = Type.Object({ after: Type.Optional(Type.String({ minLength: 1, maxLength: 8000 })) });

/** Body that names a tenant. */
export const TenantDataTarget = Type.Object({ tenant_id: tenantId });

/** Body that names photos of a tenant's parcels by the tokens in their URLs. */
export const TenantPhotos = Type.Object({
  tenant_id: tenantId,
  tokens: Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' }), { minItems: 1, maxItems: 100 }),
});

/** The kinds of a service. */
export interface TenantDataKinds {
  readonly kinds: readonly { readonly name: string; readonly listed: boolean; readonly erased: boolean }[];
}

/** Records of a kind. */
export interface TenantDataPage {
  readonly records: Readonly<Record<string, unknown>>[];
  /** Where the next page begins; null at the end. */
  readonly next: string | null;
}

/** What a step deleted. */
export interface ErasedCount {
  readonly erased: number;
}

/** Where an erasure is: its own kinds of what the services store, and what is not theirs. */
export const Erasure = object('Erasure', {
  tenant_id: Type.String(),
  state: oneOf(['running', 'finished'], 'State'),
  start_time: instant('Begin of the erasure'),
  finish_time: nullable(instant('End of the erasure; null while it runs')),
  last_look_time: nullable(
    instant(
      'While it runs: when the last look for data begins at the earliest; null until every service has remembered the tenant, and at the end',
    ),
  ),
  failures: Type.Integer({ minimum: 0, description: 'Tries that failed in a row without deleting anything; each is repeated by itself' }),
  failure: nullable(Type.String({ description: 'Why the last of them failed' })),
  removed: Type.Array(Type.Object({ service: oneOf(serviceNames, 'Service'), kind: Type.String(), count: Type.Integer({ minimum: 0 }) }), {
    description: 'What was deleted so far',
  }),
  remains: Type.Array(
    Type.Object({
      what: Type.String({ description: 'What still has data of the tenant' }),
      until: nullable(instant('When the last of it is gone; null when the operator decides')),
      note: Type.String(),
    }),
    { description: 'What an erasure does not delete; empty while it runs' },
  ),
});
/** See the schema of the same name. */
export type Erasure = Static<typeof Erasure>;

/** The kinds of data that an export consists of. */
export interface TenantExport {
  readonly kinds: readonly { readonly service: ServiceName; readonly kind: string }[];
}
