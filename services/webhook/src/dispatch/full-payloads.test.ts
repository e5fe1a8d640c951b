import { describe, expect, test } from '@jest/globals';
import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { endpointFor, leasedOf, T0 } from '../testing/webhook-fixtures.ts';
import { MAX_FULL_BODY_BYTES, withFull } from './domain/full-payload.ts';
import { FULL_PAYLOADS_AT_ONCE, FULL_READS_AT_ONCE, type FullOutcome, FullPayloads, MAX_POSTPONED_MS } from './full-payloads.ts';

const endpoint = endpointFor('tnt_one', { endpointId: 'ep_full', payload: 'full' });
let made = 0;

/** A delivery of a forecast of its own. */
function full(eventType: SentEventType = 'parcel.weighed', given: Partial<LeasedDelivery['delivery']> = {}): LeasedDelivery {
  made += 1;
  const body = `{"type":"x","timestamp":"t","data":{"event_id":"evt_1","forecast_no":"FC${made}"}}`;
  const origin = { occurredAt: T0, traceparent: '00-trace' };
  return { ...leasedOf({ deliveryId: `dlv_${made}`, eventType, ...given }), endpoint, body, origin };
}

function world(read: (part: string, tenantId: string, forecastNo: string, traceparent: string | null) => Promise<unknown>) {
  const clock = new ManualClock(T0);
  const asked: string[] = [];
  const outcomes: FullOutcome[] = [];
  const state = { read };
  const payloads = new FullPayloads({
    content: {
      read(...given) {
        asked.push(given.join(' '));
        return state.read(...given);
      },
    },
    clock,
    logger: silentLogger,
    random: () => 0,
    onOutcome: (outcome) => void outcomes.push(outcome),
  });
  /** `data` of the body, or how long the delivery is postponed. */
  const prepare = async (one: LeasedDelivery): Promise<unknown> => {
    const prepared = await payloads.prepare(one);
    if ('postponedUntil' in prepared) return prepared.postponedUntil - clock.now();
    prepared.done();
    return (JSON.parse(prepared.body) as { data: unknown }).data;
  };
  return { clock, asked, outcomes, state, payloads, prepare };
}
const out = (): Promise<never> => Promise.reject(AppError.unavailable('The forecast service does not respond'));
const refused = (code: '40403' | '41301' | '50000') => (): Promise<never> => Promise.reject(new AppError(code));

describe('full payloads', () => {
  test('are for parcels of endpoints that want them, and for no test event', () => {
    const { payloads } = world(out);
    const thin = { ...full(), endpoint: endpointFor('tnt_one') };
    const all = [full(), full('forecast.accepted'), thin, full('parcel.weighed', { test: true }), full('endpoint.disabled')];
    expect(all.map((one) => payloads.concerns(one))).toEqual([true, true, false, false, false]);
  });

  test('have what the owner of the data says, asked for by tenant and forecast', async () => {
    const { prepare, asked, outcomes } = world(async (part) => ({ is: part }));
    const parts = { 'parcel.weighed': 'weighing', 'tracking.changed': 'tracking', 'parcel.exception': 'forecast' } as const;
    for (const [type, part] of Object.entries(parts)) {
      const data = await prepare(full(type as SentEventType));
      expect(data).toEqual({ event_id: 'evt_1', forecast_no: `FC${made}`, [part]: { is: part } });
      expect(asked.at(-1)).toBe(`${part} tnt_one FC${made} 00-trace`);
    }
    expect(outcomes).toEqual(['added', 'added', 'added']);
  });

  test('are sent thin when they would be too large, counted in bytes', async () => {
    const one = full();
    const room = MAX_FULL_BODY_BYTES - Buffer.byteLength(withFull(one.body, 'weighing', '').body);
    const contents = ['x'.repeat(room), 'x'.repeat(room + 1), 'ü'.repeat(room - 1)];
    const { prepare, outcomes } = world(async () => contents.shift());
    expect(await prepare(one)).toHaveProperty('weighing');
    for (const _time of [1, 2]) {
      expect(await prepare(one)).toEqual({ event_id: 'evt_1', forecast_no: `FC${made}`, full_omitted: 'too_large' });
    }
    expect(outcomes).toEqual(['added', 'too_large', 'too_large']);
  });

  test.each([
    ['40403', 'not_found'],
    ['41301', 'too_large'],
  ] as const)('are sent thin after %s', async (code, reason) => {
    const { prepare, outcomes } = world(refused(code));
    expect(await prepare(full())).toMatchObject({ event_id: 'evt_1', full_omitted: reason });
    expect(outcomes).toEqual([reason]);
  });

  test('ask a source with few calls at a time, of which one tenant has half', async () => {
    const { payloads, asked } = world((part) => (part === 'tracking' ? Promise.resolve(1) : new Promise(() => undefined)));
    const of = (tenantId: string, type?: SentEventType) => payloads.prepare(full(type, { tenantId }));
    for (let times = 0; times < FULL_READS_AT_ONCE; times += 1) void of('tnt_many');
    await new Promise(setImmediate);
    expect(asked).toHaveLength(FULL_READS_AT_ONCE / 2);
    void of('tnt_other');
    expect(await of('tnt_many', 'tracking.changed')).toHaveProperty('body');
    expect(asked).toHaveLength(FULL_READS_AT_ONCE / 2 + 2);
  });

  test('wait no longer than a quarter of an hour: then they are sent thin', async () => {
    const { prepare, asked, clock, outcomes } = world(out);
    const patient = full();
    while (clock.now() < T0 + MAX_POSTPONED_MS) clock.advance((await prepare(patient)) as number);
    expect(asked.length).toBeLessThan(40);
    expect(await prepare(patient)).toMatchObject({ full_omitted: 'unavailable' });
    expect(outcomes.at(-1)).toBe('unavailable');
    // One that comes now has a quarter of an hour of its own.
    expect(await prepare(full())).toBeGreaterThan(0);
  });

  test('that cannot be read wait for longer each time, and do not hold up the others', async () => {
    const poisoned = full();
    const { prepare, clock } = world(async (_part, _tenant, forecastNo) =>
      poisoned.body.includes(`"${forecastNo}"`) ? refused('50000')() : 1,
    );
    const waits: unknown[] = [];
    for (let times = 0; times < 6; times += 1) {
      waits.push(await prepare(poisoned));
      expect(await prepare(full())).toMatchObject({ weighing: 1 });
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    clock.advance(MAX_POSTPONED_MS);
    expect(await prepare(poisoned)).toMatchObject({ full_omitted: 'unavailable' });
  });

  test.each([
    ['being sent', async () => 1],
    ['being read', () => new Promise<number>((resolve) => setTimeout(() => resolve(1), 50))],
  ])('take turns from reading to sending: a tenant whose payloads are %s leaves half of the turns', async (_what, read) => {
    const { payloads, asked, clock, state } = world(read);
    const of = (tenantId: string) => payloads.prepare(full('parcel.weighed', { tenantId }));
    const deliveries = Array.from({ length: FULL_PAYLOADS_AT_ONCE }, () => full('parcel.weighed', { tenantId: 'tnt_many' }));
    const many = deliveries.map((one) => payloads.prepare(one));
    const first = await Promise.all(many.slice(0, FULL_PAYLOADS_AT_ONCE / 2));
    expect(asked).toHaveLength(FULL_PAYLOADS_AT_ONCE / 2);
    expect(await of('tnt_other')).toHaveProperty('body');
    // Who has no turn in time is postponed, and is no attempt.
    expect(await many[FULL_PAYLOADS_AT_ONCE / 2]).toEqual({ postponedUntil: clock.now() + 1_000 });
    for (const one of first) if ('done' in one) one.done();
    expect(await of('tnt_many')).toHaveProperty('body');
    // Nobody asked for its content yet, so it does not become thin, however long it waited.
    clock.advance(MAX_POSTPONED_MS);
    state.read = out;
    expect(await payloads.prepare(deliveries[FULL_PAYLOADS_AT_ONCE / 2] as LeasedDelivery)).toEqual({
      postponedUntil: clock.now() + 1_000,
    });
  });
});
