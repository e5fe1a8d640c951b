import type { OperatorAuditAction, OperatorAuditResource } from '@parcelway/contracts/operator-activity-api';
import { requestIdOf } from '@parcelway/http/app';
import { CLIENT_GONE } from '@parcelway/http/follow-request';
import type { Request, RequestHandler, Response } from 'express';
import type { AuditTrail } from '../../activity/audit-trail.ts';
import { auditEndOf } from '../../activity/domain/audit-entry.ts';
import type { KeyStore } from '../../keys/ports.ts';
import type { ExportCursors } from './export-cursors.ts';
import { operatorOf } from './operator-access.ts';

/** How a route of the operator's API is audited. */
interface AuditedAdminRoute {
  readonly action: OperatorAuditAction;
  readonly type: OperatorAuditResource;
  /** The resource; null when it is not known before the response. */
  readonly id: (req: Request) => string | null;
  /** Whom the change concerns; null: no single tenant. Default: {@link none}. */
  readonly tenant?: (req: Request, keys: Pick<KeyStore, 'find'>) => Promise<string | null>;
}

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
const none = async (): Promise<null> => null;
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

/** Route of the operator's API → how it is audited. An export reads everything that a tenant has, so it is among them. */
export const adminAudit: Readonly<
  Record<string, AuditedAdminRoute | ((req: Request, options: AdminAuditOptions) => AuditedAdminRoute | undefined)>
> = {
  'POST /admin/v1/operators': { action: 'operator.created', type: 'operator', id: inBody('name') },
  'POST /admin/v1/operators/:name/revoke': { action: 'operator.revoked', type: 'operator', id: parameter('name') },
  'POST /admin/v1/tenants': { action: 'tenant.created', type: 'tenant', id: created },
  'PATCH /admin/v1/tenants/:id': ofTenant('tenant.renamed'),
  'POST /admin/v1/tenants/:id/suspend': ofTenant('tenant.suspended'),
  'POST /admin/v1/tenants/:id/resume': ofTenant('tenant.resumed'),
  'PATCH /admin/v1/tenants/:id/retention': ofTenant('tenant.retention_changed'),
  'PATCH /admin/v1/tenants/:id/declared-numbers': ofTenant('tenant.numbers_limited'),
  // Kept when the tenant is erased: it is the operator's entry, not the tenant's.
  'POST /admin/v1/tenants/:id/erasure': { action: 'tenant.erased', type: 'tenant', id: parameter('id') },
  'GET /admin/v1/tenants/:id/export': ofTenant('tenant.exported'),
  // The first page of each kind, and one an hour: it can be read without the list of kinds. What is no cursor is refused, which removes the entry.
  'GET /admin/v1/tenants/:id/export/:service/:kind': (req, { exports }) =>
    exports.read(req)?.begins === false ? undefined : ofTenant('tenant.exported'),
  'POST /admin/v1/tenants/:id/console-links': { action: 'console_link.created', type: 'key', id: created, tenant: tenantInPath },
  'POST /admin/v1/keys': { action: 'key.created', type: 'key', id: created, tenant: tenantInBody },
  'PATCH /admin/v1/keys/:keyId': ofKey('key.updated'),
  'POST /admin/v1/keys/:keyId/rotate': ofKey('key.rotated'),
  'POST /admin/v1/keys/:keyId/revoke': ofKey('key.revoked'),
  'POST /admin/v1/tenants/:id/webhook-endpoints': { ...ofEndpoint('endpoint.created'), id: created },
  'PATCH /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id': ofEndpoint('endpoint.updated'),
  'DELETE /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id': ofEndpoint('endpoint.deleted'),
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/rotate-secret': ofEndpoint('endpoint.secret_rotated'),
  'POST /admin/v1/warehouses': { action: 'warehouse.created', type: 'warehouse', id: inBody('code') },
  'PATCH /admin/v1/warehouses/:code': { action: 'warehouse.renamed', type: 'warehouse', id: parameter('code') },
  'POST /admin/v1/warehouses/:code/close': { action: 'warehouse.closed', type: 'warehouse', id: parameter('code') },
  'POST /admin/v1/warehouses/:code/unclaimed/:id/claim': ofParcel('parcel.claimed'),
  'POST /admin/v1/warehouses/:code/unclaimed/:id/dismiss': ofParcel('parcel.dismissed'),
  'POST /admin/v1/dead-letters/redrive': ofTopic('dead_letters.redriven'),
  'POST /admin/v1/dead-letters/discard': ofTopic('dead_letters.discarded'),
  'POST /admin/v1/carrier-connections': { action: 'connection.created', type: 'connection', id: created },
  'PATCH /admin/v1/carrier-connections/:connection_id': ofConnection('connection.updated'),
  'DELETE /admin/v1/carrier-connections/:connection_id': ofConnection('connection.deleted'),
};

/**
 * Routes that need more than the role `read` and are not audited: a test, a resending and a replay change nothing that lasts, the list of operators has no secret, and who reads a content has its
 * name from the records of an export.
 */
export const unauditedAdminRoutes: readonly string[] = [
  'POST /admin/v1/carrier-connections/:connection_id/test',
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/test',
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/replay',
  'POST /admin/v1/tenants/:id/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/resend',
  'GET /admin/v1/operators',
  'GET /admin/v1/tenants/:id/export/contents/:token',
];

const createdIds = new WeakMap<Response, string>();

/** Says what a request of an operator has created. */
export function noteCreated(res: Response, id: string): void {
  createdIds.set(res, id);
}

/** Undefined for what is no JSON: the response has been sent as it is. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As {@link noteCreated}, by a field of `data` in the response of a service. Nothing when there is none, as in a refusal. */
export function noteCreatedIn(res: Response, text: string, field: string): void {
  const id = (parsedJson(text) as { readonly data?: Readonly<Record<string, unknown>> | null } | undefined)?.data?.[field];
  if (res.statusCode < 400 && typeof id === 'string') noteCreated(res, id);
}

/** What requests of operators are audited with. */
export interface AdminAuditOptions {
  readonly trail: Pick<AuditTrail, 'begin'>;
  readonly keys: Pick<KeyStore, 'find'>;
  readonly exports: Pick<ExportCursors, 'read'>;
}

/**
 * Writes the entry of a change before it is made, and its outcome after the response; see AuditTrail. Goes directly before the handler of the route: the body
 * is read by then, unless the handler passes it on to a service.
 * @returns undefined for a route that is not audited
 */
export function auditRoute(route: string, options: AdminAuditOptions): RequestHandler | undefined {
  const { trail, keys } = options;
  const found = adminAudit[route];
  if (found === undefined) return undefined;
  return async (req, res, next) => {
    const audited = typeof found === 'function' ? found(req, options) : found;
    if (audited === undefined) return next();
    const entry = await trail.begin({
      tenantId: await (audited.tenant ?? none)(req, keys),
      action: audited.action,
      actor: { type: 'operator', id: operatorOf(req).name, address: null },
      resourceType: audited.type,
      resourceId: audited.id(req),
      requestId: requestIdOf(req),
    });
    res.once('close', () => {
      const status = res.writableFinished ? res.statusCode : CLIENT_GONE;
      void entry.end(auditEndOf(status, res.hasHeader('Idempotent-Replayed')), createdIds.get(res));
    });
    next();
  };
}
