import { describe, expect, test } from '@jest/globals';
import { ForecastList, ForecastSummary } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { app, useHarness } from '../../testing/forecast-harness.ts';

useHarness();

const list = (query = '', tenant = 'tnt_a') => app.call('GET', `/open/v1/forecasts${query}`, { tenant });

const poNumbers = (response: { data: { forecasts: readonly { po_number: string }[] } }) =>
  response.data.forecasts.map(({ po_number }) => po_number);

async function submitMany(count: number, stepMs: number): Promise<void> {
  for (let index = 1; index <= count; index += 1) {
    await app.submit(app.submission({ po_number: `PO-${index}` }));
    app.clock.advance(stepMs);
  }
}

describe('the list', () => {
  test('comes newest first, in pages that end with a null cursor, also within one millisecond', async () => {
    await submitMany(5, 0);
    const first = await list('?limit=2');
    expect(compileValidator(ForecastList).errors(first.data)).toEqual([]);
    expect(poNumbers(first)).toEqual(['PO-5', 'PO-4']);
    // What arrives between two pages does not shift them.
    await app.submit(app.submission({ po_number: 'PO-6' }));
    const second = await list(`?limit=2&cursor=${first.data.next_cursor}`);
    expect(poNumbers(second)).toEqual(['PO-3', 'PO-2']);
    const third = await list(`?limit=2&cursor=${second.data.next_cursor}`);
    expect(poNumbers(third)).toEqual(['PO-1']);
    expect(third.data.next_cursor).toBeNull();
  });

  test('shows of a forecast what its detail shows, also after a correction', async () => {
    const shown = async () => {
      const [listed] = (await list()).data.forecasts;
      const detail = new Map(Object.entries((await app.call('GET', '/open/v1/forecasts/PO-1')).data));
      expect(listed).toEqual(Object.fromEntries(Object.keys(ForecastSummary.properties).map((name) => [name, detail.get(name)])));
      return { ...listed };
    };
    await app.submit(app.submission({ due_date: '2026-12-24' }));
    // No value is null, so that the test notices one that the list forgets.
    expect(Object.values(await shown())).not.toContain(null);
    await app.correct('PO-1', { due_date: '2026-12-25' });
    expect(await shown()).toMatchObject({ due_date: '2026-12-25', version: 2 });
  });

  test('has cursors that nobody can read, of one tenant alone', async () => {
    await submitMany(2, 0);
    const { next_cursor: cursor } = (await list('?limit=1')).data;
    expect(Buffer.from(String(cursor), 'base64url').toString('latin1')).not.toMatch(/^[\x20-\x7e]*$/);
    expect(await list(`?cursor=${cursor}`, 'tnt_b')).toMatchObject({ code: '42201' });
  });
});

test('a typo in a query is ignored and named', async () => {
  await submitMany(1, 0);
  const listed = await list('?stauts=CANCELLED');
  expect(compileValidator(ForecastList).errors(listed.data)).toEqual([]);
  expect(poNumbers(listed)).toEqual(['PO-1']);
  expect(listed.data).toMatchObject({ warnings: [{ field: 'stauts', message: expect.stringContaining('status, po_number') }] });
  for (const path of ['/weighing?po_number=PO-1&x=1', '/PO-1?x=1']) {
    const { data } = await app.call('GET', `/open/v1/forecasts${path}`);
    expect(data).toMatchObject({ po_number: 'PO-1', warnings: [{ field: 'x' }] });
  }
  expect((await app.call('POST', '/open/v1/forecasts?dry_run=true', { body: app.submission({ po_number: 'PO-2' }) })).data).toMatchObject({
    warnings: [{ field: 'dry_run' }],
  });
});
