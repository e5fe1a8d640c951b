import { describe, expect, test } from '@jest/globals';
import { type IntakeResult, MAX_INTAKE_ERRORS, MAX_INTAKE_WARNINGS } from '@parcelway/contracts/warehouse-api';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, type Logger, silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import type { SqliteIntakeStore } from '../matching/adapters/sqlite-intake-store.ts';
import { SqliteReports } from '../outcomes/adapters/sqlite-reports.ts';
import type { Rejection } from '../outcomes/domain/event-outcome.ts';
import { accept } from '../testing/follow-one.ts';
import { acceptedForecast, FILE_SECRET, NOW, report, weighing } from '../testing/samples.ts';
import { openSqliteIntake } from '../testing/sqlite-intake.ts';
import { defaultMeasureLimits } from './domain/implausible-measures.ts';
import { eventsIn, type ReportOptions, reportEvents } from './report-events.ts';

function setUp(): {
  kept: Rejection[];
  options: ReportOptions;
  store: SqliteIntakeStore;
  db: SqliteDatabase;
  warnings: LogFields[];
  notified: () => number;
} {
  const clock = new ManualClock(NOW);
  const db = new SqliteDatabase(':memory:');
  const store = openSqliteIntake(db, clock);
  const warnings: LogFields[] = [];
  const kept: Rejection[] = [];
  const rejections = { remember: async (rejected: readonly Rejection[]) => void kept.push(...rejected) };
  let notified = 0;
  const logger: Logger = { ...silentLogger, warn: (fields) => warnings.push(fields) };
  const notify = (): void => {
    notified += 1;
  };
  return {
    kept,
    options: {
      recorder: store,
      reports: new SqliteReports(db),
      rejections,
      clock,
      logger,
      environment: 'sandbox',
      fileSecret: FILE_SECRET,
      notify,
      limits: defaultMeasureLimits,
    },
    store,
    db,
    warnings,
    notified: () => notified,
  };
}

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

  test('responds without the store when nothing is good', async () => {
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

  const rulesOf = ({ warnings }: IntakeResult) => warnings.map(({ index, field, rule }) => [index, field, rule]);

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

  test('names all photos that are not there, and the time, at once', async () => {
    const { options } = setUp();
    const raw = weighing({ occurred_at: '2099-01-01T00:00:00Z', photo_ids: ['a', 'b'] });
    expect((await reportEvents(options, 'WH1', [raw])).rejected).toMatchObject([
      { code: '42201', errors: [{ field: 'occurred_at' }, { field: 'photo_ids[0]', rule: 'unknown_photo' }, { field: 'photo_ids[1]' }] },
    ]);
  });

  test('warns of unknown fields and what they were meant for, and of measures that no parcel has', async () => {
    const { options, store } = setUp();
    await accept(store, acceptedForecast());
    const raw = weighing({ weight_kg: 2415, photo_id: 'x', weight_lb: 3, note: 'fragile' });
    const result = await reportEvents(options, 'WH1', [report(), raw]);
    expect(rulesOf(result)).toEqual([
      [1, 'weight_kg', 'implausible'],
      [1, 'weight_kg', 'implausible'],
      [1, 'photo_id', 'unknown_field'],
      [1, 'weight_lb', 'unknown_field'],
      [1, 'note', 'unknown_field'],
    ]);
    expect(result.warnings.map(({ message }) => message)).toEqual([
      'weight_kg 2415 is more than 150 kg; check the number and its unit',
      expect.stringContaining('g per litre, outside 2 to 12000'),
      'photo_id is not a field of a weighing event and was ignored; did you mean photo_ids?',
      'weight_lb is not a field of a weighing event and was ignored; did you mean weight_kg?',
      'note is not a field of a weighing event and was ignored',
    ]);
    expect(result).toMatchObject({ accepted: 2, waiting: 0, rejected: [] });
  });

  test('warns of unknown fields of rejected events, with and without others in the call', async () => {
    const { options } = setUp();
    const bad = weighing({ weight_kg: undefined, weight_lb: 3 });
    for (const others of [[], [report()]]) {
      const { rejected, warnings } = await reportEvents(options, 'WH1', [bad, ...others]);
      expect(rejected).toMatchObject([{ index: 0, errors: [{ field: 'weight_kg', rule: 'required' }] }]);
      expect(warnings.filter(({ rule }) => rule === 'unknown_field')).toEqual([
        {
          index: 0,
          event_id: bad.event_id,
          field: 'weight_lb',
          rule: 'unknown_field',
          message: 'weight_lb is not a field of a weighing event and was ignored; did you mean weight_kg?',
        },
      ]);
    }
  });

  test('says what waits, for what, and which forecasts an ambiguous number may be for', async () => {
    const { options, store } = setUp();
    await accept(store, acceptedForecast());
    await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b' }));
    await accept(store, acceptedForecast({ forecastNo: 'FC3', warehouseCode: 'WH2', trackingNumbers: [] }));
    const { express_no: _none, ...typo } = report({ forecast_no: 'FC9' });
    const foreign = { ...typo, event_id: 'e-foreign', forecast_no: 'FC3' };
    const result = await reportEvents(options, 'WH1', [typo, report({ express_no: 'OTHER1' }), report(), foreign]);
    expect(result).toMatchObject({ accepted: 4, waiting: 4 });
    expect(rulesOf(result)).toEqual([
      [0, 'forecast_no', 'no_forecast'],
      [1, 'express_no', 'no_forecast'],
      [2, 'express_no', 'ambiguous'],
      [3, 'forecast_no', 'no_forecast'],
    ]);
    expect(result.warnings.map(({ message }) => message)).toEqual([
      'No forecast "FC9" for this warehouse is known; the event waits for it',
      'No forecast for this warehouse declares "OTHER1"; the event waits for one',
      expect.stringContaining('Several forecasts declare "SF 1234-5678": FC1, FC2; the event waits'),
      'No forecast "FC3" for this warehouse is known; the event waits for it',
    ]);
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

  test('keeps the gravest warnings when there are too many, and counts what waits all the same', async () => {
    const { options, store } = setUp();
    await accept(store, acceptedForecast());
    await accept(store, acceptedForecast({ forecastNo: 'FC2', tenantId: 'tnt_b' }));
    const typos = Array.from({ length: 200 }, () => report({ express_no: 'OTHER1', operater: 'x' }));
    const result = await reportEvents(options, 'WH1', [...typos, report()]);
    expect(result.waiting).toBe(201);
    expect(result.warnings).toHaveLength(MAX_INTAKE_WARNINGS);
    expect(result.warnings.at(-1)).toMatchObject({ index: 200, rule: 'ambiguous' });
    expect(result.warnings.every(({ rule }) => rule !== 'no_forecast')).toBe(true);
  });
});

describe('what is kept of rejected reports', () => {
  const bad = (given: Readonly<Record<string, unknown>> = {}) => weighing({ weight_kg: -1, ...given });

  test('is what could be read of them, of whose warehouse, with the faults; good events cause no write', async () => {
    const { options, kept } = setUp();
    const [good, first, strange, early] = [
      report(),
      bad(),
      bad({ type: 'explosion', occurred_at: 'soon' }),
      report({ event_id: 'WH1/a@b:c+d' }),
    ];
    await reportEvents(options, 'WH1', [good]);
    expect(kept).toEqual([]);
    const foreign = { ...early, warehouse_code: 'WH2' };
    await reportEvents(options, 'WH1', [good, first, strange, foreign]);
    expect(kept).toEqual([
      {
        warehouseCode: 'WH1',
        eventId: first['event_id'],
        type: 'weighing',
        occurredAt: first['occurred_at'],
        code: '42201',
        errors: [expect.objectContaining({ field: 'weight_kg' })],
      },
      expect.objectContaining({ eventId: strange['event_id'], type: null, occurredAt: null, code: '42201' }),
      expect.objectContaining({ warehouseCode: 'WH1', eventId: 'WH1/a@b:c+d', type: 'arrival', code: '40301' }),
    ]);
  });

  test('is nothing of those without a readable id, and over a trusted channel of those without a warehouse', async () => {
    const { options, kept } = setUp();
    const unreadable = [
      bad({ event_id: 7 }),
      bad({ event_id: 'x'.repeat(129) }),
      bad({ event_id: 'a\u202eb' }),
      bad({ event_id: '' }),
      null,
    ];
    await reportEvents(options, 'WH1', unreadable);
    await reportEvents(options, null, [bad({ warehouse_code: 'x'.repeat(33) }), bad({ warehouse_code: 7 })]);
    expect(kept).toEqual([]);
    await reportEvents(options, null, [bad({ warehouse_code: 'WH7' })]);
    expect(kept.map(({ warehouseCode }) => warehouseCode)).toEqual(['WH7']);
  });

  test('has at most 20 faults of each, and a type 1 forecast’s dispatch among them', async () => {
    const { options, kept, store } = setUp();
    await accept(store, acceptedForecast({ forecastType: 1 }));
    const photo_ids = Array.from({ length: 50 }, (_, index) => `ph_${index}`);
    await reportEvents(options, 'WH1', [
      weighing({ photo_ids }),
      report({ type: 'dispatch', forecast_no: 'FC1', carrier_code: 'dhl', tracking_number: 'JD014600003' }),
    ]);
    expect(kept.map(({ code, errors }) => [code, errors.length])).toEqual([
      ['40403', 20],
      ['40902', 1],
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
