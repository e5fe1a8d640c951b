import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { openSqliteStores } from './adapters/sqlite-stores.ts';
import type { WebhookStores } from './ports.ts';
import { createRedeliverer, MAX_REPLAYED, type Redeliverer } from './redeliver.ts';
import { endpointFor, eventFor, T0 } from './testing/webhook-fixtures.ts';

const DAY_MS = 86_400_000;
const clock = new ManualClock(T0 + 1000);

let db: SqliteDatabase;
let stores: WebhookStores;
let redeliverer: Redeliverer;

beforeEach(async () => {
  db = new SqliteDatabase(':memory:');
  stores = await openSqliteStores(db);
  await stores.endpoints.insert(endpointFor('tnt_one', { endpointId: 'ep_1' }), 10);
  const { redelivery, endpoints } = stores;
  redeliverer = createRedeliverer({ redelivery, endpoints, runner: { wake: () => undefined }, clock, retentionMs: 30 * DAY_MS });
});

afterEach(() => db.close());

function take(count: number, occurredAt: number): Promise<unknown> {
  return Promise.all(
    Array.from({ length: count }, () => stores.intake.accept(eventFor('tnt_one', 'FC1', { occurredAt }), occurredAt, () => null)),
  );
}

describe('a replay of more than one call', () => {
  test('goes on behind what the call before has made due, and never begins anew', async () => {
    await take(2 * MAX_REPLAYED + 3, T0);
    const scheduled: number[] = [];
    let after: string | undefined;
    do {
      const outcome = await redeliverer.replay('tnt_one', 'ep_1', { since: T0, only: 'all', after });
      scheduled.push(outcome.scheduled);
      expect(scheduled.length).toBeLessThanOrEqual(3);
      after = outcome.next ?? undefined;
    } while (after !== undefined);
    expect(scheduled).toEqual([MAX_REPLAYED, MAX_REPLAYED, 3]);
    expect(db.get('SELECT count(*) AS count FROM deliveries')).toEqual({ count: 2 * MAX_REPLAYED + 3 });
  }, 60_000);

  test('keeps the end that it had when it began', async () => {
    await take(MAX_REPLAYED + 1, T0);
    const first = await redeliverer.replay('tnt_one', 'ep_1', { since: T0, only: 'all' });
    await take(5, clock.now() + 1);
    clock.advance(10_000);
    const rest = await redeliverer.replay('tnt_one', 'ep_1', { since: T0, only: 'all', after: first.next ?? '' });
    expect(rest).toEqual({ scheduled: 1, next: null });
  }, 60_000);

  test('ends after some seconds with a place, however little was in the range so far', async () => {
    let batches = 0;
    const replay: WebhookStores['redelivery']['replay'] = async () => {
      batches += 1;
      // An end, so that a call which does not end by itself fails instead of going on for ever.
      return { scheduled: 0, next: batches < 10 ? `place${batches}` : null };
    };
    const time = jest.spyOn(performance, 'now').mockImplementation(() => batches * 2000);
    const { redelivery, endpoints } = stores;
    const slow = createRedeliverer({
      redelivery: { ...redelivery, replay },
      endpoints,
      runner: { wake: () => undefined },
      clock,
      retentionMs: 30 * DAY_MS,
    });
    const outcome = await slow.replay('tnt_one', 'ep_1', { since: T0, until: T0 + 9 });
    time.mockRestore();
    expect(outcome).toEqual({ scheduled: 0, next: `${T0 + 9}/place3` });
  });

  test.each(['', 'x', '12', `${T0 + 5}/x`, '/5'])('refuses %p as a place to go on at', async (after) => {
    await expect(redeliverer.replay('tnt_one', 'ep_1', { since: T0, after })).rejects.toMatchObject({
      code: '42201',
      data: { errors: [{ field: 'cursor' }] },
    });
  });
});
