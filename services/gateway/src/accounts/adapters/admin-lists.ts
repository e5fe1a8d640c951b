import { KeyListQuery, TenantListQuery } from '@parcelway/contracts/admin-api';
import { compileValidator, type Validator } from '@parcelway/contracts/validator';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { createSealedCursors, invalidCursor, type SealedCursors } from '@parcelway/http/sealed-cursor';
import { type ListPosition, positionInText, textOfPosition } from '@parcelway/kernel/list-position';
import type { Request, Router } from 'express';
import { type AccountsPage, listKeys, listTenants, searchTenants } from '../list-accounts.ts';
import type { GatewayStores } from '../ports.ts';
import { viewTenant } from './admin-views.ts';
import { viewKey } from './key-views.ts';

/** What the lists work with. */
export interface AdminListsOptions {
  readonly stores: Pick<GatewayStores, 'tenants' | 'keys'>;
  /** Secrets of the installation, of which the first seals cursors. */
  readonly fileSecrets: readonly string[];
}

/** Most rows of a list without pages. */
const MAX_ROWS = 10_000;
/** Rows of a page of which only the cursor is given. */
const DEFAULT_PAGE = 100;
/** For whom cursors are sealed. */
const OPERATOR = 'admin';

const tenantListQuery = compileValidator(TenantListQuery);
const keyListQuery = compileValidator(KeyListQuery);
/** What is asked for: a page, or the whole list. */
interface ListRequest<Query> {
  readonly query: Query;
  readonly limit: number;
  readonly after: ListPosition | undefined;
  readonly isPage: boolean;
}

/** @throws AppError 42201 naming each parameter that is wrong */
function readListRequest<Query extends Pick<TenantListQuery, 'limit' | 'cursor'>>(
  req: Request,
  validator: Validator<Query>,
  cursors: SealedCursors,
): ListRequest<Query> {
  let after: ListPosition | undefined;
  const query = parseQuery(req, validator, {
    cursor(text) {
      after = positionInText(cursors.open(OPERATOR, text) ?? '');
      return after === undefined ? invalidCursor : undefined;
    },
  });
  const isPage = query.limit !== undefined || after !== undefined;
  return { query, limit: isPage ? Number(query.limit ?? DEFAULT_PAGE) : MAX_ROWS, after, isPage };
}

/** `next_cursor` of a page; nothing of a whole list, which has none. */
function nextCursor({ next }: AccountsPage<unknown>, { isPage }: ListRequest<unknown>, cursors: SealedCursors): object {
  if (!isPage) return {};
  return { next_cursor: next === null ? null : cursors.seal(OPERATOR, textOfPosition(next)) };
}

/** The operator's lists of tenants and of keys: page by page, or whole as long as neither `limit` nor `cursor` is given. */
export function adminListRoutes(router: Router, { stores, fileSecrets }: AdminListsOptions): void {
  const cursorsOf = (list: string): SealedCursors => createSealedCursors(fileSecrets, list, { hasUnsealed: false });
  const tenantCursors = cursorsOf('tenants');
  const keyCursors = cursorsOf('keys');
  router.get('/admin/v1/tenants', async (req, res) => {
    const asked = readListRequest(req, tenantListQuery, tenantCursors);
    const { search } = asked.query;
    if (search !== undefined) {
      sendOk(res, { tenants: (await searchTenants(stores, search)).map(viewTenant) });
      return;
    }
    const page = await listTenants(stores, asked.limit, asked.after);
    sendOk(res, { tenants: page.records.map(viewTenant), ...nextCursor(page, asked, tenantCursors) });
  });
  router.get('/admin/v1/keys', async (req, res) => {
    const asked = readListRequest(req, keyListQuery, keyCursors);
    const { tenant_id: tenantId, warehouse_code: warehouseCode } = asked.query;
    const filter = { ...(tenantId !== undefined && { tenantId }), ...(warehouseCode !== undefined && { warehouseCode }) };
    const page = await listKeys(stores, filter, asked.limit, asked.after);
    sendOk(res, { keys: page.records.map(viewKey), ...nextCursor(page, asked, keyCursors) });
  });
}
