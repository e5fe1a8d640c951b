import { describe, expect, test } from '@jest/globals';
import type { Merchant } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import type { Locator } from 'playwright-core';
import { deliveries, responding, subscribed } from '../../subscription.ts';
import type { Look } from '../page-window.ts';
import type { ConsolePage } from './console-page.ts';
import { useConsole } from './use-console.ts';

/* What has little room on a telephone: 380 px, unless a test says another width. */

const { stage, signedIn } = useConsole({ WEBHOOK_RETRY_SCHEDULE: '0s,1h' });

/** The page on a telephone with a merchant signed in, at an address. */
const openedAt = (owner: Merchant, hash: string, look: Look = {}): Promise<ConsolePage> => signedIn(owner, hash, { width: 380, ...look });

async function weighAs(owner: Merchant, poNumber: string): Promise<void> {
  await owner.submit({ poNumber, forecastType: 1 });
  await owner.simulate({ po_number: poNumber, step: 'weigh', photos: 0 });
}

/** How many lines each thing that is found takes up. */
function linesOf(found: Locator): Promise<number[]> {
  return found.evaluateAll((elements) => elements.map((element) => element.getClientRects().length));
}

/** The place of each thing that is found: its distance from the right and its height. */
function placesOf(found: Locator): Promise<string[]> {
  return found.evaluateAll((elements) =>
    elements.map((element) => {
      const { right, height } = element.getBoundingClientRect();
      return `${right} ${height}`;
    }),
  );
}

test('the rows of events look alike, however long their numbers are', async () => {
  const owner = await stage.operator.newMerchant();
  const numbers = ['PO-1', 'PO-2026-1121-001', 'PO-2026-1121-000001'];
  for (const poNumber of numbers) await weighAs(owner, poNumber);
  const at = await openedAt(owner, '#/events?type=standard');
  const { page } = at;
  const rows = page.locator('.events > li');
  await until(async () => {
    if ((await rows.count()) === numbers.length) return true;
    await at.button('Load newer').click();
    return false;
  });
  for (const part of ['.event-line', '.event-time', 'button']) {
    expect(new Set(await placesOf(rows.locator(part))).size).toBe(1);
  }
});

test('a delivery shows its type unbroken, and when it is tried next', async () => {
  const { owner, receiver, endpoint } = await subscribed(stage);
  receiver.respond = responding(500);
  await weighAs(owner, 'PO-2026-1122-000000000001');
  await until(async () => (await deliveries(owner, endpoint.endpoint_id)).some(({ attempt_count }) => attempt_count === 1));
  const at = await openedAt(owner, `#/webhooks/${endpoint.endpoint_id}`);
  const { page } = at;
  const row = page.getByRole('row', { name: /parcel\.weighed/ });
  await row
    .getByText(/^in (1 hour|\d+ minutes)$/)
    .filter({ visible: true })
    .waitFor();
  expect(await linesOf(row.locator('.event-type > span'))).toEqual([1, 1]);
  // Who looks for it among the failed ones is led to it.
  await page.getByRole('link', { name: 'Failed' }).click();
  await page.getByRole('link', { name: 'Show pending deliveries' }).click();
  await row.waitFor();
});

/** What is touched and is less than 24 px high. Links within a sentence are as high as its line. */
function lowTargets(at: ConsolePage): Promise<string[]> {
  return at.page
    .locator('a, button, select, summary, input')
    .filter({ visible: true })
    .evaluateAll((found) => {
      const alone = found.filter((one) => !one.matches('p a, [type="checkbox"], [type="radio"]'));
      return alone.filter((one) => one.getBoundingClientRect().height < 24).map((one) => one.outerHTML.slice(0, 200));
    });
}

test('what is touched is high enough, selects show their choices, and the header stays low', async () => {
  const { owner, endpoint } = await subscribed(stage);
  await weighAs(owner, 'PO-1');
  const at = await openedAt(owner, '#/parcels', { width: 390 });
  const { page } = at;
  const views = [
    '#/parcels',
    '#/parcels/PO-1',
    '#/imports',
    '#/imports/new',
    '#/files',
    `#/webhooks/${endpoint.endpoint_id}`,
    '#/events',
    '#/keys',
  ];
  for (const hash of [...views, '#/activity/usage', '#/activity/failed-calls']) {
    await at.visit(hash);
    expect([hash, await lowTargets(at)]).toEqual([hash, []]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  }
  await at.visit('#/parcels');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'API reference' }).waitFor();
  expect((await page.getByRole('banner').boundingBox())?.height).toBeLessThan(140);
  const row = await page.getByRole('row', { name: /PO-1/ }).boundingBox();
  expect(row?.height).toBeGreaterThanOrEqual(40);
  await at.visit('#/imports/new');
  const content = 'PO number,Chinese name\nPO-2,灯';
  await page.getByLabel('Spreadsheet').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
  const select = page.getByLabel('Field of the column Chinese name');
  expect((await select.boundingBox())?.width).toBeGreaterThanOrEqual(200);
});

describe.each([
  ['en-GB', 'API reference'],
  ['zh-CN', 'API 文档'],
] as const)('in %s', (locale, reference) => {
  test.each([390, 768, 1280])('at %d px times stay on one line, and the API reference within reach', async (width) => {
    const { owner, endpoint } = await subscribed(stage);
    for (const poNumber of ['PO-1', 'PO-2026-1121-000000000000000000000001']) await weighAs(owner, poNumber);
    const at = await openedAt(owner, '#/parcels', { width, locale });
    // A time that is shown in three words.
    const earlier = new Date(Date.now() - 59 * 60_000).toISOString();
    await at.page.route('**/open/v1/forecasts?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(/("update_time":")[^"]+/g, `$1${earlier}`) });
    });
    await at.visit('#/events');
    for (const hash of ['#/parcels', '#/parcels/PO-1', `#/webhooks/${endpoint.endpoint_id}`]) {
      await at.visit(hash);
      const times = at.page.locator('time.ago').filter({ visible: true });
      await times.first().waitFor();
      expect([...new Set(await linesOf(times))]).toEqual([1]);
      const link = at.page.locator('header').getByRole('link', { name: reference });
      const box = await link.boundingBox();
      expect(box === null ? Number.NaN : box.x + box.width).toBeLessThanOrEqual(width);
      expect(await at.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
  });
});
