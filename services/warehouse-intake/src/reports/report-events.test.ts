import { describe, expect, test } from '@jest/globals';
import { MAX_INTAKE_ERRORS } from '@parcelway/contracts/warehouse-api';
import { AppError } from '@parcelway/kernel/app-error';
import { setUp } from '../testing/report-set-up.ts';
import { accept, acceptedForecast, report, weighing } from '../testing/samples.ts';
import { eventsIn, reportEvents } from './report-events.ts';

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

describe('reportEvents', () => {
  test('lists every fault of an event, with the field, as many as a response holds', async () => {
    const { options } = setUp();
    const bad = { type: 'weighing', event_id: 'e-1', weight_kg: -1, photo_ids: Array.from({ length: 50 }, () => '') };
    const { rejected } = await reportEvents(options, 'WH1', [bad]);
    expect(rejected[0]?.errors.length).toBeGreaterThan(50);
    expect(rejected[0]?.errors).toContainEqual({ field: 'weight_kg', rule: 'minimum', message: 'weight_kg must be greater than 0' });
    const many = (
      await reportEvents(
        options,
        'WH1',
        Array.from({ length: 500 }, () => bad),
      )
    ).rejected;
    expect(many.every(({ errors }) => errors.length >= 1 && errors.length <= 100)).toBe(true);
    expect(many.flatMap(({ errors }) => errors).length).toBeLessThanOrEqual(MAX_INTAKE_ERRORS + 500);
  });

  test('rejects the dispatch of a type 1 forecast, between the others', async () => {
    const { options, store } = setUp();
    await accept(store, acceptedForecast({ forecastType: 1 }));
    const dispatch = report({ type: 'dispatch', carrier_code: 'dhl', tracking_number: 'JD014600003' });
    const result = await reportEvents(options, 'WH1', [report(), dispatch, null]);
    expect(result).toMatchObject({ accepted: 1, duplicates: 0, waiting: 0, warnings: [] });
    expect(result.rejected).toMatchObject([{ index: 1 }, { index: 2 }]);
    expect(result.rejected[0]).toEqual({
      index: 1,
      event_id: dispatch.event_id,
      code: '40902',
      message: 'A type 1 forecast takes no dispatch',
      errors: [{ field: 'type', rule: 'takes_no_dispatch', message: 'A type 1 forecast takes no dispatch' }],
    });
  });

  test('rejects what has the event_id of a rejected dispatch too, and stores nothing under it', async () => {
    const { options, store } = setUp();
    await accept(store, acceptedForecast({ forecastType: 1 }));
    const dispatch = report({ type: 'dispatch', carrier_code: 'dhl', tracking_number: 'JD014600003' });
    const sameId = report({ event_id: dispatch.event_id });
    const result = await reportEvents(options, 'WH1', [dispatch, sameId]);
    expect(result).toMatchObject({ accepted: 0, duplicates: 0, warnings: [] });
    expect(result.rejected.map(({ index, code, errors }) => [index, code, errors[0]?.rule])).toEqual([
      [0, '40902', 'takes_no_dispatch'],
      [1, '40902', 'event_id_reused'],
    ]);
    expect(await reportEvents(options, 'WH1', [sameId])).toMatchObject({ accepted: 1, rejected: [] });
  });
});

const NO_OBJECT = 'The body must be an object. Send one event, or { "events": [ … ] }';

const NO_EVENT = 'The body is neither an event nor a list of events. Send one event, or { "events": [ … ] }';

describe('eventsIn', () => {
  test('reads one event and a list', () => {
    const event = report();
    expect(eventsIn(event)).toEqual([event]);
    expect(eventsIn({ events: [event, 1] })).toEqual([event, 1]);
    expect(eventsIn({ events: Array.from({ length: 500 }, () => event) })).toHaveLength(500);
  });

  test('leaves an incomplete single event to the judgement of events', () => {
    expect(eventsIn({ type: 'arrival' })).toHaveLength(1);
    expect(eventsIn({ event_id: 'e1' })).toHaveLength(1);
  });

  test.each([
    ['null', null, '', 'type', NO_OBJECT],
    ['nothing', undefined, '', 'type', NO_OBJECT],
    ['a string', 'events', '', 'type', NO_OBJECT],
    ['an array', [report()], '', 'type', NO_OBJECT],
    ['an empty object', {}, '', 'shape', NO_EVENT],
    ['an object of another kind', { parcels: [] }, '', 'shape', NO_EVENT],
    ['events that are no array', { events: report() }, 'events', 'type', 'events must be an array'],
    ['no events', { events: [] }, 'events', 'min_items', 'events must have at least 1 element'],
    ['501 events', { events: Array.from({ length: 501 }, () => 1) }, 'events', 'max_items', 'events must have at most 500 elements'],
  ])('refuses %s with 42201', (_name, body, field, rule, message) => {
    let thrown: unknown;
    try {
      eventsIn(body);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(AppError);
    expect(thrown).toMatchObject({ code: '42201', data: { errors: [{ field, rule, message }] } });
  });
});
