import { KeyListQuery, TenantListQuery } from '@parcelway/contracts/admin-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { sendOk } from '@parcelway/http/response';
import type { Router } from 'express';
import { ListCursors } from '../../activity/adapters/list-cursors.ts';
import { viewKey } from '../../keys/adapters/key-views.ts';
import { listKeys, listTenants, searchTenants } from '../../keys/list-accounts.ts';
import type { AdminOptions } from './admin-options.ts';
import { viewTenant } from './admin-views.ts';

/** Most rows of a list without pages. */
const MAX_ROWS = 10_000;
/** Rows of a page of which only the cursor is given. */
const DEFAULT_PAGE = 100;
/** For whom cursors are sealed. */
const OPERATOR = 'admin';

const tenantListQuery = compileValidator(TenantListQuery);
const keyListQuery = compileValidator(KeyListQuery);

/** Which rows are asked for: a page, or the whole list as long as neither `limit` nor `cursor` is given. */
function rowsOf({ limit, cursor }: Pick<TenantListQuery, 'limit' | 'cursor'>) {
  const isPage = limit !== undefined || cursor !== undefined;
  return { limit: isPage ? Number(limit ?? DEFAULT_PAGE) : MAX_ROWS, isPage };
}

/** The operator's lists of tenants and of keys: page by page, or whole as long as neither `limit` nor `cursor` is given. */
export function adminListRoutes(router: Router, { stores, fileSecrets }: AdminOptions): void {
  const [tenantCursors, keyCursors] = [new ListCursors(fileSecrets, 'tenants'), new ListCursors(fileSecrets, 'keys')];
  router.get('/admin/v1/tenants', async (req, res) => {
    const asked = tenantCursors.read(req, tenantListQuery, OPERATOR);
    const { search } = asked.query;
    if (search !== undefined) {
      sendOk(res, { tenants: (await searchTenants(stores, search)).map(viewTenant) });
      return;
    }
    const { limit, isPage } = rowsOf(asked.query);
    const page = await listTenants(stores, limit, asked.after);
    sendOk(res, { tenants: page.records.map(viewTenant), ...(isPage && { next_cursor: tenantCursors.next(page, OPERATOR) }) });
  });
  router.get('/admin/v1/keys', async (req, res) => {
    const asked = keyCursors.read(req, keyListQuery, OPERATOR);
    const { tenant_id: tenantId, warehouse_code: warehouseCode } = asked.query;
    const filter = { ...(tenantId !== undefined && { tenantId }), ...(warehouseCode !== undefined && { warehouseCode }) };
    const { limit, isPage } = rowsOf(asked.query);
    const page = await listKeys(stores, filter, limit, asked.after);
    sendOk(res, { keys: page.records.map(viewKey), ...(isPage && { next_cursor: keyCursors.next(page, OPERATOR) }) });
  });
}
