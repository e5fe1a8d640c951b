import Type, { type Static } from 'typebox';
import { AuditEntry } from './activity-api.ts';
import { auditActions, auditResources } from './audited-routes.ts';
import { object } from './object.ts';
import { cursorInQuery, INTEGER_TO_1000_PATTERN, identifier, instant, integerInQuery, nullable, oneOf } from './text.ts';

/* What tenants and operators did. A part of admin-api.ts. */

/** What an entry says was done: what tenants see, and what concerns no single tenant. */
export const operatorAuditActions = [
  ...auditActions,
  'tenant.created',
  'tenant.erased',
  'warehouse.created',
  'warehouse.renamed',
  'warehouse.closed',
  'parcel.claimed',
  'parcel.dismissed',
  'dead_letters.redriven',
  'dead_letters.discarded',
  'operator.created',
  'operator.revoked',
] as const;
export type OperatorAuditAction = (typeof operatorAuditActions)[number];

/** Kinds of what is changed. */
export const operatorAuditResources = [...auditResources, 'warehouse', 'parcel', 'topic', 'operator'] as const;
export type OperatorAuditResource = (typeof operatorAuditResources)[number];

/** Query of the audit log of the operator. */
export const OperatorAuditQuery = object('OperatorAuditQuery', {
  tenant_id: Type.Optional(identifier(1, 64, 'Only entries of this tenant')),
  operator: Type.Optional(identifier(1, 32, 'Only entries of this operator')),
  action: Type.Optional(oneOf(operatorAuditActions, 'Only entries of this action')),
  created_from: Type.Optional(instant('Only entries at or after this instant')),
  created_to: Type.Optional(instant('Only entries before this instant')),
  limit: Type.Optional(integerInQuery(INTEGER_TO_1000_PATTERN, 100, 'Page size, 1 to 1000; default 100')),
  cursor: cursorInQuery('`next_cursor` of the previous page'),
});

/** An entry of the audit log, as the operator sees it. */
export const OperatorAuditEntry = object('OperatorAuditEntry', {
  ...AuditEntry.properties,
  tenant_id: nullable(Type.String({ description: 'null: concerns no single tenant' })),
  action: oneOf(operatorAuditActions, 'What was done'),
  actor: Type.Object({
    ...AuditEntry.properties.actor.properties,
    id: Type.String({ description: '`key_id`, or the name of the operator' }),
  }),
  resource: Type.Object({
    type: oneOf(operatorAuditResources, 'Kind of the resource'),
    id: nullable(Type.String({ description: 'null: not known' })),
  }),
});
export type OperatorAuditEntry = Static<typeof OperatorAuditEntry>;

/** A page of the audit log, newest first. */
export interface OperatorAuditLog {
  readonly entries: readonly OperatorAuditEntry[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}
