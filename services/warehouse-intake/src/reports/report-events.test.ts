import { describe, expect, test } from '@jest/globals';
import { MAX_INTAKE_ERRORS, MAX_INTAKE_WARNINGS } from '@parcelway/contracts/warehouse-api';
import { AppError } from '@parcelway/kernel/app-error';
import { setUp } from '../testing/report-set-up.ts';
import { accept, acceptedForecast, report, weighing } from '../testing/samples.ts';
import { eventsIn, reportEvents } from './report-events.ts';

describe('reportEvents', () => {
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

  test('rejects the dispatch of a type 1 forecast and another event with its event_id, and stores neither', async () => {
    const { options, store } = setUp();
    await accept(store, acceptedForecast({ forecastType: 1 }));
    const dispatch = report({ type: 'dispatch', carrier_code: 'dhl', tracking_number: 'JD014600003' });
    const sameId = weighing({ event_id: dispatch.event_id, weight_kg: 151 });
    const result = await reportEvents(options, 'WH1', [dispatch, null, sameId]);
    expect(result).toMatchObject({ accepted: 0, duplicates: 0, warnings: [] });
    expect(result.rejected.map(({ index, code, errors }) => [index, code, errors[0]?.rule])).toEqual([
      [0, '40902', 'takes_no_dispatch'],
      [1, '42201', 'type'],
      [2, '40902', 'event_id_reused'],
    ]);
    expect(result.rejected[0]).toMatchObject({ event_id: dispatch.event_id, message: 'A type 1 forecast takes no dispatch' });
    expect(await reportEvents(options, 'WH1', [sameId])).toMatchObject({ accepted: 1, rejected: [] });
  });
});

describe('warnings of a call', () => {
  test('are of good and rejected events, by their position', async () => {
    const { options } = setUp();
    const count = ['A', 'A'].map((sku_code) => ({ sku_code, quantity: 1 }));
    const [bad, heavy, twice] = [
      weighing({ weight_kg: undefined, weight_lb: 3 }),
      weighing({ weight_kg: 151, forecast_no: 'FC9' }),
      report({ type: 'put_away', received_items: count }),
    ];
    const { warnings } = await reportEvents(options, 'WH1', [bad, heavy, twice]);
    expect(warnings.map(({ index, event_id, field, rule }) => [index, event_id, field, rule])).toEqual([
      [0, bad.event_id, 'weight_lb', 'unknown_field'],
      [1, heavy.event_id, 'weight_kg', 'implausible'],
      [1, heavy.event_id, 'weight_kg', 'implausible'],
      [1, heavy.event_id, 'forecast_no', 'no_forecast'],
      [2, twice.event_id, 'received_items[1].sku_code', 'implausible'],
      [2, twice.event_id, 'express_no', 'no_forecast'],
    ]);
    expect((await reportEvents(options, 'WH1', [bad])).warnings).toMatchObject([{ index: 0, field: 'weight_lb' }]);
  });

  test('looks at no more unknown fields than the response can name: a call may have a hundred thousand', async () => {
    const { options } = setUp();
    const unknown = Object.fromEntries(Array.from({ length: 200 }, (_, each) => [`weigth_${each}`, 1]));
    const unread = new Proxy(report(), {
      ownKeys() {
        throw new Error('its fields were read');
      },
    });
    const result = await reportEvents(options, 'WH1', [report(unknown), unread]);
    expect(result.accepted).toBe(2);
    expect(result.warnings).toHaveLength(MAX_INTAKE_WARNINGS);
  });

  test('name a dispatch of a parcel on hold, also if it is sent again or together with the hold in any order', async () => {
    const at = (minutes: number, type: string, given: object = {}) =>
      report({ forecast_no: 'FC1', express_no: undefined, type, occurred_at: `2026-11-21T09:0${minutes}:00+08:00`, ...given });
    for (const isReversed of [false, true]) {
      const { options, store } = setUp();
      await accept(store, acceptedForecast());
      const dispatch = at(2, 'dispatch', { carrier_code: 'dhl', tracking_number: 'JD014600003' });
      const events = [at(1, 'hold'), dispatch];
      const { accepted, warnings } = await reportEvents(options, 'WH1', isReversed ? events.toReversed() : events);
      expect([accepted, warnings]).toEqual([2, [expect.objectContaining({ event_id: dispatch.event_id, field: 'type', rule: 'on_hold' })]]);
      expect(warnings[0]?.message).toMatch(/^Forecast FC1 is on hold since 2026-11-21T09:01:00\+08:00/);
      expect(await reportEvents(options, 'WH1', [dispatch])).toMatchObject({ duplicates: 1, warnings: [{ rule: 'on_hold' }] });
    }
  });
});

describe('what is kept of rejected reports', () => {
  const bad = (given: Readonly<Record<string, unknown>> = {}) => weighing({ weight_kg: -1, ...given });

  test('is each rejected report of the call; good events cause no write', async () => {
    const { options, kept } = setUp();
    const [good, first, foreign] = [report(), bad(), report({ warehouse_code: 'WH2' })];
    await reportEvents(options, 'WH1', [good]);
    expect(kept).toEqual([]);
    await reportEvents(options, 'WH1', [good, first, foreign]);
    expect(kept).toMatchObject([
      { warehouseCode: 'WH1', eventId: first['event_id'], type: 'weighing', code: '42201', errors: [{ field: 'weight_kg' }] },
      { warehouseCode: 'WH1', eventId: foreign['event_id'], type: 'arrival', code: '40301' },
    ]);
  });

  test('that cannot be kept fails no call', async () => {
    const { options, warnings } = setUp();
    const rejections = { remember: () => Promise.reject(AppError.unavailable('The disk is full')) };
    const result = await reportEvents({ ...options, rejections }, 'WH1', [report(), bad()]);
    expect([result.accepted, result.rejected.length]).toEqual([1, 1]);
    expect(warnings).toMatchObject([{ reports: 1 }]);
  });
});

const NO_OBJECT = 'The body must be an object. Send one event, or { "events": [ … ] }';

const NO_EVENT = 'The body is neither an event nor a list of events. Send one event, or { "events": [ … ] }';

describe('eventsIn', () => {
  test('reads one event and a list', () => {
    const event = report();
    expect(eventsIn(event)).toEqual([event]);
    for (const incomplete of [{ type: 'arrival' }, { event_id: 'e1' }]) expect(eventsIn(incomplete)).toEqual([incomplete]);
    expect(eventsIn({ events: [event, 1] })).toEqual([event, 1]);
    expect(eventsIn({ events: Array.from({ length: 500 }, () => event) })).toHaveLength(500);
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
