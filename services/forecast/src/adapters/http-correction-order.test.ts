import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;
beforeEach(async () => {
  app = await ForecastHarness.open();
});
afterEach(() => app.close());

const read = async (poNumber = 'PO-1') => (await app.call('GET', `/open/v1/forecasts/${poNumber}`)).data;

describe('If-Match', () => {
  test('lets the current version be corrected and no other', async () => {
    await app.submit(app.submission());
    expect((await app.correct('PO-1', { due_date: '2026-12-24' }, { 'if-match': '"1"' })).data.version).toBe(2);
    const stale = await app.correct('PO-1', { due_date: '2026-12-25' }, { 'if-match': '"1"' });
    expect(stale).toMatchObject({ status: 412, code: '41201', data: { version: 2 } });
    expect((await app.correct('PO-1', { due_date: '2026-12-24' }, { 'if-match': '"1"' })).code).toBe('41201');
    expect((await app.correct('PO-1', { due_date: '2026-12-25' }, { 'if-match': '"1", "2"' })).data.version).toBe(3);
    expect((await app.correct('PO-1', { due_date: '2026-12-26' }, { 'if-match': '*' })).data.version).toBe(4);
    expect((await app.correct('PO-2', { due_date: '2026-12-26' }, { 'if-match': '*' })).code).toBe('40401');
  });

  test('lets one of many writers through', async () => {
    await app.submit(app.submission());
    const days = Array.from({ length: 10 }, (_, index) => `2026-12-${10 + index}`);
    const responses = await Promise.all(days.map((day) => app.correct('PO-1', { due_date: day }, { 'if-match': '"1"' })));
    expect(responses.map(({ code }) => code).sort()).toEqual(['0', ...Array.from({ length: 9 }, () => '41201')]);
    expect(await read()).toMatchObject({ version: 2, due_date: responses.find(({ code }) => code === '0')?.data.due_date });
  });
});

describe('a submission after a correction', () => {
  test('is compared with the content as it is', async () => {
    const { data: accepted } = await app.submit(app.submission());
    await app.correct('PO-1', { due_date: '2026-12-24' });
    const original = await app.submit(app.submission());
    expect(original).toMatchObject({ code: '40901', data: { forecast_no: accepted.forecast_no, fields: ['due_date'] } });
    const corrected = await app.submit(app.submission({ due_date: '2026-12-24' }));
    expect(corrected).toMatchObject({ code: '0', data: { forecast_no: accepted.forecast_no, create_time: accepted.create_time } });
    expect(corrected.headers['idempotent-replayed']).toBe('true');
    await app.correct('PO-1', { due_date: null });
    expect((await app.submit(app.submission())).headers['idempotent-replayed']).toBe('true');
    expect((await app.published()).filter(({ type }) => type === 'forecast.accepted')).toHaveLength(1);
  });
});
