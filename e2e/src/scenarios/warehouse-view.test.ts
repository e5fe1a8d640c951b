import { describe, expect, test } from '@jest/globals';
import type { WarehouseForecast } from '@parcelway/contracts/warehouse-view-api';
import type { Merchant } from '@parcelway/harness/merchant';
import type { WarehouseClerk } from '@parcelway/harness/warehouse';
import { until } from '@parcelway/kernel/testing/until';
import { useSharedStageWithMerchant, useWarehouse } from '../use-stage.ts';

/* Each group has a warehouse of its own, so that what the warehouse sees is what the group has made. */

const { stage, merchant } = useSharedStageWithMerchant();

/** Submits forecasts for a warehouse, and waits until it sees them all. */
async function expected(clerk: WarehouseClerk, count: number, sample: Parameters<Merchant['submit']>[0] = {}): Promise<string[]> {
  const numbers: string[] = [];
  for (let index = 0; index < count; index += 1) {
    numbers.push(
      (await merchant.untilAccepted(await merchant.body({ forecastType: 1, warehouseCode: clerk.code, ...sample }))).forecast_no,
    );
  }
  await until(
    async () => {
      const shown = (await clerk.forecasts({ limit: 100 })).forecasts.map(({ forecast_no }) => forecast_no);
      return numbers.every((number) => shown.includes(number)) || undefined;
    },
    { what: 'the forecasts in the list of the warehouse' },
  );
  return numbers;
}

/** Follows `next_cursor` to the end of the round. */
async function round(
  clerk: WarehouseClerk,
  query: Readonly<Record<string, string | number>> = {},
): Promise<{ forecasts: WarehouseForecast[]; cursor: string }> {
  const forecasts: WarehouseForecast[] = [];
  let page = await clerk.forecasts(query);
  for (let pages = 1; ; pages += 1) {
    forecasts.push(...page.forecasts);
    if (!page.has_more) return { forecasts, cursor: page.next_cursor };
    if (pages === 50) throw new Error('The round does not end');
    page = await clerk.forecasts({ ...query, cursor: page.next_cursor });
  }
}

describe('the list of a warehouse', () => {
  const clerk = useWarehouse(stage);

  test('is loaded and polled by one loop, which learns of every change', async () => {
    const numbers = await expected(clerk, 5);
    const known = new Map<string, WarehouseForecast>();
    const learn = ({ forecasts, cursor }: Awaited<ReturnType<typeof round>>): string => {
      for (const forecast of forecasts.toReversed()) known.set(forecast.forecast_no, forecast);
      return cursor;
    };
    const first = await round(clerk, { limit: 2 });
    // The latest change first: documents that are made meanwhile change the order of acceptance.
    const times = first.forecasts.map(({ update_time }) => update_time);
    expect(times).toEqual(times.toSorted().reverse());
    let cursor = learn(first);
    // A forecast whose document is made between two pages of the round belongs to the next one.
    await until(
      async () => {
        if (known.size === numbers.length) return true;
        cursor = learn(await round(clerk, { limit: 2, cursor }));
        return undefined;
      },
      { what: 'every forecast, in this round or the next' },
    );
    expect([...known.keys()].sort()).toEqual([...numbers].sort());
    expect(known.get(numbers[4] as string)).toMatchObject({
      tenant_id: merchant.identity.tenantId,
      warehouse_code: clerk.code,
      status: 1,
      status_name: 'ACCEPTED',
      version: 1,
    });

    const [cancelled, arrived] = [numbers[0] as string, numbers[3] as string];
    const { po_number } = known.get(cancelled) as WarehouseForecast;
    await merchant.cancel(po_number);
    await clerk.report(clerk.event({ type: 'arrival', forecast_no: arrived }));
    await until(
      async () => {
        cursor = learn(await round(clerk, { limit: 2, cursor }));
        return (known.get(cancelled)?.status === 7 && known.get(arrived)?.status === 2) || undefined;
      },
      { what: 'both changes' },
    );
    // Who starts again sees what is expected and present.
    const again = await round(clerk);
    expect(again.forecasts.map(({ forecast_no, status }) => [forecast_no, status]).sort()).toEqual(
      [[arrived, 2], ...[4, 2, 1].map((index) => [numbers[index], 1])].sort(),
    );
  });
});
