import type { OperatorAuditAction } from '@parcelway/contracts/operator-activity-api';
import type { OperatorRole } from '@parcelway/contracts/operator-api';
import type { Request } from 'express';
import type { Audit, AuditedAdminRoute } from './admin-audit.ts';

const parameter =
  (name: string) =>
  (req: Request): string =>
    String(req.params[name]);

/** Longer than any id; the route refuses what is longer. */
const MAX_ID_CHARACTERS = 128;

/** A field of the body; null when it is no text that can be an id. */
const inBody =
  (name: string) =>
  (req: Request): string | null => {
    const value = (req.body as Readonly<Record<string, unknown>> | undefined)?.[name];
    return typeof value === 'string' && value.length <= MAX_ID_CHARACTERS ? value : null;
  };

const created = (): null => null;
const tenantInPath = async (req: Request): Promise<string> => String(req.params['id']);
const tenantInBody = async (req: Request): Promise<string | null> => inBody('tenant_id')(req);
/** Whose key it is; null for that of a warehouse, and for one that does not exist. */
const holderOfKey: NonNullable<AuditedAdminRoute['tenant']> = async (req, keys) => {
  const holder = (await keys.find(String(req.params['keyId'])))?.holder;
  return holder?.kind === 'tenant' ? holder.tenantId : null;
};

const ofTenant = (action: OperatorAuditAction): AuditedAdminRoute => ({
  action,
  type: 'tenant',
  id: parameter('id'),
  tenant: tenantInPath,
});
const ofKey = (action: OperatorAuditAction): AuditedAdminRoute => ({ action, type: 'key', id: parameter('keyId'), tenant: holderOfKey });
const ofConnection = (action: OperatorAuditAction): AuditedAdminRoute => ({ action, type: 'connection', id: parameter('connection_id') });
const ofParcel = (action: OperatorAuditAction): AuditedAdminRoute => ({ action, type: 'parcel', id: parameter('id') });
const ofTopic = (action: OperatorAuditAction): AuditedAdminRoute => ({ action, type: 'topic', id: inBody('topic') });

const ofEndpoint = (action: OperatorAuditAction): AuditedAdminRoute => ({
  action,
  type: 'endpoint',
  id: parameter('endpoint_id'),
  tenant: tenantInPath,
});

/**
 * The role that a route needs. One that needs more than `read` says how it is audited; null: it is not, because it changes nothing that lasts or only
 * reads what has no secret, or what an audited route has named.
 */
export type AdminRoute = { readonly role: 'read' } | { readonly role: Exclude<OperatorRole, 'read'>; readonly audit: Audit | null };

/**
 * Each route of the operator's API with the role that it needs, and how it is audited. A route that is missing here, and one that does not exist, keep the gateway from starting.
 * A route that only reads may need more than `read`: an export is everything that a tenant has stored.
 */
export const adminRoutes = {
  'GET /admin/v1/status': { role: 'read' },
  'GET /admin/v1/queues': { role: 'read' },
  'GET /admin/v1/operator': { role: 'read' },
  'GET /admin/v1/audit-log': { role: 'read' },
  'GET /admin/v1/operators': { role: 'admin', audit: null },
  'POST /admin/v1/operators': { role: 'admin', audit: { action: 'operator.created', type: 'operator', id: inBody('name') } },
  'POST /admin/v1/operators/:name/revoke': {
    role: 'admin',
    audit: { action: 'operator.revoked', type: 'operator', id: parameter('name') },
  },

  'GET /admin/v1/tenants': { role: 'read' },
  'POST /admin/v1/tenants': { role: 'admin', audit: { action: 'tenant.created', type: 'tenant', id: created } },
  'GET /admin/v1/tenants/:id': { role: 'read' },
  'PATCH /admin/v1/tenants/:id': { role: 'admin', audit: ofTenant('tenant.renamed') },
  'POST /admin/v1/tenants/:id/suspend': { role: 'admin', audit: ofTenant('tenant.suspended') },
  'POST /admin/v1/tenants/:id/resume': { role: 'admin', audit: ofTenant('tenant.resumed') },
  'GET /admin/v1/tenants/:id/usage': { role: 'read' },
  'GET /admin/v1/tenants/:id/requests': { role: 'read' },
  'POST /admin/v1/tenants/:id/console-links': {
    role: 'support',
    audit: { action: 'console_link.created', type: 'key', id: created, tenant: tenantInPath },
  },
  'GET /admin/v1/tenants/:id/retention': { role: 'read' },
  'PATCH /admin/v1/tenants/:id/retention': { role: 'admin', audit: ofTenant('tenant.retention_changed') },
  'GET /admin/v1/declared-numbers': { role: 'read' },
  'PATCH /admin/v1/tenants/:id/declared-numbers': { role: 'admin', audit: ofTenant('tenant.numbers_limited') },
  'GET /admin/v1/tenants/:id/erasure': { role: 'read' },
  // Kept when the tenant is erased: it is the operator's entry, not the tenant's.
  'POST /admin/v1/tenants/:id/erasure': { role: 'admin', audit: { action: 'tenant.erased', type: 'tenant', id: parameter('id') } },
  'GET /admin/v1/tenants/:id/export': { role: 'admin', audit: ofTenant('tenant.exported') },
  'GET /admin/v1/tenants/:id/export/contents/:token': { role: 'admin', audit: null },
  // The first page of each kind, and one an hour: it can be read without the list of kinds. What is no cursor is refused, which removes the entry.
  'GET /admin/v1/tenants/:id/export/:service/:kind': {
    role: 'admin',
    audit: (req, { exports }) => (exports.read(req)?.begins === false ? undefined : ofTenant('tenant.exported')),
  },

  // Those of tenants. The keys of warehouses need `admin`, as admin-keys.ts checks.
  'GET /admin/v1/keys': { role: 'read' },
  'POST /admin/v1/keys': { role: 'support', audit: { action: 'key.created', type: 'key', id: created, tenant: tenantInBody } },
  'PATCH /admin/v1/keys/:keyId': { role: 'support', audit: ofKey('key.updated') },
  'POST /admin/v1/keys/:keyId/rotate': { role: 'support', audit: ofKey('key.rotated') },
  'POST /admin/v1/keys/:keyId/revoke': { role: 'support', audit: ofKey('key.revoked') },

  'GET /admin/v1/tenants/:id/webhook-endpoints': { role: 'read' },
  'POST /admin/v1/tenants/:id/webhook-endpoints': { role: 'support', audit: { ...ofEndpoint('endpoint.created'), id: created } },
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id': { role: 'read' },
  'PATCH /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id': { role: 'support', audit: ofEndpoint('endpoint.updated') },
  'DELETE /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id': { role: 'support', audit: ofEndpoint('endpoint.deleted') },
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/rotate-secret': {
    role: 'support',
    audit: ofEndpoint('endpoint.secret_rotated'),
  },
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/test': { role: 'support', audit: null },
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/figures': { role: 'read' },
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/deliveries': { role: 'read' },
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/deliveries/:delivery_id': { role: 'read' },
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/attempts': { role: 'read' },
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/resend': { role: 'support', audit: null },
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/replay': { role: 'support', audit: null },

  'GET /admin/v1/warehouses': { role: 'read' },
  'POST /admin/v1/warehouses': { role: 'admin', audit: { action: 'warehouse.created', type: 'warehouse', id: inBody('code') } },
  'PATCH /admin/v1/warehouses/:code': { role: 'admin', audit: { action: 'warehouse.renamed', type: 'warehouse', id: parameter('code') } },
  'POST /admin/v1/warehouses/:code/close': {
    role: 'admin',
    audit: { action: 'warehouse.closed', type: 'warehouse', id: parameter('code') },
  },
  'GET /admin/v1/unclaimed': { role: 'read' },
  'GET /admin/v1/resolutions': { role: 'read' },
  'GET /admin/v1/warehouses/:code/unclaimed': { role: 'read' },
  'GET /admin/v1/warehouses/:code/events/:id': { role: 'read' },
  'GET /admin/v1/warehouses/:code/lookup': { role: 'read' },
  'POST /admin/v1/warehouses/:code/unclaimed/:id/claim': { role: 'admin', audit: ofParcel('parcel.claimed') },
  'POST /admin/v1/warehouses/:code/unclaimed/:id/dismiss': { role: 'admin', audit: ofParcel('parcel.dismissed') },

  'GET /admin/v1/parcels': { role: 'read' },

  'GET /admin/v1/dead-letters': { role: 'read' },
  'POST /admin/v1/dead-letters/redrive': { role: 'support', audit: ofTopic('dead_letters.redriven') },
  'POST /admin/v1/dead-letters/discard': { role: 'admin', audit: ofTopic('dead_letters.discarded') },

  'GET /admin/v1/tenants/:id/carrier-connections': { role: 'read' },
  'GET /admin/v1/carrier-connections': { role: 'read' },
  'GET /admin/v1/carrier-connections/:connection_id': { role: 'read' },
  'POST /admin/v1/carrier-connections': { role: 'admin', audit: { action: 'connection.created', type: 'connection', id: created } },
  'PATCH /admin/v1/carrier-connections/:connection_id': { role: 'admin', audit: ofConnection('connection.updated') },
  'DELETE /admin/v1/carrier-connections/:connection_id': { role: 'admin', audit: ofConnection('connection.deleted') },
  'POST /admin/v1/carrier-connections/:connection_id/test': { role: 'admin', audit: null },
} as const satisfies Readonly<Record<string, AdminRoute>>;
