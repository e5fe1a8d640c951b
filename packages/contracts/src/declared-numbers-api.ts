import Type, { type Static } from 'typebox';
import { object } from './object.ts';
import { BOOLEAN_PATTERN, nullable } from './text.ts';

/* Logistics numbers that tenants declare and that no warehouse has seen, for operators. Counts are kept, not made: they cost the same whatever is stored. */

/** Tenants in the list. */
export const MAX_LISTED_TENANTS = 100;
/** Tenants whose limit is followed. */
export const MAX_LIMITED_TENANTS = 10_000;
/** Highest limit. */
const MAX_LIMIT = 100_000_000;

/** Query of the internal list: the tenants with the most, or those with a limit. */
export const TenantNumbersQuery = Type.Object({ limited: Type.Optional(Type.String({ pattern: BOOLEAN_PATTERN })) });

/** Body that limits the numbers of a tenant. */
export const NumberLimit = Type.Object(
  {
    limit: nullable(
      Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: 'Most numbers that no warehouse has seen; null: no limit, the default' }),
    ),
  },
  { $id: 'NumberLimit', additionalProperties: false },
);

/** The same with the tenant. */
export const TenantNumberLimit = Type.Object({ ...NumberLimit.properties, tenant_id: Type.String({ minLength: 1, maxLength: 64 }) });

/** The numbers of a tenant. */
export const TenantNumbers = object('TenantNumbers', {
  tenant_id: Type.String(),
  unseen: Type.Integer({ description: 'Declared for parcels that are expected or here, and never scanned' }),
  seen_30_days: Type.Integer({ description: 'Parcels that warehouses have seen in the last 30 days' }),
  is_suspect: Type.Boolean({
    description: 'More than 5,000 unseen numbers and more than 20 for each parcel seen: scans that only this tenant declared wait',
  }),
  limit: nullable(Type.Integer({ description: 'Set by an operator' })),
});
export type TenantNumbers = Static<typeof TenantNumbers>;

/** A tenant in the list. */
export type ListedNumbers = TenantNumbers & { readonly tenant_name: string | null };

/** The tenants with the most unseen numbers, suspect ones first. */
export interface TenantNumbersList<T = TenantNumbers> {
  readonly tenants: readonly T[];
}
