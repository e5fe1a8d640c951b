import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ForecastSummary } from '@parcelway/contracts/forecast-api';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import { useMerchant, useSharedStage, useWarehouse } from '../use-stage.ts';

interface ForecastPage {
  readonly forecasts: readonly ForecastSummary[];
  readonly next_cursor: string | null;
}

type Query = Readonly<Record<string, string>>;

/** More pages than any list here has: a cursor that leads back would go round for ever. */
const MOST_PAGES = 20;

const stage = useSharedStage();
const merchant = useMerchant(stage);
const stranger = useMerchant(stage);
const second = useWarehouse(stage);

async function listed(query: Query, from: Merchant = merchant): Promise<ForecastSummary[]> {
  const found: ForecastSummary[] = [];
  let cursor: string | null = null;
  let pages = 0;
  do {
    const page: ForecastPage = await expectRoute(from.client, 'listForecasts', {
      query: { limit: 2, ...query, ...(cursor && { cursor }) },
    });
    found.push(...page.forecasts);
    cursor = page.next_cursor;
    pages += 1;
  } while (cursor !== null && pages < MOST_PAGES);
  expect(cursor).toBeNull();
  return found;
}

const poNumbers = async (query: Query, from?: Merchant): Promise<string[]> => (await listed(query, from)).map(({ po_number }) => po_number);

/** Rows of the export, by the names of its columns. No cell here has a comma. */
async function exported(query: Query, from: Merchant = merchant): Promise<Readonly<Record<string, string | undefined>>[]> {
  const response = await callRoute(from.client, 'exportForecasts', { query });
  expect(response.headers['content-type']).toMatch(/^text\/csv/);
  const [head = [], ...rows] = response.text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [head[at], cell])));
}

describe('the search', () => {
  const mark = newPoNumber();
  const [lamp, cup, box] = [`${mark}-lamp`, `${mark}-cup`, `${mark}-box`];
  const logisticsNumber = `LP${Date.now()}`;
  const carrierNumber = `CN${Date.now()}`;
  const item = (sku_code: string, tracking_number?: string) => ({
    sku_code,
    product_name_en: 'Thing',
    forecast_quantity: 1,
    tracking_number,
  });
  const from = new Date(Date.now() - 60_000).toISOString();
  const to = new Date(Date.now() + 3_600_000).toISOString();

  beforeAll(async () => {
    const common = { forecast_type: 1, warehouse_code: stage.clerk.code };
    await merchant.untilAccepted({ ...common, po_number: lamp, items: [item('LAMP', logisticsNumber), item('BULB')] });
    const body = await merchant.body({ poNumber: cup, warehouseCode: stage.clerk.code });
    await merchant.untilAccepted({ ...body, items: [item('CUP')] });
    await merchant.untilAccepted({ ...common, warehouse_code: second.code, po_number: box, items: [item('BULB')] });
    await merchant.simulate({ po_number: cup, step: 'weigh', weight_kg: 1.5, length_cm: 30, width_cm: 20, height_cm: 10 });
    await merchant.simulate({ po_number: cup, step: 'dispatch', carrier_code: 'sandbox', tracking_number: carrierNumber });
    await merchant.untilStatus(cup, 5);
  });

  const spaced = `${logisticsNumber.slice(0, 4)} ${logisticsNumber.slice(4).toLowerCase()}`;
  const cases: readonly (readonly [string, () => Query | Promise<Query>, readonly string[]])[] = [
    ['nothing', () => ({}), [box, cup, lamp]],
    ['the beginning of a po_number, in their order', () => ({ q: mark }), [box, cup, lamp]],
    ['a longer beginning', () => ({ q: `${mark}-l` }), [lamp]],
    ['the beginning in other case', () => ({ q: mark.toLowerCase() }), []],
    ['a logistics number as somebody wrote it', () => ({ tracking_number: spaced }), [lamp]],
    ['the number of the carrier', () => ({ tracking_number: carrierNumber }), [cup]],
    ['an SKU', () => ({ sku_code: 'BULB' }), [box, lamp]],
    ['an SKU and a warehouse', () => ({ sku_code: 'BULB', warehouse_code: second.code }), [box]],
    ['an SKU and another number', () => ({ sku_code: 'BULB', tracking_number: carrierNumber }), []],
    ['a warehouse', () => ({ warehouse_code: stage.clerk.code }), [cup, lamp]],
    ['a warehouse and a status', () => ({ warehouse_code: stage.clerk.code, status: 'ACCEPTED' }), [lamp]],
    ['a forecast_no', async () => ({ forecast_no: (await merchant.forecast(cup)).forecast_no }), [cup]],
    ['a forecast_no and another po_number', async () => ({ forecast_no: (await merchant.forecast(cup)).forecast_no, po_number: box }), []],
    ['changes, the latest first', () => ({ updated_from: from, updated_to: to }), [cup, box, lamp]],
    ['changes in a status', () => ({ updated_from: from, status: 'ACCEPTED' }), [box, lamp]],
    ['changes that are to come', () => ({ updated_from: to }), []],
    [
      'all together',
      () => ({ q: mark, sku_code: 'CUP', warehouse_code: stage.clerk.code, status: '5', created_from: from, updated_to: to }),
      [cup],
    ],
  ];

  test.each(cases)('by %s: pages, the export, and nothing of another tenant', async (_what, queryOf, expected) => {
    const query = await queryOf();
    expect(await poNumbers(query)).toEqual(expected);
    expect((await exported(query)).map((row) => row['po_number'])).toEqual(expected);
    expect(await poNumbers(query, stranger)).toEqual([]);
    expect(await exported(query, stranger)).toEqual([]);
  });

  test('shows in the export what the list and the weighing query show', async () => {
    const [row] = await exported({ forecast_no: (await merchant.forecast(cup)).forecast_no });
    const [summary] = await listed({ q: cup });
    const shown = Object.fromEntries(
      Object.entries(summary as ForecastSummary).map(([name, value]) => [name, value === null ? '' : String(value)]),
    );
    expect(row).toEqual({
      ...shown,
      weight_kg: '1.5',
      length_cm: '30',
      width_cm: '20',
      height_cm: '10',
      carrier_code: 'sandbox',
      tracking_number: carrierNumber,
    });
  });

  test('refuses a cursor with other filters', async () => {
    const page = await expectRoute<ForecastPage>(merchant.client, 'listForecasts', { query: { q: mark, limit: 1 } });
    const query = { q: `${mark}-`, limit: 1, cursor: String(page.next_cursor) };
    expect(await callRoute(merchant.client, 'listForecasts', { query })).toMatchObject({
      code: '42201',
      data: { errors: [{ field: 'cursor' }] },
    });
  });
});

test('a correction moves a forecast to its new SKU and warehouse', async () => {
  const owner = await stage.operator.newMerchant();
  const [po_number, other] = [newPoNumber(), newPoNumber()];
  const items = (sku_code: string) => [{ sku_code, product_name_en: 'Thing', forecast_quantity: 1 }];
  const common = { forecast_type: 1, warehouse_code: stage.clerk.code };
  await owner.untilAccepted({ ...common, po_number, items: items('OLD') });
  await owner.untilAccepted({ ...common, po_number: other, items: items('OLD') });
  expect((await owner.correct(po_number, { warehouse_code: second.code, items: items('NEW') })).code).toBe('0');
  expect(await poNumbers({ sku_code: 'OLD' }, owner)).toEqual([other]);
  expect(await poNumbers({ sku_code: 'NEW', warehouse_code: second.code }, owner)).toEqual([po_number]);
  expect(await poNumbers({ warehouse_code: stage.clerk.code }, owner)).toEqual([other]);
});

test('an export keeps spreadsheets from running what a merchant typed', async () => {
  const owner = await stage.operator.newMerchant();
  const po_number = `=1+1 ${newPoNumber()}`;
  await owner.untilAccepted({
    forecast_type: 1,
    warehouse_code: stage.clerk.code,
    po_number,
    items: [{ sku_code: 'A', product_name_en: 'A', forecast_quantity: 1 }],
  });
  expect(await exported({}, owner)).toMatchObject([{ po_number: `'${po_number}` }]);
});
