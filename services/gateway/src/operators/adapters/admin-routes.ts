import type { OperatorAuditAction } from '@parcelway/contracts/operator-activity-api';
import type { OperatorRole } from '@parcelway/contracts/operator-api';
import type { ServiceName } from '@parcelway/contracts/service-name';
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
const noTenant = async (): Promise<null> => null;
const tenantInPath = async (req: Request): Promise<string> => String(req.params['id']);
const tenantInBody = async (req: Request): Promise<string | null> => inBody('tenant_id')(req);
/** Whose key it is; null for that of a warehouse, and for one that does not exist. */
const holderOfKey: NonNullable<AuditedAdminRoute['tenant']> = async (req, keys) => {
  const holder = (await keys.find(String(req.params['keyId'])))?.holder;
  return holder?.kind === 'tenant' ? holder.tenantId : null;
};

/** Says how routes of one type of resource are audited. */
const auditOf =
  (type: AuditedAdminRoute['type'], id: AuditedAdminRoute['id'], tenant?: AuditedAdminRoute['tenant']) =>
  (action: OperatorAuditAction): AuditedAdminRoute => ({ action, type, id, ...(tenant && { tenant }) });
const ofTenant = auditOf('tenant', parameter('id'), tenantInPath);
const ofKey = auditOf('key', parameter('keyId'), holderOfKey);
const ofEndpoint = auditOf('endpoint', parameter('endpoint_id'), tenantInPath);
const ofOperator = auditOf('operator', parameter('name'));
const ofWarehouse = auditOf('warehouse', parameter('code'));
const ofConnection = auditOf('connection', parameter('connection_id'));
const ofParcel = auditOf('parcel', parameter('id'));
const ofTopic = auditOf('topic', inBody('topic'));

/** Another service responds to a route. */
export interface RelayedRoute {
  readonly service: ServiceName;
  /** Who asks it. It responds as it does to a tenant or a warehouse. */
  readonly onBehalfOf: 'tenant' | 'warehouse' | 'platform';
  /** Field of `data` with the id of what the route creates. */
  readonly created?: string;
  /** Of ids of connections, at which pushes arrive, only the role admin sees more than the beginning. */
  readonly hasConnections?: boolean;
}

const endpoints: RelayedRoute = { service: 'webhook', onBehalfOf: 'tenant' };
const intake: RelayedRoute = { service: 'warehouse-intake', onBehalfOf: 'platform' };
const warehouse: RelayedRoute = { service: 'warehouse-intake', onBehalfOf: 'warehouse' };
const connections: RelayedRoute = { service: 'tracking', onBehalfOf: 'platform', hasConnections: true };

/**
 * The role that a route needs. One that needs more than `read` says how it is audited; null: it is not, because it changes nothing that lasts or only
 * reads what has no secret, or what an audited route has named.
 */
export type AdminRoute = {
  readonly to?: RelayedRoute;
  /** Of those of the gateway itself, POST and PATCH read a body unless this says otherwise. */
  readonly body?: 'none' | 'optional';
} & (
  | { readonly role: 'read'; readonly audit?: undefined }
  | { readonly role: Exclude<OperatorRole, 'read'>; readonly audit: Audit | null }
);

/**
 * Each route of the operator's API with the role that it needs, how it is audited, and, unless the gateway itself responds, to which service it goes.
 * A route that only reads may need more than `read`: an export is everything that a tenant has stored.
 */
export const adminRoutes = {
  'GET /admin/v1/status': { role: 'read' },
  'GET /admin/v1/queues': { role: 'read' },
  'GET /admin/v1/operator': { role: 'read' },
  'GET /admin/v1/audit-log': { role: 'read' },
  'GET /admin/v1/operators': { role: 'admin', audit: null },
  'POST /admin/v1/operators': { role: 'admin', audit: { ...ofOperator('operator.created'), id: inBody('name') } },
  'POST /admin/v1/operators/:name/revoke': { role: 'admin', audit: ofOperator('operator.revoked'), body: 'none' },

  'GET /admin/v1/tenants': { role: 'read' },
  'POST /admin/v1/tenants': { role: 'admin', audit: { action: 'tenant.created', type: 'tenant', id: created } },
  'GET /admin/v1/tenants/:id': { role: 'read' },
  'PATCH /admin/v1/tenants/:id': { role: 'admin', audit: ofTenant('tenant.renamed') },
  'POST /admin/v1/tenants/:id/suspend': { role: 'admin', audit: ofTenant('tenant.suspended'), body: 'none' },
  'POST /admin/v1/tenants/:id/resume': { role: 'admin', audit: ofTenant('tenant.resumed'), body: 'none' },
  'GET /admin/v1/tenants/:id/usage': { role: 'read' },
  'GET /admin/v1/tenants/:id/requests': { role: 'read' },
  'POST /admin/v1/tenants/:id/console-links': {
    role: 'support',
    audit: { action: 'console_link.created', type: 'key', id: created, tenant: tenantInPath },
    body: 'optional',
  },
  'GET /admin/v1/tenants/:id/retention': { role: 'read' },
  'PATCH /admin/v1/tenants/:id/retention': { role: 'admin', audit: ofTenant('tenant.retention_changed') },
  'GET /admin/v1/declared-numbers': { role: 'read' },
  'PATCH /admin/v1/tenants/:id/declared-numbers': { role: 'admin', audit: ofTenant('tenant.numbers_limited') },
  'GET /admin/v1/tenants/:id/erasure': { role: 'read' },
  // Kept when the tenant is erased: it is the operator's entry, not the tenant's.
  'POST /admin/v1/tenants/:id/erasure': { role: 'admin', audit: { ...ofTenant('tenant.erased'), tenant: noTenant }, body: 'none' },
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
  'POST /admin/v1/keys/:keyId/rotate': { role: 'support', audit: ofKey('key.rotated'), body: 'optional' },
  'POST /admin/v1/keys/:keyId/revoke': { role: 'support', audit: ofKey('key.revoked'), body: 'none' },

  'GET /admin/v1/tenants/:id/webhook-endpoints': { role: 'read', to: endpoints },
  'POST /admin/v1/tenants/:id/webhook-endpoints': {
    role: 'support',
    audit: { ...ofEndpoint('endpoint.created'), id: created },
    to: { ...endpoints, created: 'endpoint_id' },
  },
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id': { role: 'read', to: endpoints },
  'PATCH /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id': { role: 'support', audit: ofEndpoint('endpoint.updated'), to: endpoints },
  'DELETE /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id': { role: 'support', audit: ofEndpoint('endpoint.deleted'), to: endpoints },
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/rotate-secret': {
    role: 'support',
    audit: ofEndpoint('endpoint.secret_rotated'),
    to: endpoints,
  },
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/test': { role: 'support', audit: null, to: endpoints },
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/figures': { role: 'read', to: endpoints },
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/deliveries': { role: 'read', to: endpoints },
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/deliveries/:delivery_id': { role: 'read', to: endpoints },
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/attempts': { role: 'read', to: endpoints },
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/resend': {
    role: 'support',
    audit: null,
    to: endpoints,
  },
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/replay': { role: 'support', audit: null, to: endpoints },

  'GET /admin/v1/warehouses': { role: 'read' },
  'POST /admin/v1/warehouses': { role: 'admin', audit: { ...ofWarehouse('warehouse.created'), id: inBody('code') } },
  'PATCH /admin/v1/warehouses/:code': { role: 'admin', audit: ofWarehouse('warehouse.renamed') },
  'POST /admin/v1/warehouses/:code/close': { role: 'admin', audit: ofWarehouse('warehouse.closed'), body: 'none' },
  'GET /admin/v1/unclaimed': { role: 'read', to: intake },
  'GET /admin/v1/resolutions': { role: 'read', to: intake },
  'GET /admin/v1/warehouses/:code/unclaimed': { role: 'read', to: warehouse },
  'GET /admin/v1/warehouses/:code/events/:id': { role: 'read', to: warehouse },
  'GET /admin/v1/warehouses/:code/lookup': { role: 'read', to: warehouse },
  'POST /admin/v1/warehouses/:code/unclaimed/:id/claim': { role: 'admin', audit: ofParcel('parcel.claimed'), to: warehouse },
  'POST /admin/v1/warehouses/:code/unclaimed/:id/dismiss': { role: 'admin', audit: ofParcel('parcel.dismissed'), to: warehouse },

  'GET /admin/v1/parcels': { role: 'read' },

  'GET /admin/v1/dead-letters': { role: 'read' },
  'POST /admin/v1/dead-letters/redrive': { role: 'support', audit: ofTopic('dead_letters.redriven') },
  'POST /admin/v1/dead-letters/discard': { role: 'admin', audit: ofTopic('dead_letters.discarded') },

  'GET /admin/v1/tenants/:id/carrier-connections': { role: 'read', to: { ...connections, onBehalfOf: 'tenant' } },
  'GET /admin/v1/carrier-connections': { role: 'read', to: connections },
  'GET /admin/v1/carrier-connections/:connection_id': { role: 'read', to: connections },
  'POST /admin/v1/carrier-connections': {
    role: 'admin',
    audit: { ...ofConnection('connection.created'), id: created },
    to: { ...connections, created: 'connection_id' },
  },
  'PATCH /admin/v1/carrier-connections/:connection_id': { role: 'admin', audit: ofConnection('connection.updated'), to: connections },
  'DELETE /admin/v1/carrier-connections/:connection_id': { role: 'admin', audit: ofConnection('connection.deleted'), to: connections },
  'POST /admin/v1/carrier-connections/:connection_id/test': { role: 'admin', audit: null, to: connections },
} as const satisfies Readonly<Record<string, AdminRoute>>;

type Routes = typeof adminRoutes;

/** The routes that the gateway itself responds to. */
export type OwnRoute = { [Name in keyof Routes]: Routes[Name] extends { readonly to: unknown } ? never : Name }[keyof Routes];
