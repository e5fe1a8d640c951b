import { describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { Delivery } from '../intake/domain/delivery.ts';
import type { WebhookStores } from '../ports.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import { createRedeliverer } from './redeliver.ts';

const DAY_MS = 86_400_000;
describe('what is sent again', () => {
  type Replay = WebhookStores['redelivery']['replay'];

  /** A redeliverer whose store says of each batch what the test wants. */
  function world(batches: readonly { scheduled: number; next: string | null }[], given: Partial<Endpoint> = {}) {
    const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1', filter: { is_terminal: true }, ...given });
    const asked: Parameters<Replay>[1][] = [];
    const ids: string[] = [];
    let wakes = 0;
    const made = createRedeliverer({
      redelivery: {
        async resend(_tenantId, _endpointId, deliveryId, now) {
          return deliveryId === 'dlv_1' ? ({ deliveryId, nextAttemptAt: now } as Delivery) : undefined;
        },
        async replay(_endpoint, range, _now, newDeliveryId) {
          ids.push(newDeliveryId());
          return batches[asked.push(range) - 1] ?? { scheduled: 0, next: null };
        },
      },
      endpoints: { get: async (_tenantId, id) => (id === 'ep_1' ? endpoint : undefined) },
      runner: {
        wake: () => {
          wakes += 1;
        },
      },
      clock: new ManualClock(T0),
      retentionMs: DAY_MS,
    });
    return { made, asked, ids, wakes: () => wakes };
  }

  test('wakes the dispatcher when it is one delivery', async () => {
    const { made, wakes } = world([]);
    expect(await made.resend('tnt_one', 'ep_1', 'dlv_1')).toEqual({ deliveryId: 'dlv_1', nextAttemptAt: T0 });
    expect(wakes()).toBe(1);
  });

  test('leaves the rest of the process its turns', async () => {
    const { made } = world(Array.from({ length: 9 }, (_, place) => ({ scheduled: 0, next: place === 8 ? null : `${place}` })));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      if (turns < 100) setImmediate(count);
    };
    setImmediate(count);
    await made.replay('tnt_one', 'ep_1', { since: T0 - 1 });
    expect(turns).toBeGreaterThanOrEqual(8);
  });

  test('is refused when there is no such delivery or endpoint, or the endpoint is not enabled', async () => {
    const { made, wakes } = world([]);
    await expect(made.resend('tnt_one', 'ep_1', 'dlv_9')).rejects.toMatchObject({ code: '40403', message: 'The delivery does not exist' });
    await expect(made.resend('tnt_one', 'ep_9', 'dlv_1')).rejects.toMatchObject({ code: '40403', message: 'The endpoint does not exist' });
    const paused = world([], { status: 'paused' }).made;
    await expect(paused.resend('tnt_one', 'ep_1', 'dlv_1')).rejects.toMatchObject({ code: '40902' });
    await expect(paused.replay('tnt_one', 'ep_1', { since: T0 - 9 })).rejects.toMatchObject({ code: '40902' });
    expect(wakes()).toBe(0);
  });

  test('is what is undelivered from then until now, as the endpoint wants it', async () => {
    const { made, asked, ids, wakes } = world([{ scheduled: 3, next: null }]);
    expect(await made.replay('tnt_one', 'ep_1', { since: T0 - 9 })).toEqual({ scheduled: 3, next: null });
    expect(asked).toEqual([
      { types: ['parcel.weighed'], since: T0 - 9, until: T0, only: 'undelivered', matches: expect.any(Function), after: null, limit: 500 },
    ]);
    const matches = (is_terminal: boolean) => asked[0]?.matches(JSON.stringify({ data: { is_terminal } }));
    expect([matches(true), matches(false)]).toEqual([true, false]);
    expect(ids[0]).toMatch(/^dlv_/);
    expect(wakes()).toBe(1);
  });

  test('comes batch by batch, until ten thousand', async () => {
    const { made, asked, wakes } = world([
      { scheduled: 400, next: 'a' },
      { scheduled: 9500, next: 'b' },
      { scheduled: 100, next: 'c' },
    ]);
    expect(await made.replay('tnt_one', 'ep_1', { since: T0 - 9, until: T0 - 1 })).toEqual({ scheduled: 10_000, next: `${T0 - 1}/c` });
    expect(asked.map(({ after, limit }) => [after, limit])).toEqual([
      [null, 500],
      ['a', 500],
      ['b', 100],
    ]);
    expect(wakes()).toBe(3);
  });

  test('goes on at a place, whatever end is given with it', async () => {
    const { made, asked } = world([]);
    await made.replay('tnt_one', 'ep_1', { since: T0 - 9, until: T0, after: `${T0 - 5}/x/y` });
    expect(asked[0]).toMatchObject({ until: T0 - 5, after: 'x/y' });
  });

  test('ends after some seconds with a place, however little was in the range so far', async () => {
    const { made, asked } = world(
      Array.from({ length: 10 }, (_, index) => ({ scheduled: 0, next: index < 9 ? `place${index + 1}` : null })),
    );
    const time = jest.spyOn(performance, 'now').mockImplementation(() => asked.length * 2000);
    const outcome = await made.replay('tnt_one', 'ep_1', { since: T0 - 9, until: T0 - 1 });
    time.mockRestore();
    expect(outcome).toEqual({ scheduled: 0, next: `${T0 - 1}/place3` });
  });

  test.each(['', 'x', '12', '/5', `x${T0 - 5}/1`, `${T0 - 5}/1\n`, `1${T0 - 5}000/1`])('goes on at no place like %p', async (after) => {
    const { made, asked } = world([]);
    await expect(made.replay('tnt_one', 'ep_1', { since: T0 - 9, after })).rejects.toMatchObject({ code: '42201' });
    expect(asked).toEqual([]);
  });

  test('begins where the retention does', async () => {
    const { made, asked } = world([]);
    await made.replay('tnt_one', 'ep_1', { since: T0 - 2 * DAY_MS });
    expect(asked[0]?.since).toBe(T0 - DAY_MS);
    expect(await made.replay('tnt_one', 'ep_1', { since: 0, until: T0 - DAY_MS })).toEqual({ scheduled: 0, next: null });
    expect(asked).toHaveLength(1);
  });

  test('is refused when the range ends before it begins', async () => {
    const { made } = world([]);
    await expect(made.replay('tnt_one', 'ep_1', { since: T0 - 5, until: T0 - 5 })).rejects.toMatchObject({
      data: { errors: [{ field: 'until', rule: 'range', message: 'until must be later than since' }] },
    });
  });
});
