import type { OperatorRole } from '@parcelway/contracts/operator-api';

/**
 * Each route of the operator's API with the role that it needs. A route that is missing here, and one that does not exist, keep the gateway from starting.
 * A route that only reads may need more than `read`: an export is everything that a tenant has stored.
 */
export const adminRoles = {
  'GET /admin/v1/status': 'read',
  'GET /admin/v1/queues': 'read',
  'GET /admin/v1/operator': 'read',
  'GET /admin/v1/audit-log': 'read',
  'GET /admin/v1/operators': 'admin',
  'POST /admin/v1/operators': 'admin',
  'POST /admin/v1/operators/:name/revoke': 'admin',

  'GET /admin/v1/tenants': 'read',
  'POST /admin/v1/tenants': 'admin',
  'GET /admin/v1/tenants/:id': 'read',
  'PATCH /admin/v1/tenants/:id': 'admin',
  'POST /admin/v1/tenants/:id/suspend': 'admin',
  'POST /admin/v1/tenants/:id/resume': 'admin',
  'GET /admin/v1/tenants/:id/usage': 'read',
  'GET /admin/v1/tenants/:id/requests': 'read',
  'POST /admin/v1/tenants/:id/console-links': 'support',
  'GET /admin/v1/tenants/:id/retention': 'read',
  'PATCH /admin/v1/tenants/:id/retention': 'admin',
  'GET /admin/v1/declared-numbers': 'read',
  'PATCH /admin/v1/tenants/:id/declared-numbers': 'admin',
  'GET /admin/v1/tenants/:id/erasure': 'read',
  'POST /admin/v1/tenants/:id/erasure': 'admin',
  'GET /admin/v1/tenants/:id/export': 'admin',
  'GET /admin/v1/tenants/:id/export/contents/:token': 'admin',
  'GET /admin/v1/tenants/:id/export/:service/:kind': 'admin',

  // Those of tenants. The keys of warehouses need `admin`, as admin-keys.ts checks.
  'GET /admin/v1/keys': 'read',
  'POST /admin/v1/keys': 'support',
  'PATCH /admin/v1/keys/:keyId': 'support',
  'POST /admin/v1/keys/:keyId/rotate': 'support',
  'POST /admin/v1/keys/:keyId/revoke': 'support',

  'GET /admin/v1/tenants/:id/webhook-endpoints': 'read',
  'POST /admin/v1/tenants/:id/webhook-endpoints': 'support',
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id': 'read',
  'PATCH /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id': 'support',
  'DELETE /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id': 'support',
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/rotate-secret': 'support',
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/test': 'support',
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/figures': 'read',
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/deliveries': 'read',
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/deliveries/:delivery_id': 'read',
  'GET /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/attempts': 'read',
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/resend': 'support',
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/replay': 'support',

  'GET /admin/v1/warehouses': 'read',
  'POST /admin/v1/warehouses': 'admin',
  'PATCH /admin/v1/warehouses/:code': 'admin',
  'POST /admin/v1/warehouses/:code/close': 'admin',
  'GET /admin/v1/unclaimed': 'read',
  'GET /admin/v1/resolutions': 'read',
  'GET /admin/v1/warehouses/:code/unclaimed': 'read',
  'GET /admin/v1/warehouses/:code/events/:id': 'read',
  'GET /admin/v1/warehouses/:code/lookup': 'read',
  'POST /admin/v1/warehouses/:code/unclaimed/:id/claim': 'admin',
  'POST /admin/v1/warehouses/:code/unclaimed/:id/dismiss': 'admin',

  'GET /admin/v1/parcels': 'read',

  'GET /admin/v1/dead-letters': 'read',
  'POST /admin/v1/dead-letters/redrive': 'support',
  'POST /admin/v1/dead-letters/discard': 'admin',

  'GET /admin/v1/tenants/:id/carrier-connections': 'read',
  'GET /admin/v1/carrier-connections': 'read',
  'GET /admin/v1/carrier-connections/:connection_id': 'read',
  'POST /admin/v1/carrier-connections': 'admin',
  'PATCH /admin/v1/carrier-connections/:connection_id': 'admin',
  'DELETE /admin/v1/carrier-connections/:connection_id': 'admin',
  'POST /admin/v1/carrier-connections/:connection_id/test': 'admin',
} as const satisfies Readonly<Record<string, OperatorRole>>;
