import { type TenantExport, TenantExportQuery } from '@parcelway/contracts/tenant-data-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { parseQuery } from '@parcelway/http/query';
import { AppError } from '@parcelway/kernel/app-error';
import type { Request } from 'express';
import { platformPrincipal } from '../../proxy/domain/principals.ts';
import { viewErasure } from '../../tenants/domain/erasure.ts';
import { erasureOf } from '../../tenants/erasure-collection.ts';
import { beginTenantErasure, findTenant } from '../../tenants/tenants.ts';
import { type AdminOptions, type Respond, tenantIdOf } from './admin-options.ts';
import type { OwnRoute } from './admin-routes.ts';
import { type ExportCursors, type ExportPlace, invalidAfter } from './export-cursors.ts';
import { relayContent } from './relay.ts';

const pageQuery = compileValidator(TenantExportQuery);

/** The operator's routes by which a tenant is exported and erased. */
export function adminTenantDataRoutes(options: AdminOptions, exports: ExportCursors) {
  const { store, data, environment, relay, keyRing, erasureSettleMs } = options;
  const principal = platformPrincipal(environment, 'admin');
  const existing = async (req: Request): Promise<string> => (await findTenant(store, tenantIdOf(req))).tenantId;
  return {
    'POST /admin/v1/tenants/:id/erasure': async (req) => {
      const record = await beginTenantErasure(options, tenantIdOf(req));
      keyRing.forgetTenant(record.tenantId);
      options.erasureBegun();
      return viewErasure(record, erasureSettleMs);
    },
    'GET /admin/v1/tenants/:id/erasure': async (req) => {
      const record = await erasureOf(store, tenantIdOf(req));
      if (record === undefined) throw new AppError('40403', 'There is no erasure of such a tenant');
      return viewErasure(record, erasureSettleMs);
    },
    'GET /admin/v1/tenants/:id/export': async (req) => {
      await existing(req);
      const kinds: { service: TenantExport['kinds'][number]['service']; kind: string }[] = [];
      for (const service of data.services) {
        for (const { name, listed } of await service.kinds()) if (listed) kinds.push({ service: service.service, kind: name });
      }
      return { kinds } satisfies TenantExport;
    },
    'GET /admin/v1/tenants/:id/export/contents/:token': async (req, res) => {
      await existing(req);
      const path = `/internal/v1/contents/${encodeURIComponent(String(req.params['token']))}`;
      await relayContent(relay, req, res, { service: 'file', path, principal });
      return undefined;
    },
    'GET /admin/v1/tenants/:id/export/:service/:kind': async (req, res) => {
      const tenantId = await existing(req);
      parseQuery(req, pageQuery, { after: () => (exports.read(req) === undefined ? invalidAfter : undefined) });
      const place = exports.read(req) as ExportPlace;
      const service = data.services.find((one) => one.service === req.params['service']);
      const kind = String(req.params['kind']);
      if (service === undefined || !(await service.kinds()).some(({ name }) => name === kind))
        throw new AppError('40403', 'There is no such kind of data');
      const { records, next } = await service.list(kind, tenantId, place.place);
      res.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
      if (next !== null) res.setHeader('Next-After', encodeURIComponent(exports.next(req, place, next)));
      res.end(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      return undefined;
    },
  } satisfies Partial<Record<OwnRoute, Respond>>;
}
