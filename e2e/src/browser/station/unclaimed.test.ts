import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import type { StationPage } from './station-page.ts';
import { shows, useStation } from './use-station.ts';

/* Unclaimed parcels at the bench, with the keyboard and the scanner alone. */

const station = useStation();

/** Reports of a parcel that nobody has announced. @returns their event_ids */
async function lost(express_no: string): Promise<string[]> {
  const events = [station.stage.clerk.event({ type: 'arrival', express_no }), station.stage.clerk.weighing({ express_no })];
  await station.stage.clerk.report(...events);
  return events.map(({ event_id }) => String(event_id));
}

/** The bench with the list on view, and a parcel of it chosen by scanning it. */
async function chosen(express_no: string, look = {}): Promise<StationPage> {
  const at = await station.bench(look);
  await at.line('A');
  await at.page.locator('.candidates strong', { hasText: express_no }).waitFor();
  await at.line(express_no);
  await at.page.locator('h1', { hasText: express_no }).waitFor();
  return at;
}

test('a parcel that was weighed at the bench without a forecast is claimed there by its order number', async () => {
  const number = newPoNumber('LOST');
  const parcel = await station.announcedOne();
  const at = await station.bench();
  await at.line(number);
  await at.page.getByText('If you weigh it, it is reported as an unclaimed parcel').waitFor();
  await at.line('');
  await at.said(`${number}: reported as unclaimed.`);
  await at.line('2');
  await at.line('10x10x10');
  await at.line('');
  await at.said(`${number} is done: 2 kg, 0 photos. It is unclaimed`);
  await at.networkSays('All reports sent');
  await at.line('a');
  await at.page.locator('.candidates strong', { hasText: number }).waitFor();
  await at.page.getByText('No forecast found').first().waitFor();
  await at.line(number);
  await at.asked('Which forecast?');
  await at.page.getByText('2 kg, 10 × 10 × 10 cm').waitFor();
  await at.line(parcel.poNumber);
  await at.page.getByRole('heading', { name: `Does ${number} belong to this forecast?` }).waitFor();
  await at.page.getByText(parcel.forecastNo).waitFor();
  await at.line('');
  await at.said(`${number} was claimed for ${parcel.poNumber} (2 reports).`);
  await until(async () => (await at.page.locator('.candidates strong', { hasText: number }).count()) === 0, {
    what: 'the list without it',
  });
  expect(await at.region('Recent reports').getByText(`Claimed for ${parcel.poNumber}`).count()).toBe(2);
  await shows(parcel, { status: 3, measurements: [{ weight_kg: 2 }] });
});

test('a candidate of an ambiguous parcel is chosen by its number', async () => {
  const trackingNumber = newPoNumber('TWICE');
  const [first, second] = [await station.announcedOne({ trackingNumber }), await station.announcedOne({ trackingNumber })];
  await lost(trackingNumber);
  const at = await chosen(trackingNumber);
  await at.page.getByText('Several forecasts declare this number').waitFor();
  await at.page.locator('.candidates strong').first().waitFor();
  const shown = await at.page.locator('.candidates strong').allTextContents();
  expect([...shown].sort()).toEqual([first.poNumber, second.poNumber].sort());
  await at.line(String(shown.indexOf(second.poNumber) + 1));
  await at.asked('Press Enter to claim it');
  await at.line('');
  await at.said(`was claimed for ${second.poNumber}`);
  await shows(second, { status: 3 });
});

test('a parcel is dismissed with a reason', async () => {
  const number = newPoNumber('LOST');
  const [id = ''] = await lost(number);
  const at = await chosen(number);
  await at.line('x');
  await at.asked('Why do you dismiss it?');
  await at.line('');
  await at.said('Type the reason for dismissing this parcel.');
  await at.line('Returned to the sender');
  await at.said(`${number} was dismissed (2 reports).`);
  expect(await station.stage.clerk.outcome(id)).toMatchObject({ state: 'dismissed', reason: 'Returned to the sender' });
});

describe('a claim that fails is explained:', () => {
  test('somebody else was faster', async () => {
    const number = newPoNumber('LOST');
    const [id = ''] = await lost(number);
    const [mine, theirs] = [await station.announcedOne(), await station.announcedOne()];
    const at = await chosen(number);
    await at.line(mine.forecastNo);
    await at.asked('Press Enter to claim it');
    await station.stage.clerk.claim(id, theirs.forecastNo);
    await at.line('');
    await at.said(`Somebody has already claimed it for ${theirs.forecastNo}.`);
    await until(async () => (await at.page.locator('.candidates strong', { hasText: number }).count()) === 0, {
      what: 'the list without it',
    });
  });

  test('the merchant has cancelled, and nothing fits', async () => {
    const number = newPoNumber('LOST');
    await lost(number);
    const parcel = await station.announcedOne();
    await parcel.owner.cancel(parcel.poNumber);
    const at = await chosen(number, { locale: 'zh-CN' });
    await at.line('NOBODY-KNOWS');
    await at.said('本仓库没有预报与 NOBODY-KNOWS 相符');
    await at.line(parcel.forecastNo);
    await at.asked('按 Enter 认领');
    await at.line('');
    await at.said('商家已取消此预报');
  });

  test('the network is out; Enter tries again', async () => {
    const number = newPoNumber('LOST');
    await lost(number);
    const parcel = await station.announcedOne();
    const at = await chosen(number);
    await at.line(parcel.poNumber);
    await at.asked('Press Enter to claim it');
    await at.cutNetwork(true);
    await at.line('');
    await at.said('Nothing was changed: the platform cannot be reached.');
    await at.cutNetwork(false);
    await at.line('');
    await at.said(`was claimed for ${parcel.poNumber}`);
  });
});

test('more than a page is leafed through', async () => {
  await station.stage.clerk.report(
    ...Array.from({ length: 55 }, (_, index) => station.stage.clerk.event({ type: 'arrival', express_no: `PAGE-${1000 + index}` })),
  );
  const at = await station.bench();
  await at.line('A');
  await at.page.getByRole('button', { name: 'Next page' }).waitFor();
  await at.line('+');
  await at.page.getByRole('button', { name: 'Previous page' }).waitFor();
  await at.page.locator('.candidates strong', { hasText: 'PAGE-1054' }).waitFor();
  await at.line('-');
  await at.page.locator('.candidates strong', { hasText: 'PAGE-1000' }).waitFor();
  await at.page.keyboard.press('Escape');
  await at.asked('Scan a parcel');
});
