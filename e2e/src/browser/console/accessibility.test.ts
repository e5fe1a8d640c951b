import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { responding, settled, subscribed } from '../../subscription.ts';
import { hasFocus, type PageWindow } from '../page-window.ts';
import { parcelInTrouble, parcelUnderWay } from './parcels.ts';
import { useConsole } from './use-console.ts';

/* Every view of the console, in both themes: faults of accessibility, widths, and what is touched on a telephone. */

const { stage, open, signedIn } = useConsole({ WEBHOOK_RETRY_SCHEDULE: '0s,50ms' });

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

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test('no view has a serious fault of accessibility, and none is wider than a telephone', async () => {
    const { owner, receiver, endpoint } = await subscribed(stage);
    receiver.respond = responding(500, { 'content-type': 'application/json' });
    const poNumber = await parcelUnderWay(owner);
    const waiting = (await owner.submit({ forecastType: 1 })).po_number;
    const troubled = await parcelInTrouble(stage.clerk, owner);
    const failed = await settled(owner, endpoint.endpoint_id, 'failed');
    const at = await open({ colorScheme });
    const { page } = at;
    const faults: Record<string, string[]> = {};
    const check = async (name: string): Promise<void> => {
      const found = await at.faultsAt(380);
      await page.setViewportSize({ width: 390, height: 860 });
      found.push(...(await lowTargets(at)).map((target) => `low at 390 px: ${target}`));
      await page.setViewportSize({ width: 1280, height: 860 });
      if (found.length > 0) faults[name] = found;
    };
    await check('sign in');
    await at.signIn(owner.identity.key);
    const webhooks = `#/webhooks/${endpoint.endpoint_id}`;
    const views = [
      '#/parcels',
      '#/parcels?status=7',
      `#/parcels/${poNumber}`,
      `#/parcels/${troubled.poNumber}`,
      '#/parcels/PO-NOBODY',
      '#/new-parcel',
      `#/parcels/${waiting}/correction`,
      `#/parcels/${poNumber}/correction`,
      '#/imports',
      '#/imports/new',
      '#/imports/imp_nobody',
      '#/files',
      '#/connections',
      '#/keys',
      '#/activity',
      '#/activity/failed-calls',
      '#/activity/audit-log',
      '#/webhooks',
      '#/webhooks/new',
      webhooks,
      `${webhooks}?status=held`,
      `${webhooks}/settings`,
      `${webhooks}/deliveries/${failed.delivery_id}`,
      '#/events',
      '#/nowhere',
    ];
    for (const view of views) {
      await at.visit(view);
      await check(view);
    }
    await at.visit(webhooks);
    for (const dialog of ['Send test event', 'Replay', 'Rotate secret', 'Disable', 'Delete']) {
      await at.button(dialog).click();
      await page.getByRole('dialog').waitFor();
      await check(dialog);
      await page.keyboard.press('Escape');
      // The focus is back where it came from.
      await until(() => hasFocus(at.button(dialog)), { what: `the focus to be back at ${dialog}` });
    }
    await page.getByLabel('Language').selectOption('zh');
    await at.visit(`#/parcels/${poNumber}`);
    await check('Chinese');
    expect(faults).toEqual({});
  });
});

test('on a telephone, selects show their choices, and the header stays low', async () => {
  const owner = await stage.operator.newMerchant();
  await owner.submit({ poNumber: 'PO-1', forecastType: 1 });
  const at = await signedIn(owner, '#/parcels', { width: 390 });
  const { page } = at;
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API reference' }).waitFor();
  expect((await page.getByRole('banner').boundingBox())?.height).toBeLessThan(140);
  expect((await page.getByRole('row', { name: /PO-1/ }).boundingBox())?.height).toBeGreaterThanOrEqual(40);
  await at.visit('#/imports/new');
  const buffer = Buffer.from('PO number,Chinese name\nPO-2,灯');
  await page.getByLabel('Spreadsheet').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
  const select = page.getByLabel('Field of the column Chinese name');
  expect((await select.boundingBox())?.width).toBeGreaterThanOrEqual(200);
});
