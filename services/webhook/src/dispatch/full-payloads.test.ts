import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { type Receiver, startReceiver } from '../testing/receiver.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import { type Harness, openHarness } from '../testing/webhook-harness.ts';
import { FAILURES_TO_PAUSE, MAX_PAUSE_MS } from './domain/source-state.ts';
import { type FullOutcome, FullPayloads, MAX_POSTPONED_MS } from './full-payloads.ts';

const full = endpointFor('tnt_one', { endpointId: 'ep_full', payload: 'full' });
const body = (forecastNo: string): string => `{"type":"x","timestamp":"t","data":{"event_id":"evt_1","forecast_no":"${forecastNo}"}}`;
let made = 0;

function leasedOf(eventType: SentEventType = 'parcel.weighed', given: Partial<LeasedDelivery['delivery']> = {}): LeasedDelivery {
  made += 1;
  const delivery = { tenantId: 'tnt_one', deliveryId: `dlv_${made}`, eventType, test: false, ...given };
  const origin = { occurredAt: T0, traceparent: '00-trace' };
  return { endpoint: full, delivery, body: body(`FC${made}`), origin, leaseUntil: T0 + 60_000 } as unknown as LeasedDelivery;
}

/** Full payloads over content that a test gives. */
function world(read: (part: string, tenantId: string, forecastNo: string, traceparent: string | null) => Promise<unknown>) {
  const clock = new ManualClock(T0);
  const asked: string[] = [];
  const outcomes: FullOutcome[] = [];
  const state = { read, free: 0 };
  const payloads = new FullPayloads({
    content: {
      read(part, tenantId, forecastNo, traceparent) {
        asked.push(`${part} ${tenantId} ${forecastNo} ${traceparent}`);
        return state.read(part, tenantId, forecastNo, traceparent);
      },
    },
    clock,
    logger: silentLogger,
    random: () => 0,
    onOutcome: (outcome) => void outcomes.push(outcome),
    onFree: () => {
      state.free += 1;
    },
  });
  return { clock, asked, outcomes, state, payloads };
}
const out = (): Promise<never> => Promise.reject(AppError.unavailable('The forecast service does not respond'));
const refused = (code: '40403' | '41301' | '50000') => (): Promise<never> => Promise.reject(new AppError(code));
const dataOf = (prepared: object): unknown =>
  'body' in prepared ? (JSON.parse(String(prepared.body)) as { data: unknown }).data : prepared;

describe('full payloads', () => {
  test('are for parcels of endpoints that want them, and for no test event', () => {
    const { payloads } = world(out);
    const thin = { ...leasedOf(), endpoint: endpointFor('tnt_one') };
    const all = [
      leasedOf(),
      leasedOf('forecast.accepted'),
      thin,
      leasedOf('parcel.weighed', { test: true }),
      leasedOf('endpoint.disabled'),
    ];
    expect(all.map((one) => payloads.concerns(one))).toEqual([true, true, false, false, false]);
    expect([payloads.mustWait(thin, false), payloads.mustWait(undefined, false), payloads.waitsUntil(thin, T0)]).toEqual([
      false,
      false,
      undefined,
    ]);
  });

  test('have what the owner of the data says, asked for by tenant and forecast', async () => {
    const { payloads, asked, outcomes } = world(async (part) => ({ is: part }));
    const all = [leasedOf('parcel.weighed'), leasedOf('tracking.changed'), leasedOf('parcel.exception')];
    const datas: unknown[] = [];
    for (const one of all) datas.push(dataOf(await payloads.prepare(one)));
    expect(datas).toMatchObject([{ weighing: { is: 'weighing' } }, { tracking: { is: 'tracking' } }, { forecast: { is: 'forecast' } }]);
    const numbers = all.map((one) => (JSON.parse(one.body) as { data: { forecast_no: string } }).data.forecast_no);
    const parts = ['weighing', 'tracking', 'forecast'];
    expect(asked).toEqual(parts.map((part, index) => `${part} tnt_one ${numbers[index]} 00-trace`));
    expect(outcomes).toEqual(['added', 'added', 'added']);
  });

  test.each([
    ['40403', 'not_found'],
    ['41301', 'too_large'],
  ] as const)('are sent thin after %s, which says nothing against the source', async (code, reason) => {
    const { payloads, outcomes } = world(refused(code));
    for (let times = 0; times <= FAILURES_TO_PAUSE; times += 1) {
      expect(dataOf(await payloads.prepare(leasedOf()))).toEqual(expect.objectContaining({ event_id: 'evt_1', full_omitted: reason }));
    }
    expect(new Set(outcomes)).toEqual(new Set([reason]));
  });

  test('wait while their source is out, which is asked seldom, and once when it may be back; the other source is asked all the while', async () => {
    const { payloads, asked, clock, state } = world((part) => (part === 'tracking' ? Promise.resolve(1) : out()));
    for (let times = 0; times < FAILURES_TO_PAUSE; times += 1) {
      expect(await payloads.prepare(leasedOf())).toEqual({ postponedUntil: T0 + 1_000 });
    }
    asked.length = 0;
    for (let times = 0; times < 50; times += 1) {
      expect(payloads.waitsUntil(leasedOf(), clock.now())).toBe(T0 + 1_000);
      expect(await payloads.prepare(leasedOf('parcel.arrived'))).toEqual({ postponedUntil: T0 + 1_000 });
    }
    expect(asked).toEqual([]);
    expect(dataOf(await payloads.prepare(leasedOf('tracking.changed')))).toMatchObject({ tracking: 1 });

    clock.advance(1_000);
    let response: (value: unknown) => void = () => undefined;
    state.read = () => new Promise((resolve) => (response = resolve));
    const probe = payloads.prepare(leasedOf());
    expect(payloads.waitsUntil(leasedOf(), clock.now())).toBe(clock.now() + 1_000);
    response({});
    expect(dataOf(await probe)).toMatchObject({ weighing: {} });
    expect(payloads.waitsUntil(leasedOf(), clock.now())).toBeUndefined();
  });

  test('wait no longer than a quarter of an hour: then they are sent thin, with no further call', async () => {
    const { payloads, asked, clock, outcomes } = world(out);
    const patient = leasedOf();
    for (let now = T0; now < T0 + MAX_POSTPONED_MS; now = clock.now()) {
      const prepared = await payloads.prepare(patient);
      const until = 'postponedUntil' in prepared ? prepared.postponedUntil : 0;
      expect(until - now).toBeGreaterThan(0);
      expect(until - now).toBeLessThanOrEqual(MAX_PAUSE_MS);
      clock.advance(until - now);
    }
    const calls = asked.length;
    expect(calls).toBeLessThan(40);
    expect(payloads.waitsUntil(patient, clock.now())).toBeUndefined();
    expect(dataOf(await payloads.prepare(patient))).toMatchObject({ full_omitted: 'unavailable' });
    expect(asked).toHaveLength(calls);
    expect(outcomes.at(-1)).toBe('unavailable');
    // One that comes now has a quarter of an hour of its own.
    expect(await payloads.prepare(leasedOf())).toHaveProperty('postponedUntil');
  });

  test('of one forecast that its source cannot read do not hold up the others', async () => {
    const poisoned = leasedOf();
    const { payloads, clock } = world(async (_part, _tenant, forecastNo) =>
      poisoned.body.includes(`"${forecastNo}"`) ? refused('50000')() : 1,
    );
    const waits: number[] = [];
    for (let times = 0; times < 6; times += 1) {
      const prepared = await payloads.prepare(poisoned);
      waits.push('postponedUntil' in prepared ? prepared.postponedUntil - clock.now() : 0);
      expect(dataOf(await payloads.prepare(leasedOf()))).toMatchObject({ weighing: 1 });
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    clock.advance(MAX_POSTPONED_MS);
    expect(dataOf(await payloads.prepare(poisoned))).toMatchObject({ full_omitted: 'unavailable' });
  });
});

describe('what full payloads may use', () => {
  const LARGE = 'x'.repeat(1_048_000);
  const of = (tenantId: string): LeasedDelivery => leasedOf('parcel.weighed', { tenantId });

  /** Reads bodies for a tenant, of endpoints that have attempts running, until one has to wait. */
  async function fill(payloads: FullPayloads, tenantId: string): Promise<{ bytes: number; dones: (() => void)[] }> {
    const filled = { bytes: 0, dones: [] as (() => void)[] };
    while (!payloads.mustWait(of(tenantId), false) && filled.dones.length < 1000) {
      const prepared = await payloads.prepare(of(tenantId));
      if (!('done' in prepared)) throw new Error('nothing was read');
      filled.bytes += Buffer.byteLength(prepared.body);
      filled.dones.push(prepared.done);
    }
    return filled;
  }

  test('a tenant holds a quarter of the bytes: receivers of it that are slow do not hold up another tenant', async () => {
    const { payloads } = world(async () => LARGE);
    const slow = await fill(payloads, 'tnt_slow');
    expect(slow.dones).toHaveLength(16);
    expect(payloads.mustWait(leasedOf('tracking.changed', { tenantId: 'tnt_slow' }), false)).toBe(true);
    expect((await fill(payloads, 'tnt_other')).dones.length).toBeGreaterThanOrEqual(8);
    for (const done of slow.dones.slice(0, 8)) done();
    expect(payloads.mustWait(of('tnt_slow'), false)).toBe(false);
  });

  test('however many tenants hold bodies, they have 64 MB, and one more body for each endpoint that had nothing running', async () => {
    const { payloads } = world(async () => LARGE);
    const all: { bytes: number; dones: (() => void)[] }[] = [];
    for (let tenants = 0; tenants < 100; tenants += 1) all.push(await fill(payloads, `tnt_${tenants}`));
    const bytes = all.reduce((sum, one) => sum + one.bytes, 0);
    expect(bytes).toBeGreaterThan(60 * 1_048_576);
    expect(bytes).toBeLessThanOrEqual(64 * 1_048_576);
    expect([payloads.mustWait(of('tnt_late'), false), payloads.mustWait(of('tnt_late'), true)]).toEqual([true, false]);
    // What had no share gives none back.
    const late = await payloads.prepare(of('tnt_late'));
    if ('done' in late) late.done();
    expect(payloads.mustWait(of('tnt_late'), false)).toBe(true);
    for (const { dones } of all) for (const done of dones) done();
    expect((await fill(payloads, 'tnt_late')).dones).toHaveLength(16);
  });

  test('a body that is being read counts as the largest there may be, and then as what it is', async () => {
    const { payloads, state } = world(async () => LARGE);
    for (let held = 0; held < 14; held += 1) await payloads.prepare(of('tnt_one'));
    const responses: (() => void)[] = [];
    state.read = () => new Promise((resolve) => responses.push(() => resolve('small')));
    const running = [payloads.prepare(of('tnt_one')), payloads.prepare(of('tnt_one'))];
    expect(payloads.mustWait(of('tnt_one'), false)).toBe(true);
    for (const response of responses) response();
    await Promise.all(running);
    expect(payloads.mustWait(of('tnt_one'), false)).toBe(false);
  });

  test.each([
    ['cannot be read', refused('50000')],
    ['is too large', refused('41301')],
    ['is out', out],
  ])('data that %s gives its share back', async (_name, read) => {
    const { payloads, state, clock } = world(read);
    for (let times = 0; times < 100; times += 1) {
      const prepared = await payloads.prepare(of('tnt_one'));
      if ('done' in prepared) prepared.done();
      clock.advance(MAX_PAUSE_MS);
    }
    state.read = async () => LARGE;
    expect((await fill(payloads, 'tnt_one')).dones).toHaveLength(16);
  });

  test('tenants take turns to read: of 16 calls one has eight, and what becomes free goes to who has none', async () => {
    const responses: (() => void)[] = [];
    const { payloads } = world(() => new Promise((resolve) => responses.push(() => resolve(1))));
    const running: Promise<unknown>[] = [];
    const load = (tenantId: string): number => {
      const before = running.length;
      while (!payloads.mustWait(of(tenantId), true)) running.push(payloads.prepare(of(tenantId)));
      return running.length - before;
    };
    expect([load('tnt_many'), load('tnt_many'), load('tnt_two')]).toEqual([8, 0, 4]);
    for (let tenants = 0; running.length < 16; tenants += 1) load(`tnt_${tenants}`);
    expect(load('tnt_none')).toBe(0);
    responses[0]?.();
    await running[0];
    expect([load('tnt_many'), load('tnt_two'), load('tnt_none')]).toEqual([0, 0, 1]);
    for (const response of responses) response();
    await Promise.all(running);
  });
});

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The service that has the data, as far as the webhook service knows it. @param port 0 for any */
async function startOwner(port: number, seen: string[]): Promise<Server> {
  const server = createServer((req, res) => {
    seen.push(String(req.url));
    res.end(JSON.stringify({ code: '0', message: 'success', data: { po_number: 'PO-1', weight_kg: 2 } }));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

async function stopOwner(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}

test('while the service with the data is out full payloads wait, unlike thin ones, and are sent once it is back', async () => {
  const seen: string[] = [];
  const first = await startOwner(0, seen);
  const { port } = first.address() as AddressInfo;
  const h: Harness = await openHarness({}, undefined, undefined, () => `http://127.0.0.1:${port}`);
  closing.push(() => h.stop());
  const r: Receiver = await startReceiver();
  closing.push(() => r.close());
  const bodiesAt = (path: string): string[] => r.received.flatMap((one) => (one.path === `/hook/${path}` ? one.body : []));
  const { endpoint_id } = await h.register(`${r.url}/full`, { payload: 'full', event_types: ['parcel.weighed'] });
  await h.register(`${r.url}/thin`);

  await h.weigh({ forecastNo: 'FC1' });
  await until(() => bodiesAt('full').length === 1, { what: 'the full one' });
  expect(JSON.parse(bodiesAt('full')[0] as string)).toMatchObject({ data: { forecast_no: 'FC1', weighing: { weight_kg: 2 } } });
  expect(seen).toEqual(['/internal/v1/forecasts/weighing?tenant_id=tnt_one&forecast_no=FC1']);

  await stopOwner(first);
  for (let number = 2; number <= 7; number += 1) await h.weigh({ forecastNo: `FC${number}` });
  await until(() => bodiesAt('thin').length === 7, { what: 'the thin ones' });
  const { data } = await h.call('GET', `/${endpoint_id}/deliveries?status=pending`);
  const waiting = (data as unknown as { deliveries: { attempt_count: number }[] }).deliveries;
  expect(waiting.map(({ attempt_count }) => attempt_count)).toEqual(Array(6).fill(0));
  expect((await h.call('GET', `/${endpoint_id}`)).data).toMatchObject({ status: 'enabled', health: { state: 'ok', failing_since: null } });

  const again = await startOwner(port, seen);
  closing.push(() => stopOwner(again));
  await until(() => bodiesAt('full').length === 7, { what: 'the full ones', within: 30_000 });
  expect(bodiesAt('full').every((body) => body.includes('"weighing":{'))).toBe(true);
});
