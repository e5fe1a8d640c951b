import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { parcelUnderWay } from './parcels.ts';
import { useConsole } from './use-console.ts';

/* Parcels, events and languages in the console. */

const { stage, signedIn } = useConsole({ WEBHOOK_RETRY_SCHEDULE: '0s,50ms' });

describe('parcels', () => {
  test('are listed, found, and shown with measurements, photos and the way', async () => {
    const owner = await stage.operator.newMerchant();
    const [poNumber, other] = [await parcelUnderWay(owner), (await owner.submit({ forecastType: 1 })).po_number];
    const at = await signedIn(owner, '#/parcels');
    const { page } = at;
    await page.getByRole('link', { name: other }).waitFor();
    await page.getByLabel('PO or logistics number').fill(poNumber);
    await at.button('Filter').click();
    await page.getByRole('link', { name: other }).waitFor({ state: 'detached' });
    const number = String((await owner.forecast(poNumber)).tracking_number);
    await page.getByLabel('PO or logistics number').fill(number);
    await at.button('Filter').click();
    await page.getByRole('link', { name: poNumber }).click();
    await at.arrived(poNumber);
    // The way back keeps what was looked for.
    await page.getByRole('navigation', { name: 'Back' }).getByRole('link', { name: 'Parcels' }).click();
    await at.arrived('Parcels');
    expect(await page.getByLabel('PO or logistics number').inputValue()).toBe(number);
    await page.getByRole('link', { name: poNumber }).click();
    await page.getByRole('region', { name: 'Measurements', exact: true }).getByText('2.415').waitFor();
    await until(async () => (await page.locator('.photos img').count()) === 4);
    await at.until("[...document.querySelectorAll('.photos img')].every((image) => image.naturalWidth > 0)");
    const nodes = page.getByRole('region', { name: 'Tracking' }).getByRole('listitem');
    await nodes.first().getByText('Departed from the sorting centre').waitFor();
    expect(await nodes.count()).toBe(2);

    await owner.simulate({ po_number: poNumber, step: 'track', admin_status: 'Delivery Success', create_time: '2026-11-21 20:00:00' });
    await nodes.first().getByText('Final status').waitFor();
    await page.locator('.badge', { hasText: 'Completed' }).first().waitFor();
  });

  test('show new tracking by themselves, and ask the carrier again on demand', async () => {
    const owner = await stage.operator.newMerchant();
    const poNumber = await parcelUnderWay(owner);
    const at = await signedIn(owner, `#/parcels/${poNumber}`);
    const { page } = at;
    const nodes = page.getByRole('region', { name: 'Tracking' }).getByRole('listitem');
    await nodes.first().getByText('Departed from the sorting centre').waitFor();
    const move = { po_number: poNumber, step: 'track', admin_status: 'In Transit' } as const;
    await owner.simulate({ ...move, content: 'Arrived at the airport', create_time: '2026-11-21 12:00:00' });
    await nodes.first().getByText('Arrived at the airport').waitFor();
    // What is stored is out of reach: only the carrier can say more.
    await page.route('**/forecasts/query', (route) =>
      route.fulfill({ status: 503, json: { code: '50301', message: 'Service temporarily unavailable', data: null } }),
    );
    await owner.simulate({ ...move, content: 'Left the airport', create_time: '2026-11-21 13:00:00' });
    await at.button('Refresh').click();
    await nodes.first().getByText('Left the airport').waitFor();
  });
});

test('languages follow the browser, can be switched, and are announced', async () => {
  const owner = await stage.operator.newMerchant();
  const at = await signedIn(owner, undefined, { locale: 'zh-CN' });
  const { page } = at;
  await page.getByRole('heading', { level: 1, name: '包裹' }).waitFor();
  await at.until("document.documentElement.lang === 'zh-CN'");
  await page.getByLabel('语言').selectOption('en');
  await page.getByRole('heading', { level: 1, name: 'Parcels' }).waitFor();
  await at.until("document.documentElement.lang === 'en-GB' && document.title === 'Parcels · Parcelway'");
});
