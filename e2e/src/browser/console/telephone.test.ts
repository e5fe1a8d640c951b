import { expect, test } from '@jest/globals';
import { subscribed } from '../../subscription.ts';
import type { PageWindow } from '../page-window.ts';
import { useConsole } from './use-console.ts';

/* What has little room on a telephone. */

const { stage, signedIn } = useConsole({ WEBHOOK_RETRY_SCHEDULE: '0s,1h' });

/** What is touched and is less than 24 px high. Links within a sentence are as high as its line. */
function lowTargets(at: PageWindow): Promise<string[]> {
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
  await owner.submit({ poNumber: 'PO-1', forecastType: 1 });
  await owner.simulate({ po_number: 'PO-1', step: 'weigh', photos: 0 });
  const at = await signedIn(owner, '#/parcels', { width: 390 });
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
