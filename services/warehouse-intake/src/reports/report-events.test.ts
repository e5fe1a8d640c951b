import { describe, expect, test } from '@jest/globals';
import { accept } from '../testing/follow-one.ts';
import { setUp } from '../testing/report-set-up.ts';
import { acceptedForecast, report, weighing } from '../testing/samples.ts';
import { reportEvents } from './report-events.ts';

describe('reportEvents', () => {
  test('takes exceptions, holds, releases and counts, and names what is wrong or odd by position and event_id', async () => {
    const { options } = setUp();
    const count = [
      { sku_code: 'A', quantity: 1 },
      { sku_code: 'A', quantity: 2 },
    ];
    const calls = [
      report({ type: 'exception', reason: 'damaged', hold: true }),
      report({ type: 'hold' }),
      report({ type: 'release' }),
      report({ type: 'put_away', received_items: count }),
      report({ type: 'exception', reason: 'wet', text: 7, photo_ids: ['none'] }),
      report({ type: 'exception', reason: 'other', photo_ids: ['none'] }),
      report({ type: 'hold', reason: 'x'.repeat(501) }),
      report({ received_items: [{ sku_code: ' A', quantity: 1.5 }] }),
    ];
    const { accepted, rejected, warnings } = await reportEvents(options, 'WH1', calls);
    expect(accepted).toBe(4);
    expect(
      rejected.map(({ index, event_id, code, errors }) => [index, event_id, code, errors.map(({ field, rule }) => `${field} ${rule}`)]),
    ).toEqual([
      [4, calls[4]?.event_id, '42201', ['reason enum', 'text type']],
      [5, calls[5]?.event_id, '40403', ['photo_ids[0] unknown_photo']],
      [6, calls[6]?.event_id, '42201', ['reason max_length']],
      [7, calls[7]?.event_id, '42201', ['received_items[0].sku_code pattern', 'received_items[0].quantity type']],
    ]);
    expect(
      warnings.filter(({ rule }) => rule !== 'no_forecast').map(({ index, event_id, field, rule }) => [index, event_id, field, rule]),
    ).toEqual([
      [0, calls[0]?.event_id, 'hold', 'unknown_field'],
      [3, calls[3]?.event_id, 'received_items[1].sku_code', 'implausible'],
    ]);
  });

  test('stores the good ones and says by position what is wrong with the others', async () => {
    const { options, store } = setUp();
    const good = [report(), weighing()];
    const [lost, foreign] = [report({ type: 'lost' }), report({ warehouse_code: 'WH2' })];
    const result = await reportEvents(options, 'WH1', [lost, good[0], foreign, good[1], null]);
    expect(result).toMatchObject({
      accepted: 2,
      duplicates: 0,
      rejected: [
        { index: 0, event_id: lost.event_id, code: '42201', message: expect.stringContaining('type must be one of') },
        { index: 2, event_id: foreign.event_id, code: '40301', message: expect.stringContaining('warehouse_code') },
        { index: 4, event_id: null, code: '42201', message: 'An event must be an object' },
      ],
    });
    expect(result.rejected.map(({ errors }) => errors.map(({ field, rule }) => [field, rule]))).toEqual([
      [['type', 'enum']],
      [['warehouse_code', 'foreign_warehouse']],
      [['', 'type']],
    ]);
    expect((await store.unclaimed(10)).map((parcel) => parcel.event.eventId)).toEqual(good.map((event) => event.event_id));
  });

  test('responds without using the store when no event is valid', async () => {
    const { options, db } = setUp();
    db.close();
    expect(await reportEvents(options, 'WH1', [1])).toMatchObject({ accepted: 0, rejected: [{ index: 0 }] });
  });

  test('fails as a whole when the store is out', async () => {
    const { options, db } = setUp();
    db.close();
    await expect(reportEvents(options, 'WH1', [report()])).rejects.toMatchObject({ code: '50301' });
  });

  test('wakes the relay only when something was published', async () => {
    const { options, store, notified } = setUp();
    await accept(store, acceptedForecast());
    await reportEvents(options, 'WH1', [report({ express_no: 'OTHER1' })]);
    expect(notified()).toBe(0);
    await reportEvents(options, 'WH1', [report()]);
    expect(notified()).toBe(1);
  });

  test('counts a repeat with other content as a duplicate and warns of it', async () => {
    const { options, warnings } = setUp();
    const event = report();
    await reportEvents(options, 'WH1', [event]);
    expect(await reportEvents(options, 'WH1', [event])).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(warnings).toEqual([]);
    expect(await reportEvents(options, 'WH1', [{ ...event, occurred_at: '2026-11-21T09:00:01+08:00' }])).toMatchObject({
      duplicates: 1,
      warnings: [{ index: 0, event_id: event.event_id, field: 'event_id', rule: 'event_id_reused' }, { rule: 'no_forecast' }],
    });
    expect(warnings).toEqual([{ warehouse_code: 'WH1', event_id: event.event_id }]);
  });
});
