import { describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { weigh } from '../../subscription.ts';
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

  test('of a carrier that nobody tracks say so, and what to do', async () => {
    const owner = await stage.operator.newMerchant();
    const { po_number } = await owner.submit({});
    await owner.simulate({ po_number, step: 'dispatch', carrier_code: 'dlh' });
    await owner.untilStatus(po_number, 5);
    const { page } = await signedIn(owner, `#/parcels/${po_number}`);
    const tracking = page.getByRole('region', { name: 'Tracking' });
    await tracking.getByText('Nobody tracks dlh yet').waitFor();
    await tracking.getByText('ask the warehouse to report the dispatch again with the right one').waitFor();
  });

  test('are listed without the filters of the account that was signed in before', async () => {
    const owner = await stage.operator.newMerchant();
    const { po_number: poNumber } = await owner.submit({ forecastType: 1 });
    const at = await signedIn(owner, `#/parcels?q=${poNumber}`);
    const { page } = at;
    await page.getByRole('link', { name: poNumber }).click();
    await at.arrived(poNumber);
    const back = page.getByRole('navigation', { name: 'Back' }).getByRole('link', { name: 'Parcels' });
    expect(await back.getAttribute('href')).toContain(poNumber);
    await at.button('Sign out').click();
    await at.signIn((await stage.operator.newMerchant()).identity.key);
    await page.getByText('No parcel has this number.').waitFor();
    expect(await back.getAttribute('href')).toBe('#/parcels');
  });

  test('show every time in the zone of the reader, and as it was sent on hover and focus', async () => {
    const owner = await stage.operator.newMerchant();
    const poNumber = await parcelUnderWay(owner);
    const { page } = await signedIn(owner, `#/parcels/${poNumber}`, { timeZone: 'America/New_York' });
    const node = page.getByRole('region', { name: 'Tracking' }).locator('time').first();
    expect(await node.innerText()).toBe('20 Nov 2026, 19:05:00 GMT-5');
    expect([await node.getAttribute('title'), await node.getAttribute('datetime')]).toEqual(Array(2).fill('2026-11-21T08:05:00+08:00'));
    await node.focus();
    expect(await page.evaluate("getComputedStyle(document.activeElement, '::after').content")).toContain('2026-11-21T08:05:00+08:00');
    const zones = (await page.locator('main').innerText()).match(/(GMT|UTC)[+-]?[\d:]*|[+-]\d{2}:\d{2}/g);
    expect(new Set(zones)).toEqual(new Set(['GMT-5']));
  });

  test('are counted by status, and each status leads to its parcels', async () => {
    const owner = await stage.operator.newMerchant();
    const [kept, also, gone] = await Promise.all([1, 2, 3].map(async () => (await owner.submit({ forecastType: 1 })).po_number));
    await owner.cancel(String(gone));
    const at = await signedIn(owner, '#/parcels');
    const { page } = at;
    const counts = page.getByRole('region', { name: 'Parcels by status' });
    await counts.getByRole('link', { name: 'Cancelled 1' }).waitFor();
    expect(await counts.getByRole('listitem').allInnerTexts()).toEqual(['Accepted 2', 'Cancelled 1']);
    await counts.getByRole('link', { name: 'Cancelled 1' }).click();
    await page.getByRole('link', { name: String(kept) }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: String(gone) }).waitFor();
    expect(await page.getByRole('link', { name: String(also) }).count()).toBe(0);
    expect(await at.seriousFaults()).toEqual([]);
  });

  test('one that does not exist is explained', async () => {
    const owner = await stage.operator.newMerchant();
    const { page } = await signedIn(owner, '#/parcels/PO-NOBODY');
    expect(await page.getByRole('alert').textContent()).toContain('No parcel has this number.');
  });
});

test('events can be read without any endpoint', async () => {
  const owner = await stage.operator.newMerchant();
  const poNumber = await weigh(owner);
  const at = await signedIn(owner, '#/events?type=standard');
  const { page } = at;
  await until(async () => {
    if ((await page.getByRole('link', { name: poNumber }).count()) === 1) return true;
    await at.button('Load newer').click();
    return false;
  });
  await at.button('Show details').click();
  await page.getByText('None of your endpoints has a delivery of this event').waitFor();
  await page.getByRole('group').getByText('"parcel.weighed"').waitFor();
});

test('events come newest first, and are narrowed to a parcel', async () => {
  const owner = await stage.operator.newMerchant();
  const first = await weigh(owner);
  const second = await weigh(owner);
  const at = await signedIn(owner, '#/events?type=standard');
  const { page } = at;
  const parcels = page.locator('.events').getByRole('link');
  await until(async () => {
    if ((await parcels.allInnerTexts()).join() === [second, first].join()) return true;
    await at.button('Load newer').click();
    return false;
  });
  await page.getByRole('searchbox', { name: 'PO number' }).fill(first);
  await page.keyboard.press('Enter');
  await until(async () => (await parcels.allInnerTexts()).join() === first, { what: 'the events of one parcel' });
  expect(page.url()).toContain(`po_number=${first}`);
});

test('a parcel leads to its events, of every type', async () => {
  const owner = await stage.operator.newMerchant();
  const poNumber = await weigh(owner);
  await weigh(owner);
  const at = await signedIn(owner, `#/parcels/${poNumber}`);
  const { page } = at;
  await page.getByRole('link', { name: 'Events of this parcel and their deliveries' }).click();
  await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
  const listed = page.locator('.events').getByRole('link');
  await until(async () => {
    const types = await page.locator('.events code.event-type').allInnerTexts();
    if (types.includes('parcel.weighed') && types.includes('forecast.accepted')) return true;
    await at.button('Load newer').click();
    return false;
  });
  expect(new Set(await listed.allInnerTexts())).toEqual(new Set([poNumber]));
});

describe('languages', () => {
  test('follow the browser, can be switched, and are announced', async () => {
    const owner = await stage.operator.newMerchant();
    const at = await signedIn(owner, undefined, { locale: 'zh-CN' });
    const { page } = at;
    await page.getByRole('heading', { level: 1, name: '包裹' }).waitFor();
    await at.until("document.documentElement.lang === 'zh-CN'");
    await page.getByLabel('语言').selectOption('en');
    await page.getByRole('heading', { level: 1, name: 'Parcels' }).waitFor();
    await at.until("document.documentElement.lang === 'en-GB' && document.title === 'Parcels · Parcelway'");
  });
});
