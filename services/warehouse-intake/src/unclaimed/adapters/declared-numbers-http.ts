import {
  MAX_LIMITED_TENANTS,
  MAX_LISTED_TENANTS,
  TenantNumberLimit,
  type TenantNumbers,
  type TenantNumbersList,
  TenantNumbersQuery,
} from '@parcelway/contracts/declared-numbers-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem } from '@parcelway/http/app';
import { jsonBody } from '@parcelway/http/json-body';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import type { Router } from 'express';
import { type DeclaredNumbers, isSuspect } from '../../expected/domain/declared-numbers.ts';
import type { NumberCounts } from '../../expected/ports.ts';

const tenantNumbersQuery = compileValidator(TenantNumbersQuery);
const tenantNumberLimit = compileValidator(TenantNumberLimit);

function view(counts: DeclaredNumbers): TenantNumbers {
  const { tenantId, unseen, seen, limit } = counts;
  return { tenant_id: tenantId, unseen, seen_30_days: seen, is_suspect: isSuspect(counts), limit };
}

/** The internal routes by which operators see and limit the numbers of tenants, and `forecast` follows the limits. */
export function declaredNumbersRoutes(
  router: Router,
  counts: Pick<NumberCounts, 'declaredNumbers' | 'limitedNumbers' | 'limitNumbers'>,
): void {
  router.get('/internal/v1/declared-numbers', async (req, res) => {
    assertSystem(req);
    const { limited } = parseQuery(req, tenantNumbersQuery);
    const found = await (limited === 'true' ? counts.limitedNumbers(MAX_LIMITED_TENANTS) : counts.declaredNumbers(MAX_LISTED_TENANTS));
    const tenants = found.map(view);
    const order = (a: TenantNumbers, b: TenantNumbers): number => Number(b.is_suspect) - Number(a.is_suspect) || b.unseen - a.unseen;
    sendOk(res, { tenants: tenants.sort(order) } satisfies TenantNumbersList);
  });
  router.post('/internal/v1/declared-numbers', jsonBody(), async (req, res) => {
    assertSystem(req);
    const { tenant_id: tenantId, limit } = tenantNumberLimit.parse(req.body);
    sendOk(res, view(await counts.limitNumbers(tenantId, limit)));
  });
}
