import { describe, expect, test } from '@jest/globals';
import type { ForecastSummary } from '@parcelway/contracts/forecast-api';
import type { Merchant } from '@parcelway/harness/merchant';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import { useSharedStageWithMerchant } from '../use-stage.ts';

interface ForecastPage {
  readonly forecasts: readonly ForecastSummary[];
  readonly next_cursor: string | null;
}

/** More forecasts than any list here has: a cursor that leads back would go round for ever. */
const MOST = 12;

const { stage, merchant } = useSharedStageWithMerchant();

describe('the list', () => {
  async function listed(query: Record<string, string | number>, from: Merchant): Promise<string[]> {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: ForecastPage = await expectRoute(from.client, 'listForecasts', { query: { ...query, ...(cursor ? { cursor } : {}) } });
      expect(page.forecasts.length).toBeLessThanOrEqual(Number(query.limit ?? 20));
      found.push(...page.forecasts.map((forecast) => forecast.po_number));
      expect(found.length).toBeLessThanOrEqual(MOST);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return found;
  }

  test('pages newest first without gap or repeat, and filters', async () => {
    const owner = await stage.operator.newMerchant();
    const numbers: string[] = [];
    for (let index = 0; index < 12; index += 1) numbers.push((await owner.submit({ forecastType: 1 })).po_number);
    const newestFirst = numbers.toReversed();
    expect(await listed({ limit: 5 }, owner)).toEqual(newestFirst);
    expect(await listed({}, owner)).toEqual(newestFirst);
    await owner.cancel(numbers[3] as string);
    expect(await listed({ status: 'CANCELLED' }, owner)).toEqual([numbers[3]]);
    expect(await listed({ status: 7 }, owner)).toEqual([numbers[3]]);
    expect(await listed({ status: 1, limit: 4 }, owner)).toEqual(newestFirst.filter((number) => number !== numbers[3]));
    expect(await listed({ po_number: numbers[5] as string }, owner)).toEqual([numbers[5]]);
    const middle = (await owner.forecast(numbers[6] as string)).create_time;
    const late = await listed({ created_from: middle, limit: 3 }, owner);
    const early = await listed({ created_to: middle, limit: 3 }, owner);
    expect(late).toContain(numbers[6]);
    expect([...late, ...early]).toEqual(newestFirst);
  });

  test('a page begun stays whole while forecasts are added', async () => {
    const owner = await stage.operator.newMerchant();
    const first: string[] = [];
    for (let index = 0; index < 4; index += 1) first.push((await owner.submit({ forecastType: 1 })).po_number);
    const page = await expectRoute<ForecastPage>(owner.client, 'listForecasts', { query: { limit: 2 } });
    await owner.submit({ forecastType: 1 });
    const rest = await expectRoute<ForecastPage>(owner.client, 'listForecasts', { query: { limit: 2, cursor: String(page.next_cursor) } });
    expect([...page.forecasts, ...rest.forecasts].map((forecast) => forecast.po_number)).toEqual(first.toReversed());
    expect(rest.next_cursor).toBeNull();
  });

  test.each([
    ['limit 0', { limit: 0 }, 'limit'],
    ['limit 101', { limit: 101 }, 'limit'],
    ['an unknown status', { status: 8 }, 'status'],
    ['an invented cursor', { cursor: 'nonsense' }, 'cursor'],
    ['a time without offset', { created_from: '2026-01-01T00:00:00' }, 'created_from'],
  ])('%s is refused', async (_name, query, field) => {
    const response = await callRoute<{ errors: Array<{ field: string }> }>(merchant.client, 'listForecasts', {
      query: query as unknown as Record<string, string>,
    });
    expect(response).toMatchObject({ status: 422, code: '42201', data: { errors: [{ field }] } });
  });
});
