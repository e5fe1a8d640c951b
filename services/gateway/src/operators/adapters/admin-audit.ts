import type { OperatorAuditAction, OperatorAuditResource } from '@parcelway/contracts/operator-activity-api';
import { requestIdOf } from '@parcelway/http/app';
import { CLIENT_GONE } from '@parcelway/http/follow-request';
import { jsonOf } from '@parcelway/kernel/json-of';
import type { Request, RequestHandler, Response } from 'express';
import { NO_TENANT } from '../../activity/audit-collection.ts';
import type { AuditTrail } from '../../activity/audit-trail.ts';
import { auditEndOf } from '../../activity/domain/audit-entry.ts';
import type { KeyStore } from '../../keys/key-collection.ts';
import type { ExportCursors } from './export-cursors.ts';
import { operatorOf } from './operator-access.ts';

/** How a route of the operator's API is audited. */
export interface AuditedAdminRoute {
  readonly action: OperatorAuditAction;
  readonly type: OperatorAuditResource;
  /** The resource; null when it is not known before the response. */
  readonly id: (req: Request) => string | null;
  /** Whom the change concerns; null: no single tenant. Default: null. */
  readonly tenant?: (req: Request, keys: Pick<KeyStore, 'find'>) => Promise<string | null>;
}

const createdIds = new WeakMap<Response, string>();

/** Says what a request of an operator has created. */
export function noteCreated(res: Response, id: string): void {
  createdIds.set(res, id);
}

/** As {@link noteCreated}, by a field of `data` in the response of a service. Nothing when there is none, as in a refusal. */
export function noteCreatedIn(res: Response, text: string, field: string): void {
  const id = (jsonOf(text) as { readonly data?: Readonly<Record<string, unknown>> | null } | undefined)?.data?.[field];
  if (res.statusCode < 400 && typeof id === 'string') noteCreated(res, id);
}

/** What requests of operators are audited with. */
export interface AdminAuditOptions {
  readonly trail: Pick<AuditTrail, 'begin'>;
  readonly keys: Pick<KeyStore, 'find'>;
  readonly exports: Pick<ExportCursors, 'read'>;
}

/** How a route is audited, which may depend on the request; undefined: this request is not. */
export type Audit = AuditedAdminRoute | ((req: Request, options: AdminAuditOptions) => AuditedAdminRoute | undefined);

/**
 * Writes the entry of a change before it is made, and its outcome after the response; see AuditTrail. Goes directly before the handler of the route: the body
 * is read by then, unless the handler passes it on to a service.
 */
export function auditRoute(found: Audit, options: AdminAuditOptions): RequestHandler {
  const { trail, keys } = options;
  return async (req, res, next) => {
    const audited = typeof found === 'function' ? found(req, options) : found;
    if (audited === undefined) return next();
    const entry = await trail.begin({
      tenantId: (await audited.tenant?.(req, keys)) ?? NO_TENANT,
      action: audited.action,
      actorType: 'operator',
      actorId: operatorOf(req).name,
      address: null,
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
