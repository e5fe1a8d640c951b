import type { ServiceName } from '@parcelway/contracts/service-name';
import { type UsageAmountsOfDays, UsageAmountsQuery } from '@parcelway/contracts/usage-amounts-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem } from '@parcelway/http/app';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { UsageCounter, type UsageStore } from '@parcelway/kernel/usage-counter';
import type { Router } from 'express';
import type { Platform } from '../service.ts';

/** How a service counts what tenants use. */
export type OpenUsage = ReturnType<typeof openUsage>;

const query = compileValidator(UsageAmountsQuery);

/**
 * Opens the counting of a service.
 *
 *   GET /internal/v1/usage?tenant_id=&from=&to=      → the amounts of each day that has some
 */
export function openUsage(
  { clock, logger }: Pick<Platform, 'clock' | 'logger'>,
  service: ServiceName,
  { store, isErased }: { readonly store: UsageStore; readonly isErased: (tenantId: string) => boolean },
) {
  const counter = new UsageCounter({ store, clock, logger: logger.child({ service }), isErased });
  return {
    /** Counts for a tenant, today. @param amount positive whole number; default 1 */
    add: (tenantId: string, what: string, amount?: number): void => counter.add(tenantId, what, amount),
    /** Adds the internal route by which the gateway reads the amounts. */
    routes(router: Router): void {
      router.get('/internal/v1/usage', async (req, res) => {
        assertSystem(req);
        const { tenant_id, from, to } = parseQuery(req, query);
        const days = await store.days(tenant_id, from, to);
        sendOk(res, { days: days.map(({ day, amounts }) => ({ day, amounts })) } satisfies UsageAmountsOfDays);
      });
    },
    start: () => counter.start(),
    /** Resolves when everything is written, if the store lets it. */
    stop: () => counter.stop(),
  };
}
