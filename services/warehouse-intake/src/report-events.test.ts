import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, type Logger, silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteIntakeStore } from './adapters/sqlite-intake-store.ts';
import { eventsIn, type ReportDeps, reportEvents } from './report-events.ts';
import { acceptedForecast, FILE_SECRET, NOW, report, weighing } from './testing/samples.ts';

function setUp(): { deps: ReportDeps; store: SqliteIntakeStore; db: SqliteDatabase; warnings: LogFields[]; notified: () => number } {
  const clock = new ManualClock(NOW);
  const db = new SqliteDatabase(':memory:');
  const store = new SqliteIntakeStore(db, clock);
  const warnings: LogFields[] = [];
  let notified = 0;
  const logger: Logger = { ...silentLogger, warn: (fields) => warnings.push(fields) };
  const notify = (): void => {
    notified += 1;
  };
  return {
    deps: { recorder: store, clock, logger, environment: 'sandbox', fileSecret: FILE_SECRET, notify },
    store,
    db,
    warnings,
    notified: () => notified,
  };
}

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
    ['null', null, ''],
    ['a string', 'events', ''],
    ['an array', [report()], ''],
    ['an empty object', {}, ''],
    ['an object of another kind', { parcels: [] }, ''],
    ['events that are no array', { events: report() }, 'events'],
    ['no events', { events: [] }, 'events'],
    ['501 events', { events: Array.from({ length: 501 }, () => 1) }, 'events'],
  ])('refuses %s with 42201', (_name, body, field) => {
    let thrown: unknown;
    try {
      eventsIn(body);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(AppError);
    expect(thrown).toMatchObject({ code: '42201', data: { errors: [{ field }] } });
  });
});

describe('reportEvents', () => {
  test('stores the good ones and says by position what is wrong with the others', async () => {
    const { deps, store } = setUp();
    const good = [report(), weighing()];
    const result = await reportEvents(deps, 'WH1', [report({ type: 'lost' }), good[0], report({ warehouse_code: 'WH2' }), good[1], null]);
    expect(result).toEqual({
      accepted: 2,
      duplicates: 0,
      rejected: [
        { index: 0, code: '42201', message: expect.stringContaining('type must be one of') },
        { index: 2, code: '40301', message: expect.stringContaining('warehouse_code') },
        { index: 4, code: '42201', message: 'An event must be an object' },
      ],
    });
    expect((await store.unclaimed(10)).map((parcel) => parcel.event.eventId)).toEqual(good.map((event) => event.event_id));
  });

  test('answers without the store when nothing is good', async () => {
    const { deps, db } = setUp();
    db.close();
    expect(await reportEvents(deps, 'WH1', [1])).toMatchObject({ accepted: 0, rejected: [{ index: 0 }] });
  });

  test('fails as a whole when the store is out', async () => {
    const { deps, db } = setUp();
    db.close();
    await expect(reportEvents(deps, 'WH1', [report()])).rejects.toMatchObject({ code: '50301' });
  });

  test('wakes the relay only when something was published', async () => {
    const { deps, store, notified } = setUp();
    await store.accept(acceptedForecast());
    await reportEvents(deps, 'WH1', [report({ express_no: 'OTHER1' })]);
    expect(notified()).toBe(0);
    await reportEvents(deps, 'WH1', [report()]);
    expect(notified()).toBe(1);
  });

  test('counts a repeat with other content as a duplicate and warns of it', async () => {
    const { deps, warnings } = setUp();
    const event = report();
    await reportEvents(deps, 'WH1', [event]);
    expect(await reportEvents(deps, 'WH1', [event])).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(warnings).toEqual([]);
    expect(await reportEvents(deps, 'WH1', [{ ...event, occurred_at: '2026-11-21T09:00:01+08:00' }])).toMatchObject({ duplicates: 1 });
    expect(warnings).toEqual([{ warehouse_code: 'WH1', event_id: event.event_id }]);
  });
});
