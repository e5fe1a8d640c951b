import type { ErasedCount, TenantDataKinds, TenantDataPage } from '@parcelway/contracts/tenant-data-api';
import { TenantDataQuery, TenantDataTarget } from '@parcelway/contracts/tenant-data-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { AppError } from '@parcelway/kernel/app-error';
import type { ListedRecord, TenantData, TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { Request, Router } from 'express';
import { assertSystem } from './app.ts';
import { jsonBody } from './json-body.ts';
import { parseQuery } from './query.ts';
import { sendOk } from './response.ts';

/** A page ends behind the record with which it reaches this many characters of JSON. */
const MAX_PAGE_CHARACTERS = 2_000_000;

const query = compileValidator(TenantDataQuery);
const target = compileValidator(TenantDataTarget);

/** As many of the records as fit into a page; at least one. */
function pageOf(listed: readonly ListedRecord[]): TenantDataPage {
  const records: TenantDataPage['records'] = [];
  let next: string | null = null;
  let size = 0;
  for (const { cursor, record } of listed) {
    records.push(record);
    next = cursor;
    size += JSON.stringify(record).length;
    if (size >= MAX_PAGE_CHARACTERS) break;
  }
  return { records, next };
}

/** What a service stores about tenants, by the names of the kinds. Throws AppError 40403 for a kind that there is not. */
export function namedData(data: readonly TenantDataKind[]) {
  const kindOf = (name: string): TenantDataKind => {
    const kind = data.find((one) => one.name === name);
    if (kind === undefined) throw new AppError('40403', 'There is no such kind of data');
    return kind;
  };
  return {
    kinds: () => data.map(({ name, list, erase }) => ({ name, listed: list !== undefined, erased: erase !== undefined })),
    list: async (kind: string, tenantId: string, after: string | null): Promise<TenantDataPage> =>
      pageOf((await kindOf(kind).list?.(tenantId, after)) ?? []),
    erase: async (kind: string, tenantId: string): Promise<number> => (await kindOf(kind).erase?.(tenantId)) ?? 0,
  };
}

/**
 * The internal routes by which the gateway copies and deletes what a service stores about a tenant. Only the platform's own services may call them.
 * `remember` notes durably that a tenant is erased.
 *
 *   GET  /internal/v1/tenant-data                                      → the kinds
 *   GET  /internal/v1/tenant-data/{kind}?tenant_id=&after=             → a page; `next` is null at the end
 *   POST /internal/v1/tenant-data/{kind}/erase       { tenant_id }     → how many were deleted; 0 when none is left
 *   POST /internal/v1/erased-tenants                 { tenant_id }     → remembers the tenant: its facts are dropped from then on
 */
export function tenantDataRoutes(
  router: Router,
  { data, remember }: { readonly data: Pick<TenantData, 'kinds'>; readonly remember: (tenantId: string) => Promise<void> },
): void {
  const named = namedData(data.kinds);
  const kindOf = (req: Request): string => String(req.params['kind']);
  router.get('/internal/v1/tenant-data', (req, res) => {
    assertSystem(req);
    sendOk(res, { kinds: named.kinds() } satisfies TenantDataKinds);
  });
  router.get('/internal/v1/tenant-data/:kind', async (req, res) => {
    assertSystem(req);
    const { tenant_id, after = null } = parseQuery(req, query);
    sendOk(res, await named.list(kindOf(req), tenant_id, after));
  });
  router.post('/internal/v1/tenant-data/:kind/erase', jsonBody(), async (req, res) => {
    assertSystem(req);
    const { tenant_id } = target.parse(req.body);
    sendOk(res, { erased: await named.erase(kindOf(req), tenant_id) } satisfies ErasedCount);
  });
  router.post('/internal/v1/erased-tenants', jsonBody(), async (req, res) => {
    assertSystem(req);
    const { tenant_id } = target.parse(req.body);
    await remember(tenant_id);
    sendOk(res, { tenant_id });
  });
}
